// What a player has done, kept on the device. Exercises that went wrong come back after a while, later
// each time that they go right.
import {store, stored} from '../../base/storage';

export interface ExerciseRecord {
  tries: number;
  solved: number;
  box: number; // times right in a row since it last went wrong
  due: number; // when it comes back, ms since 1970; 0: it does not
}
export interface Progress {
  records: Readonly<Record<string, ExerciseRecord>>;
  streak: number; // right at the first move, without help, in a row
  best: number; // longest streak
  skill: number; // level that suits the player, 1..5, fractions in between
}
// `helped`: right in the end, but with a hint.
export type Outcome = 'solved' | 'helped' | 'failed';

const minute = 60_000;
const day = 24 * 60 * minute;
const afterFailure = 10 * minute;
const intervals = [day, 3 * day, 7 * day, 21 * day];
const storageName = 'exercises';
const topSkill = 5;

export const fresh: Progress = {records: {}, streak: 0, best: 0, skill: 1};

function dueAfter(outcome: Outcome, old: ExerciseRecord | undefined, box: number, now: number): number {
  if (outcome === 'failed') return now + afterFailure;
  // What never went wrong does not come back.
  if (!old?.due) return outcome === 'helped' ? now + day : 0;
  if (outcome === 'helped') return now + intervals[0]!;
  const wait = intervals[box - 1];
  return wait === undefined ? 0 : now + wait;
}

export function recorded(
  progress: Progress,
  id: string,
  level: number,
  outcome: Outcome,
  now: number,
): Progress {
  const old = Object.hasOwn(progress.records, id) ? progress.records[id] : undefined;
  const box = outcome === 'solved' ? (old?.box ?? 0) + 1 : 0;
  const record = {
    tries: (old?.tries ?? 0) + 1,
    solved: (old?.solved ?? 0) + (outcome === 'failed' ? 0 : 1),
    box,
    due: dueAfter(outcome, old, box, now),
  };
  const streak = outcome === 'failed' ? 0 : progress.streak + (outcome === 'solved' ? 1 : 0);
  return {
    records: {...progress.records, [id]: record},
    streak,
    best: Math.max(progress.best, streak),
    skill: newSkill(progress.skill, level, outcome),
  };
}

const rounded = (value: number) => Math.round(100 * value) / 100;

// Up a level in five right ones of that level, down in about three wrong ones.
function newSkill(skill: number, level: number, outcome: Outcome): number {
  if (outcome === 'solved' && level >= Math.floor(skill)) return Math.min(topSkill, rounded(skill + 0.2));
  if (outcome === 'failed' && level <= Math.ceil(skill)) return Math.max(1, rounded(skill - 0.35));
  return skill;
}

export interface Summary {
  solved: number; // exercises, once or more
  tries: number;
  due: number; // that come back, now or later
}

export function summary(progress: Progress): Summary {
  const records = Object.values(progress.records);
  return {
    solved: records.filter((record) => record.solved > 0).length,
    tries: records.reduce((sum, record) => sum + record.tries, 0),
    due: records.filter((record) => record.due > 0).length,
  };
}

const whole = (value: unknown, most = Number.MAX_SAFE_INTEGER) =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most ? Number(value) : null;

function recordOf(value: unknown): ExerciseRecord | null {
  const {tries, solved, box, due} = (value ?? {}) as Record<string, unknown>;
  const read = [whole(tries), whole(solved), whole(box, 1000), whole(due)] as const;
  if (read.includes(null)) return null;
  return {tries: read[0]!, solved: read[1]!, box: read[2]!, due: read[3]!};
}

// From what a device has kept, which anyone may have written.
export function progressOf(kept: unknown): Progress {
  const {records, streak, best, skill} = (kept ?? {}) as Record<string, unknown>;
  if (typeof records !== 'object' || !records) return fresh;
  const good = Object.entries(records)
    .map(([id, record]) => [id, recordOf(record)] as const)
    .filter(([id, record]) => record && id.length <= 40);
  const run = whole(streak) ?? 0;
  return {
    records: Object.fromEntries(good) as Record<string, ExerciseRecord>,
    streak: run,
    best: Math.max(run, whole(best) ?? 0),
    skill: typeof skill === 'number' && skill >= 1 && skill <= topSkill ? skill : 1,
  };
}

export const loadProgress = (): Progress => progressOf(stored(storageName));
export const saveProgress = (progress: Progress): boolean => store(storageName, progress);
