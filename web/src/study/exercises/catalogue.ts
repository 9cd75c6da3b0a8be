// The exercises that come with the page, made by the engine from games of people.
import {variants, type Variant} from '../../engine/api';

export type Kind = 'capture' | 'tuzdik' | 'avoid' | 'best';
export const kinds: readonly Kind[] = ['capture', 'tuzdik', 'avoid', 'best'];
export const topLevel = 5;

export interface Exercise {
  id: string;
  variant: Variant;
  fen: string;
  kind: Kind;
  solution: number[]; // pits, each accepted
  moves: string[]; // the same in notation
  level: number; // 1..5
  winRate: number; // after the solution, for who plays it
  others: number[]; // the best other win rate
  line: string[]; // from the solution on, in notation
  source: string;
}

const text = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= most;
const percent = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 100;
const all = <T>(value: unknown, is: (one: unknown) => one is T): value is T[] =>
  Array.isArray(value) && value.length <= 100 && value.every(is);
const pit = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 9;
const move = (value: unknown): value is string =>
  typeof value === 'string' && /^[1-9]{2}\S{0,8}$/.test(value);

export function exerciseOf(value: unknown): Exercise | null {
  const one = (typeof value === 'object' && value ? value : {}) as Record<keyof Exercise, unknown>;
  const {id, variant, fen, kind, solution, moves, level, winRate, line, source} = one;
  const others = typeof one.others === 'number' ? [one.others] : one.others;
  const right =
    text(id, 40) &&
    variants.includes(variant as Variant) &&
    text(fen, 200) &&
    kinds.includes(kind as Kind) &&
    all(solution, pit) &&
    solution.length > 0 &&
    all(moves, move) &&
    moves.length === solution.length &&
    Number.isInteger(level) &&
    Number(level) >= 1 &&
    Number(level) <= topLevel &&
    percent(winRate) &&
    all(others, percent) &&
    all(line, move) &&
    (source === undefined || typeof source === 'string');
  if (!right) return null;
  return {
    id,
    variant: variant as Variant,
    fen,
    kind: kind as Kind,
    solution,
    moves,
    level: Number(level),
    winRate,
    others,
    line,
    source: (source as string | undefined) ?? '',
  };
}

// Those that are in order; a second one of the same name is not.
export function exercisesOf(file: unknown): Exercise[] {
  const {version, exercises} = (file ?? {}) as {version?: unknown; exercises?: unknown};
  if (version !== 1 || !Array.isArray(exercises)) throw new Error('not a file of exercises');
  const byId = new Map<string, Exercise>();
  for (const value of exercises) {
    const exercise = exerciseOf(value);
    if (exercise && !byId.has(exercise.id)) byId.set(exercise.id, exercise);
  }
  return [...byId.values()];
}

export function bestOther({others}: Exercise): number | null {
  return others.length ? Math.max(...others) : null;
}

let loading: Promise<Exercise[]> | null = null;

export function allExercises(): Promise<Exercise[]> {
  loading ??= import('../../../data/exercises.json').then((file) => exercisesOf(file.default as unknown));
  return loading;
}
