import {afterEach, describe, expect, test, vi} from 'vitest';
import {exerciseOf, exercisesOf, type Exercise} from './catalogue';
import {fitting, nextExercise, type Wanted} from './choice';
import {fresh, loadProgress, progressOf, recorded, saveProgress, summary, type Progress} from './progress';

const day = 24 * 3600_000;

function exercise(id: string, more: Partial<Exercise> = {}): Exercise {
  return {
    id,
    variant: 'standard',
    fen: '9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1',
    kind: 'capture',
    solution: [7],
    moves: ['76'],
    level: 1,
    winRate: 70,
    others: [40],
    line: ['76', '99'],
    source: 'kz2018 s0002 ply 34',
    ...more,
  };
}

describe('the file', () => {
  test('is read', () => {
    const exercises = [exercise('e1'), exercise('e2'), exercise('e1', {level: 3})];
    expect(exercisesOf({version: 1, exercises}).map(({id, level}) => [id, level])).toEqual([
      ['e1', 1],
      ['e2', 1],
    ]);
    expect(exerciseOf({...exercise('e1'), others: 31.5})?.others).toEqual([31.5]);
    expect(exerciseOf({...exercise('e1'), source: undefined})?.source).toBe('');
  });

  test('loses what is not in order', () => {
    const bad: unknown[] = [
      null,
      7,
      'x',
      {},
      [],
      exercise(''),
      exercise('e', {variant: 'chess' as never}),
      exercise('e', {fen: 'x'.repeat(300)}),
      exercise('e', {kind: 'win' as never}),
      exercise('e', {solution: []}),
      exercise('e', {solution: [0]}),
      exercise('e', {solution: [1.5]}),
      exercise('e', {solution: [1, 2]}),
      exercise('e', {moves: ['<b>']}),
      exercise('e', {level: 6}),
      exercise('e', {level: '1' as never}),
      exercise('e', {winRate: NaN}),
      exercise('e', {others: [-1]}),
      exercise('e', {line: 'x' as never}),
      exercise('e', {source: 5 as never}),
    ];
    expect(exercisesOf({version: 1, exercises: bad})).toEqual([]);
    for (const file of [null, [], {version: 2, exercises: []}, {version: 1}])
      expect(() => exercisesOf(file)).toThrow();
  });
});

describe('progress', () => {
  const after = (progress: Progress, ...outcomes: ('solved' | 'helped' | 'failed')[]) =>
    outcomes.reduce((sum, outcome) => recorded(sum, 'e1', 1, outcome, 0), progress);

  test('what goes right at once does not come back', () => {
    expect(after(fresh, 'solved').records.e1).toEqual({tries: 1, solved: 1, box: 1, due: 0});
  });

  test('what goes wrong comes back, later each time', () => {
    const dues = [
      after(fresh, 'failed'),
      after(fresh, 'failed', 'solved'),
      after(fresh, 'failed', 'solved', 'solved'),
      after(fresh, 'failed', 'solved', 'solved', 'solved'),
      after(fresh, 'failed', 'solved', 'solved', 'solved', 'solved'),
      after(fresh, 'failed', 'solved', 'solved', 'solved', 'solved', 'solved'),
      after(fresh, 'failed', 'solved', 'solved', 'failed'),
      after(fresh, 'failed', 'solved', 'solved', 'helped'),
      after(fresh, 'helped'),
    ].map((progress) => progress.records.e1!.due / day);
    expect(dues).toEqual([10 / 1440, 1, 3, 7, 21, 0, 10 / 1440, 1, 1]);
  });

  test('streaks count what went right without help', () => {
    const progress = after(fresh, 'solved', 'solved', 'helped', 'solved', 'failed', 'solved');
    expect(progress).toMatchObject({streak: 1, best: 3});
    expect(progress.records.e1).toMatchObject({tries: 6, solved: 5});
  });

  test('skill follows', () => {
    const run = (outcome: 'solved' | 'failed', level: number, times: number, from = fresh) =>
      Array.from({length: times}).reduce<Progress>((sum) => recorded(sum, 'e1', level, outcome, 0), from);
    expect(run('solved', 1, 5).skill).toBeCloseTo(2);
    expect(run('solved', 1, 50).skill).toBeCloseTo(2);
    expect(run('solved', 5, 50).skill).toBe(5);
    expect(run('failed', 1, 50).skill).toBe(1);
    expect(run('failed', 5, 5, {...fresh, skill: 3}).skill).toBe(3);
  });

  test('is summed up', () => {
    let progress = recorded(fresh, 'e1', 1, 'failed', 0);
    progress = recorded(progress, 'e2', 1, 'solved', 0);
    progress = recorded(progress, 'e3', 1, 'helped', 0);
    expect(summary(progress)).toEqual({solved: 2, tries: 3, due: 2});
    expect(summary(fresh)).toEqual({solved: 0, tries: 0, due: 0});
  });

  test('names of exercises are only names', () => {
    const progress = recorded(fresh, 'constructor', 1, 'failed', 0);
    expect(progress.records.constructor).toMatchObject({tries: 1});
  });
});

describe('what the device has kept', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('comes back', () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    const progress = recorded(fresh, 'e1', 1, 'failed', 5);
    saveProgress(progress);
    expect(loadProgress()).toEqual(progress);
  });

  test('may be forbidden', () => {
    const forbidden = () => {
      throw new Error('no');
    };
    vi.stubGlobal('localStorage', {getItem: forbidden, setItem: forbidden});
    expect(loadProgress()).toEqual(fresh);
    expect(() => saveProgress(fresh)).not.toThrow();
  });

  test('may be anything', () => {
    for (const value of [undefined, null, 7, 'x', [], {}, {records: 7}, {records: null}])
      expect(progressOf(value)).toEqual(fresh);
    const records = {
      good: {tries: 2, solved: 1, box: 0, due: 9},
      bad1: {tries: -1, solved: 1, box: 0, due: 9},
      bad2: {tries: 1, solved: 1, box: 0, due: 1e300},
      bad3: null,
      bad4: {tries: '1', solved: 1, box: 0, due: 1},
      ['x'.repeat(99)]: {tries: 2, solved: 1, box: 0, due: 9},
    };
    expect(progressOf({records, streak: 4, best: 2, skill: 99})).toEqual({
      records: {good: records.good},
      streak: 4,
      best: 4,
      skill: 1,
    });
  });
});

describe('the next exercise', () => {
  const set = [
    exercise('a1'),
    exercise('a2', {level: 2}),
    exercise('a3', {level: 3, kind: 'tuzdik'}),
    exercise('b1', {variant: 'seven'}),
  ];
  const any: Wanted = {variant: 'standard', kind: null, level: null};
  const next = (progress: Progress, wanted = any, last: string | null = null, now = 0) =>
    nextExercise(set, progress, wanted, last, now, () => 0)?.id ?? null;

  test('fits what is wanted', () => {
    expect(fitting(set, any)).toHaveLength(3);
    expect(next(fresh, {...any, kind: 'tuzdik'})).toBe('a3');
    expect(next(fresh, {...any, level: 2})).toBe('a2');
    expect(next(fresh, {...any, variant: 'seven'})).toBe('b1');
    expect(next(fresh, {...any, variant: 'bestemshe'})).toBeNull();
    expect(next(fresh, {...any, level: 5})).toBeNull();
  });

  test('is of the player’s level, or the nearest', () => {
    expect(next(fresh)).toBe('a1');
    expect(next({...fresh, skill: 2.9})).toBe('a2');
    expect(next({...fresh, skill: 5})).toBe('a3');
  });

  test('is what is due, the longest due first', () => {
    let progress = recorded(fresh, 'a3', 1, 'failed', 1000);
    progress = recorded(progress, 'a2', 1, 'failed', 0);
    expect(next(progress)).toBe('a1');
    expect(next(progress, any, null, day)).toBe('a2');
    expect(next(progress, any, 'a2', day)).toBe('a3');
  });

  test('is not the last one, unless there is no other', () => {
    expect(next(fresh, any, 'a1')).toBe('a2');
    expect(next(fresh, {...any, kind: 'tuzdik'}, 'a3')).toBe('a3');
  });

  test('is the least tried when all were seen', () => {
    let progress = fresh;
    for (const id of ['a1', 'a1', 'a2', 'a2', 'a3']) progress = recorded(progress, id, 1, 'solved', 0);
    expect(next(progress)).toBe('a3');
  });
});
