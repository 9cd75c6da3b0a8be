// One game: its moves, those taken back, where one looks, how it was stopped. Knows no rules but by
// asking, and nothing of engines and drawing.
import {batch, computed, signal, type ReadonlySignal} from '@preact/signals';
import type {GameSpec, Landing, Rules, RulesApi, Side, State} from '../engine/api';
import {Clock, type Left} from './clock';
import {endingOf, type Ending, type Setup, type Stop} from './setup';

export interface GameParts {
  setup: Setup;
  moves?: readonly number[];
  undone?: readonly number[];
  stop?: Stop | null;
  left?: Left | null; // on the clocks
}

export class Game {
  readonly setup: Setup;
  readonly rules: Rules;
  readonly clock: Clock | null;
  readonly moves = signal<readonly number[]>([]);
  readonly undone = signal<readonly number[]>([]); // the next to be redone last
  readonly stop = signal<Stop | null>(null);
  readonly lookedAt = signal<number | null>(null); // a ply; null: where the game stands

  readonly state: ReadonlySignal<State>;
  readonly ending: ReadonlySignal<Ending | null>;
  readonly viewed: ReadonlySignal<State>;
  readonly landings: ReadonlySignal<Landing[]>;
  readonly canUndo: ReadonlySignal<boolean>;
  readonly canRedo: ReadonlySignal<boolean>;

  private readonly leftBefore: Left[] = []; // clocks before each move made here

  // Throws EngineError if the rules do not allow it.
  constructor(
    api: RulesApi,
    {setup, moves = [], undone = [], stop = null, left = null}: GameParts,
    now: () => number = () => performance.now(),
  ) {
    this.setup = setup;
    this.rules = api.rules(setup.variant);
    this.clock = setup.time ? new Clock(setup.time, left, now) : null;
    this.moves.value = moves;
    this.undone.value = undone;
    this.stop.value = stop;
    this.state = computed(() => api.state(this.spec(this.moves.value)));
    this.ending = computed(() => endingOf(this.state.value, this.stop.value));
    this.viewed = computed(() => {
      const ply = this.lookedAt.value;
      return ply === null ? this.state.value : api.state(this.spec(this.moves.value.slice(0, ply)));
    });
    this.landings = computed(() =>
      this.ending.value || this.lookedAt.value !== null ? [] : api.landings(this.spec(this.moves.value)),
    );
    this.canUndo = computed(() => {
      if (this.stop.value?.by === 'resignation') return true;
      const to = this.plyToUndo(this.moves.value.length);
      // Who is out of time gets back what he had before his move, or loses again at once.
      return to !== null && (this.stop.value === null || this.leftBefore[to] !== undefined);
    });
    this.canRedo = computed(() => this.undone.value.length > 0 && this.stop.value === null);
    this.state.value; // throws here rather than when drawn
    // Moves taken back may come from storage.
    try {
      if (undone.length > 0) api.state(this.spec([...moves, ...[...undone].reverse()]));
    } catch {
      this.undone.value = [];
    }
  }

  spec(moves: readonly number[] = this.moves.value): GameSpec {
    const {variant, fen} = this.setup;
    return fen === undefined ? {variant, moves: [...moves]} : {variant, fen, moves: [...moves]};
  }

  // Who moves at a ply is told by the start: each move passes the turn.
  sideAt(ply: number): Side {
    const now = this.state.peek().turn;
    return ((now + this.moves.peek().length - ply) % 2 === 0 ? 0 : 1) as Side;
  }

  play(pit: number): void {
    const {legal, turn} = this.state.peek();
    if (this.ending.peek() || !legal.includes(pit)) return;
    batch(() => {
      if (this.clock) {
        this.leftBefore[this.moves.peek().length] = this.clock.both();
        this.clock.press(turn);
      }
      const redone = this.undone.peek().at(-1) === pit;
      this.undone.value = redone ? this.undone.peek().slice(0, -1) : [];
      this.moves.value = [...this.moves.peek(), pit];
      this.lookedAt.value = null;
    });
  }

  // Where taking back from `ply` leads: to where a person moves, or one move if none plays.
  private plyToUndo(ply: number): number | null {
    const {players} = this.setup;
    const someone = players.some((player) => player.kind === 'person');
    for (let to = ply - 1; to >= 0; --to)
      if (!someone || players[this.sideAt(to)].kind === 'person') return to;
    return null;
  }

  undo(): void {
    if (this.stop.peek()?.by === 'resignation') {
      this.stop.value = null;
      return;
    }
    const to = this.plyToUndo(this.moves.peek().length);
    if (to !== null) this.backTo(to);
  }

  // Takes back to `ply`; what is taken back can be redone.
  backTo(ply: number): void {
    const moves = this.moves.peek();
    batch(() => {
      this.stop.value = null;
      this.lookedAt.value = null;
      this.undone.value = [...this.undone.peek(), ...moves.slice(ply).reverse()];
      this.moves.value = moves.slice(0, ply);
      const left = this.leftBefore[ply];
      if (this.clock && left) this.clock.set(left);
    });
  }

  // To where a person is to move again.
  redo(): void {
    if (!this.canRedo.peek()) return;
    const {players} = this.setup;
    const undone = [...this.undone.peek()];
    const moves = [...this.moves.peek()];
    do {
      moves.push(undone.pop()!);
    } while (
      undone.length > 0 &&
      players.some((player) => player.kind === 'person') &&
      players[this.sideAt(moves.length)].kind === 'engine'
    );
    batch(() => {
      this.undone.value = undone;
      this.moves.value = moves;
      this.lookedAt.value = null;
    });
  }

  end(stop: Stop): void {
    if (this.ending.peek()) return;
    this.clock?.stop();
    this.stop.value = stop;
  }

  look(ply: number | null): void {
    const {length} = this.moves.peek();
    this.lookedAt.value = ply === null || ply >= length ? null : Math.max(0, ply);
  }

  parts(): Required<GameParts> {
    return {
      setup: this.setup,
      moves: this.moves.value,
      undone: this.undone.value,
      stop: this.stop.value,
      left: this.clock?.both() ?? null,
    };
  }
}
