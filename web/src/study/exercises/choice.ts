// Which exercise comes next.
import type {Variant} from '../../engine/api';
import {topLevel, type Exercise, type Kind} from './catalogue';
import type {ExerciseRecord, Progress} from './progress';

export interface Wanted {
  variant: Variant;
  kind: Kind | null; // null: any
  level: number | null; // null: as suits the player
}

export function fitting(exercises: readonly Exercise[], {variant, kind, level}: Wanted): Exercise[] {
  return exercises.filter(
    (one) =>
      one.variant === variant &&
      (kind === null || one.kind === kind) &&
      (level === null || one.level === level),
  );
}

const recordOf = (progress: Progress, {id}: Exercise): ExerciseRecord | undefined =>
  Object.hasOwn(progress.records, id) ? progress.records[id] : undefined;

function pick<T>(from: readonly T[], random: () => number): T | null {
  return from[Math.min(from.length - 1, Math.floor(random() * from.length))] ?? null;
}

// First what is due again, then new ones of the level or the nearest to it, then whatever was seen
// longest ago in tries. Not the last one twice, unless there is no other.
export function nextExercise(
  exercises: readonly Exercise[],
  progress: Progress,
  wanted: Wanted,
  last: string | null,
  now: number,
  random: () => number = Math.random,
): Exercise | null {
  const all = fitting(exercises, wanted);
  const others = all.filter((one) => one.id !== last);
  if (!others.length) return all[0] ?? null;

  const due = others
    .map((one) => ({one, due: recordOf(progress, one)?.due ?? 0}))
    .filter(({due}) => due > 0 && due <= now)
    .sort((a, b) => a.due - b.due);
  if (due[0]) return due[0].one;

  const level = wanted.level ?? Math.min(topLevel, Math.floor(progress.skill));
  const unseen = others.filter((one) => !recordOf(progress, one));
  if (unseen.length) {
    const nearest = Math.min(...unseen.map((one) => Math.abs(one.level - level)));
    return pick(
      unseen.filter((one) => Math.abs(one.level - level) === nearest),
      random,
    );
  }
  const fewest = Math.min(...others.map((one) => recordOf(progress, one)!.tries));
  return pick(
    others.filter((one) => recordOf(progress, one)!.tries === fewest),
    random,
  );
}
