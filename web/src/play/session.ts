// The game on the board and all that happens around it: sowing, the engine's turns, clocks, hints,
// announcements, keeping. It outlives the view.
import {batch, computed, effect, signal, type ReadonlySignal, type Signal} from '@preact/signals';
import {announce} from '../base/announce';
import {notify} from '../base/notice';
import {speed as speedSetting} from '../board/settings';
import {soundOfEnd, soundOfFrame, soundOfMove, soundOfTuzdik} from '../board/sound';
import {Sower} from '../board/sower';
import {moveWords, sideName} from '../board/words';
import {EngineStopped, type EngineApi, type MoveFacts, type RulesApi, type Side} from '../engine/api';
import {t} from '../i18n';
import {Game, type GameParts} from './game';
import type {SavedGame} from './saved';
import {ownSide, watched, type Setup} from './setup';
import {endingWords} from './words';

export interface Hint {
  facts: MoveFacts | null; // null: being looked for
}

export interface Keeper {
  load(): SavedGame | null;
  save(game: SavedGame): void;
}

// Between a sowing and the engine's next move, so that one sees what happened.
const breatheMs = {slow: 900, normal: 550, fast: 250, instant: 350};

export class PlaySession {
  private readonly current: Signal<Game>;
  readonly game: ReadonlySignal<Game>;
  readonly sower = new Sower(soundOfFrame);
  readonly flipped = signal(false);
  readonly paused = signal(false);
  readonly thinking = signal(false);
  readonly hint = signal<Hint | null>(null);
  readonly bottom: ReadonlySignal<Side>;
  readonly canPlay: ReadonlySignal<boolean>; // the person may move now

  private turn = 0; // grows when what an engine or timer was asked for is no longer wanted
  private thinkingTurn = -1;
  private flag: ReturnType<typeof setTimeout> | undefined;
  // Whether the page shows play; else the engine waits and clocks stand.
  private shown = false;

  constructor(
    readonly rules: RulesApi,
    readonly engine: EngineApi,
    private readonly keeper: Keeper,
    first: Setup,
  ) {
    const found = this.restored();
    this.current = signal(found ?? new Game(rules, {setup: first}));
    this.game = this.current;
    this.bottom = computed(() => {
      const own = ownSide(this.game.value.setup) ?? 0;
      return (this.flipped.value ? 1 - own : own) as Side;
    });
    this.canPlay = computed(() => {
      const game = this.game.value;
      if (game.ending.value || game.lookedAt.value !== null || this.sower.shown.value) return false;
      return game.setup.players[game.state.value.turn].kind === 'person';
    });
    // Watching resumes by hand after a reload, as do clocks.
    if (found && found.moves.value.length > 0 && (watched(found.setup) || found.clock))
      this.paused.value = true;
    effect(() => this.save());
  }

  private restored(): Game | null {
    const saved = this.keeper.load();
    if (!saved) return null;
    try {
      const game = new Game(this.rules, saved);
      this.flipped.value = saved.flipped;
      return game;
    } catch {
      return null; // of another version, or spoilt
    }
  }

  saved(): SavedGame {
    return {...this.game.value.parts(), flipped: this.flipped.value};
  }

  save(): void {
    this.keeper.save(this.saved());
  }

  open(parts: GameParts, flipped = false): void {
    const game = new Game(this.rules, parts);
    this.drop();
    this.current.peek().clock?.stop();
    batch(() => {
      this.flipped.value = flipped;
      this.paused.value = false;
      this.current.value = game;
    });
    this.next();
  }

  // Nothing that is under way is wanted any more.
  private drop(): void {
    ++this.turn;
    clearTimeout(this.flag);
    if (this.thinking.peek() || this.hint.peek()?.facts === null) this.engine.stop();
    batch(() => {
      this.thinking.value = false;
      this.hint.value = null;
    });
    this.sower.skip();
  }

  // The person's move.
  play(pit: number): void {
    if (!this.canPlay.peek() || !this.game.peek().state.peek().legal.includes(pit)) return;
    this.resume();
    this.move(pit);
  }

  private move(pit: number): void {
    this.drop();
    const game = this.game.peek();
    const before = game.spec();
    const frames = this.rules.sowing(before, pit);
    const by = game.state.peek().turn;
    const turn = this.turn;
    let shown: Promise<void> = Promise.resolve();
    batch(() => {
      game.play(pit);
      shown = this.sower.run(frames, by, speedSetting.peek());
    });
    const state = game.state.peek();
    announce(moveWords(game.rules, state));
    if (!this.sower.shown.peek()) soundOfMove((state.last?.captured ?? 0) > 0);
    void shown.then(() => {
      if (turn !== this.turn) return;
      if (state.last?.tuzdik) soundOfTuzdik();
      this.next();
    });
  }

  // What follows when the board is at rest.
  private next(): void {
    const game = this.game.peek();
    clearTimeout(this.flag);
    const ending = game.ending.peek();
    if (ending) {
      game.clock?.stop();
      if (game.moves.peek().length > 0) {
        announce(endingWords(game.rules, ending, game.state.peek()));
        soundOfEnd();
      }
      return;
    }
    if (!this.shown || this.paused.peek()) return;
    this.startClock();
    if (game.setup.players[game.state.peek().turn].kind === 'engine') void this.engineMoves();
  }

  private startClock(): void {
    const {clock, state, moves} = this.game.peek();
    // Clocks start with the first move.
    if (!clock || moves.peek().length === 0) return;
    const {turn} = state.peek();
    clock.start(turn);
    this.flag = setTimeout(() => this.fall(turn), clock.of(turn) + 20);
  }

  private fall(loser: Side): void {
    this.drop();
    this.game.peek().end({by: 'time', loser});
    this.next();
  }

  private async engineMoves(): Promise<void> {
    const turn = this.turn;
    if (this.thinkingTurn === turn) return;
    this.thinkingTurn = turn;
    const game = this.game.peek();
    const side = game.state.peek().turn;
    const player = game.setup.players[side];
    if (player.kind !== 'engine') return;
    this.thinking.value = true;
    try {
      const [found] = await Promise.all([
        this.engine.think(game.spec(), {
          level: player.level,
          seed: Math.floor(Math.random() * 2 ** 31),
          ...(game.clock ? {remainingMs: game.clock.of(side), incrementMs: game.clock.incrementMs} : {}),
        }),
        breathe(this.breath()),
      ]);
      if (turn !== this.turn || found.best === null) return;
      this.thinking.value = false;
      this.move(found.best);
    } catch (error) {
      // Another part of the page has taken the engine; the turn is taken up again when play is shown.
      if (turn !== this.turn) return;
      this.thinkingTurn = -1;
      this.thinking.value = false;
      this.paused.value = true;
      this.explain(error);
    }
  }

  private breath(): number {
    const {moves, clock, state} = this.game.peek();
    if (moves.peek().length === 0) return 0;
    // It is on the engine's clock.
    const most = clock ? clock.of(state.peek().turn) / 20 : Infinity;
    return Math.min(most, breatheMs[speedSetting.peek()]);
  }

  private explain(error: unknown): void {
    if (error instanceof EngineStopped) return;
    notify(t('play.engine_failed', {reason: error instanceof Error ? error.message : String(error)}), true);
  }

  undo(): void {
    if (!this.game.peek().canUndo.peek()) return;
    this.rest((game) => game.undo());
    this.sayTakenBack();
  }

  backTo(ply: number): void {
    this.rest((game) => game.backTo(ply));
    this.sayTakenBack();
  }

  redo(): void {
    if (!this.game.peek().canRedo.peek()) return;
    this.rest((game) => game.redo());
    const game = this.game.peek();
    if (!game.ending.peek()) announce(moveWords(game.rules, game.state.peek()));
  }

  private sayTakenBack(): void {
    const {turn} = this.game.peek().state.peek();
    announce(`${t('play.taken_back')} ${t('play.turn_of', {side: sideName(turn)})}`);
  }

  private rest(change: (game: Game) => void): void {
    this.drop();
    const game = this.game.peek();
    game.clock?.stop();
    change(game);
    // Who takes back while watching wants to look.
    if (watched(game.setup)) this.paused.value = true;
    this.next();
  }

  resign(): void {
    const game = this.game.peek();
    if (game.ending.peek()) return;
    const loser = ownSide(game.setup) ?? game.state.peek().turn;
    this.drop();
    game.end({by: 'resignation', loser});
    this.next();
  }

  pause(): void {
    if (this.paused.peek()) return;
    this.drop();
    this.game.peek().clock?.stop();
    this.paused.value = true;
  }

  resume(): void {
    if (!this.paused.peek()) return;
    this.paused.value = false;
    this.next();
  }

  // Another part of the page is shown, and may want the engine.
  leave(): void {
    this.shown = false;
    this.drop();
    this.game.peek().clock?.stop();
    this.save();
  }

  // Play is shown.
  enter(): void {
    if (this.shown) return;
    this.shown = true;
    this.next();
  }

  flip(): void {
    this.flipped.value = !this.flipped.peek();
  }

  async askHint(): Promise<void> {
    if (!this.canPlay.peek() || this.hint.peek()) return;
    const turn = this.turn;
    this.hint.value = {facts: null};
    try {
      const {facts} = await this.engine.think(this.game.peek().spec(), {level: 10});
      if (turn === this.turn) this.hint.value = facts ? {facts} : null;
    } catch (error) {
      if (turn !== this.turn) return;
      this.hint.value = null;
      this.explain(error);
    }
  }

  dropHint(): void {
    this.hint.value = null;
  }
}

function breathe(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
