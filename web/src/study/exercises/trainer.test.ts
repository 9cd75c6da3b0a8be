import {beforeAll, beforeEach, describe, expect, test, vi} from 'vitest';
import type {RulesApi} from '../../engine/api';
import {realRules} from '../testing/rules';
import {allExercises, type Exercise} from './catalogue';
import {Trainer} from './trainer';

let rules: RulesApi;
let trainer: Trainer;

function exercise(id: string, more: Partial<Exercise> = {}): Exercise {
  return {
    id,
    variant: 'standard',
    fen: rules.state({variant: 'standard', moves: []}).fen,
    kind: 'capture',
    solution: [7, 8],
    moves: ['76', '87'],
    level: 1,
    winRate: 60,
    others: [40],
    line: ['76', '98', '66', '11'],
    source: 'test',
    ...more,
  };
}

beforeAll(async () => void (rules = await realRules()));
beforeEach(async () => {
  trainer = new Trainer(
    rules,
    () => 1000,
    () => 0,
  );
  await trainer.load(async () => [exercise('a'), exercise('b'), exercise('c', {kind: 'best'})]);
});

describe('an exercise', () => {
  test('is on the board when they are loaded', () => {
    expect(trainer.exercise.value?.id).toBe('a');
    expect(trainer.game.value).toMatchObject({variant: 'standard', moves: []});
    expect(trainer.asks).toBe(true);
  });

  test('goes right', () => {
    trainer.attempt(7);
    expect(trainer.phase.value).toBe('right');
    expect(trainer.tried.value?.move).toBe('76(10)');
    expect(trainer.game.value?.moves).toEqual([7]);
    expect(trainer.progress.value).toMatchObject({streak: 1, records: {a: {tries: 1, solved: 1}}});
    trainer.attempt(1);
    expect(trainer.game.value?.moves).toEqual([7]);
  });

  test('goes wrong, then right: the first answer counts', () => {
    trainer.attempt(1);
    expect(trainer.phase.value).toBe('wrong');
    expect(trainer.tried.value).toMatchObject({pit: 1, facts: {pit: 1}});
    expect(trainer.game.value?.moves).toEqual([]);
    trainer.attempt(7);
    expect(trainer.phase.value).toBe('right');
    expect(trainer.progress.value.records.a).toMatchObject({tries: 1, solved: 0, box: 0});
    trainer.next();
    expect(trainer.exercise.value?.id).toBe('b');
    expect(trainer.repeat.value).toBe(false);
  });

  test('with a hint leaves the row as it was', () => {
    trainer.attempt(7);
    trainer.next();
    trainer.hint();
    trainer.attempt(7);
    expect(trainer.progress.value).toMatchObject({streak: 1, records: {b: {solved: 1, box: 0}}});
    expect(trainer.hinted.value).toBe(1);
    trainer.next();
    expect(trainer.hinted.value).toBe(0);
  });

  test('that is shown has gone wrong', () => {
    trainer.show();
    expect(trainer.phase.value).toBe('shown');
    expect(trainer.game.value?.moves).toEqual([7]);
    expect(trainer.progress.value.records.a).toMatchObject({solved: 0});
  });

  test('plays its line out, as far as it is legal', () => {
    trainer.attempt(7);
    // 11 is no move there: pit 1 has more than one ball.
    const line = trainer.line();
    expect(line.slice(0, 3)).toEqual([7, 9, 6]);
    for (let i = 1; i < line.length; ++i) expect(trainer.goOn()).toBe(true);
    expect(trainer.goOn()).toBe(false);
    trainer.goTo(2);
    expect(trainer.game.value?.moves).toEqual([7, 9]);
    // Who steps by himself is not dragged on.
    expect(trainer.goOn()).toBe(false);
  });

  test('has no line for another solution than the line’s', () => {
    trainer.attempt(8);
    expect(trainer.phase.value).toBe('right');
    expect(trainer.line()).toEqual([8]);
  });
});

describe('what is wanted', () => {
  test('changes the exercise unless it fits', () => {
    trainer.level.value = '1';
    trainer.changed();
    expect(trainer.exercise.value?.id).toBe('a');
    trainer.kind.value = 'best';
    trainer.changed();
    expect(trainer.exercise.value?.id).toBe('c');
    trainer.variant.value = 'seven';
    trainer.changed();
    expect(trainer.exercise.value).toBeNull();
    expect(trainer.game.value).toBeNull();
    expect(trainer.asks).toBe(false);
    trainer.attempt(7);
    trainer.show();
    trainer.hint();
    expect(trainer.progress.value.records).toEqual({});
  });
});

test('what the rules refuse is dropped', async () => {
  const other = new Trainer(
    rules,
    () => 0,
    () => 0,
  );
  await other.load(async () => [
    exercise('bad', {fen: 'nonsense'}),
    exercise('bad2', {variant: 'seven'}),
    exercise('good'),
  ]);
  expect(other.exercise.value?.id).toBe('good');
  expect(other.all.value?.map(({id}) => id)).not.toContain('bad');
});

test('a file that cannot be read is told', async () => {
  const other = new Trainer(rules);
  await other.load(() => Promise.reject(new Error('no')));
  expect(other.failed.value).toBe(true);
});

test('progress is forgotten when asked', () => {
  trainer.attempt(7);
  trainer.reset();
  expect(trainer.progress.value.records).toEqual({});
  expect(trainer.summary()).toEqual({solved: 0, tries: 0, due: 0});
});

test('the exercises that come with the page are legal', async () => {
  for (const {id, variant, fen, solution, moves, line} of await allExercises()) {
    const {legal} = rules.state({variant, fen, moves: []});
    for (const pit of solution) expect(legal, id).toContain(pit);
    expect(line[0], id).toBe(moves[0]);
    expect(() => rules.state({variant, fen, moves: line.map((move) => Number(move[0]))}), id).not.toThrow();
  }
});

test('what was done in another tab stays done', async () => {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  });
  try {
    const here = new Trainer(
      rules,
      () => 1000,
      () => 0,
    );
    const there = new Trainer(
      rules,
      () => 1000,
      () => 0,
    );
    await here.load(async () => [exercise('a')]);
    await there.load(async () => [exercise('b')]);
    there.attempt(7);
    here.attempt(7);
    expect(Object.keys(here.progress.value.records).sort()).toEqual(['a', 'b']);
  } finally {
    vi.unstubAllGlobals();
  }
});
