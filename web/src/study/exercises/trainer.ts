// One exercise after another: the board's moves judged, and what came of them recorded.
import {batch, computed, signal, type ReadonlySignal} from '@preact/signals';
import {isOneOf, kept} from '../../base/storage';
import {variants, type GameSpec, type MoveFacts, type RulesApi, type Variant} from '../../engine/api';
import {allExercises, kinds, type Exercise, type Kind} from './catalogue';
import {fitting, nextExercise} from './choice';
import {fresh, loadProgress, recorded, saveProgress, summary, type Outcome, type Progress} from './progress';

export type Phase = 'ask' | 'wrong' | 'right' | 'shown';

const anyKind = [...kinds, 'any'] as const;
const anyLevel = ['auto', '1', '2', '3', '4', '5'] as const;

export class Trainer {
  readonly all = signal<Exercise[] | null>(null);
  readonly failed = signal(false);
  readonly progress = signal<Progress>(loadProgress());
  readonly notKept = signal(false);

  readonly variant = kept<Variant>('exercises.variant', 'standard', isOneOf(variants));
  readonly kind = kept<Kind | 'any'>('exercises.kind', 'any', isOneOf(anyKind));
  readonly level = kept<(typeof anyLevel)[number]>('exercises.level', 'auto', isOneOf(anyLevel));

  readonly exercise = signal<Exercise | null>(null);
  readonly phase = signal<Phase>('ask');
  readonly repeat = signal(false); // it went wrong before
  readonly hinted = signal(0); // how many hints were asked for
  readonly tried = signal<{pit: number; move: string; facts: MoveFacts} | null>(null);
  // Moves on the board from the exercise's position.
  readonly moves = signal<number[]>([]);

  readonly fitting = computed(() => fitting(this.all.value ?? [], this.wanted()));
  readonly game: ReadonlySignal<GameSpec | null> = computed(() => {
    const {value} = this.exercise;
    return value && {variant: value.variant, fen: value.fen, moves: this.moves.value};
  });

  // The line is played out by itself, until the person steps through it.
  playsOn = false;

  private graded = false;

  constructor(
    private readonly rules: RulesApi,
    private readonly now: () => number = Date.now,
    private readonly random: () => number = Math.random,
  ) {}

  async load(read: () => Promise<Exercise[]> = allExercises): Promise<void> {
    if (this.all.value) return;
    try {
      this.all.value = await read();
      if (!this.exercise.value) this.next();
    } catch {
      this.failed.value = true;
    }
  }

  wanted() {
    const {value: kind} = this.kind;
    const {value: level} = this.level;
    return {
      variant: this.variant.value,
      kind: kind === 'any' ? null : kind,
      level: level === 'auto' ? null : Number(level),
    };
  }

  summary() {
    return summary(this.progress.value);
  }

  solvedOf(exercises: readonly Exercise[]): number {
    const {records} = this.progress.value;
    return exercises.filter(({id}) => Object.hasOwn(records, id) && records[id]!.solved > 0).length;
  }

  next(): void {
    this.put(this.choose(this.exercise.peek()?.id ?? null));
  }

  // What is wanted has changed: another exercise, unless this one fits.
  changed(): void {
    const {value} = this.exercise;
    if (value && this.fitting.value.includes(value)) return;
    this.put(this.choose(null));
  }

  get asks(): boolean {
    return this.exercise.value !== null && (this.phase.value === 'ask' || this.phase.value === 'wrong');
  }

  attempt(pit: number): void {
    const {value} = this.exercise;
    if (!value || !this.asks) return;
    const start = this.startOf(value);
    const {moves} = this.rules.state({...start, moves: [pit]});
    const right = value.solution.includes(pit);
    batch(() => {
      this.tried.value = {pit, move: moves[0] ?? String(pit), facts: this.rules.facts(start, pit)};
      this.phase.value = right ? 'right' : 'wrong';
      if (right) this.begin(pit);
      this.grade(!right ? 'failed' : this.hinted.value ? 'helped' : 'solved');
    });
  }

  hint(): void {
    if (this.asks) this.hinted.value++;
  }

  show(): void {
    const {value} = this.exercise;
    if (!value || !this.asks) return;
    batch(() => {
      this.grade('failed');
      this.phase.value = 'shown';
      this.begin(value.solution[0]!);
    });
  }

  // The line goes on by a move; whether there was one.
  goOn(): boolean {
    const pits = this.line();
    const at = this.moves.value.length;
    if (!this.playsOn || at >= pits.length) return false;
    this.moves.value = pits.slice(0, at + 1);
    return true;
  }

  goTo(count: number): void {
    this.playsOn = false;
    this.moves.value = this.line().slice(0, count);
  }

  // From the solution on, as far as the rules take it. Another solution than the line's has none.

  line(): number[] {
    const {value} = this.exercise;
    const [first] = this.moves.value;
    const pits = value?.line.map((move) => Number(move[0])) ?? [];
    if (!value || first === undefined) return [];
    if (pits[0] !== first) return [first];
    for (let count = pits.length; count > 1; --count)
      if (this.isLegal({...this.startOf(value), moves: pits.slice(0, count)})) return pits.slice(0, count);
    return [first];
  }

  reset(): void {
    this.keep(fresh);
  }

  private startOf({variant, fen}: Exercise): GameSpec {
    return {variant, fen, moves: []};
  }

  private begin(pit: number): void {
    this.moves.value = [pit];
    this.playsOn = true;
  }

  private put(exercise: Exercise | null): void {
    const {records} = this.progress.value;
    batch(() => {
      this.graded = false;
      this.playsOn = false;
      this.exercise.value = exercise;
      this.repeat.value =
        exercise !== null && Object.hasOwn(records, exercise.id) && records[exercise.id]!.due > 0;
      this.phase.value = 'ask';
      this.hinted.value = 0;
      this.tried.value = null;
      this.moves.value = [];
    });
  }

  // The rules have the last word on what a file holds: what they refuse is dropped.
  private choose(last: string | null): Exercise | null {
    for (;;) {
      const all = this.all.value ?? [];
      const chosen = nextExercise(all, this.progress.value, this.wanted(), last, this.now(), this.random);
      if (!chosen || chosen.solution.every((pit) => this.isLegal({...this.startOf(chosen), moves: [pit]})))
        return chosen;
      this.all.value = all.filter((one) => one !== chosen);
    }
  }

  private isLegal(game: GameSpec): boolean {
    try {
      this.rules.state(game);
      return true;
    } catch {
      return false;
    }
  }

  // The first answer counts.
  private grade(outcome: Outcome): void {
    const {value} = this.exercise;
    if (this.graded || !value) return;
    this.graded = true;
    // What was done in another tab counts too.
    const known = this.notKept.value ? this.progress.value : loadProgress();
    this.keep(recorded(known, value.id, value.level, outcome, this.now()));
  }

  private keep(progress: Progress): void {
    this.progress.value = progress;
    this.notKept.value = !saveProgress(progress);
  }
}
