import {afterEach, beforeAll, beforeEach, describe, expect, test, vi} from 'vitest';
import type {GameReview, Mark, RulesApi} from '../engine/api';
import {recordOf} from './export';
import {mainLine} from './logic/tree';
import {Lesson} from './review/lesson';
import {StudySession, numbering} from './session';
import {FakeEngine, found} from './testing/engine';
import {realRules} from './testing/rules';

let rules: RulesApi;
let engine: FakeEngine;
let session: StudySession;

beforeAll(async () => void (rules = await realRules()));
beforeEach(() => {
  engine = new FakeEngine();
  session = new StudySession(rules, engine);
});

const opening = {game: {variant: 'standard' as const, moves: [7, 9, 6]}, tags: {Event: 'Test'}};
const moves = () => mainLine(session.tree.value).map((node) => node.move);
const pits = () => session.spec().moves;

describe('a game', () => {
  test('is opened at its start, with its moves in notation', () => {
    session.open(opening);
    expect(moves()).toEqual(['76(10)', '98', '66']);
    expect(pits()).toEqual([]);
    expect(session.state.value.fen).toMatch(/ S 1$/);
    expect(session.tags.value).toEqual({Event: 'Test'});
  });

  test('that the rules refuse changes nothing', () => {
    session.open(opening);
    expect(() =>
      session.open({game: {variant: 'standard', moves: [7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 17]}}),
    ).toThrow();
    expect(() => session.open({game: {variant: 'standard', fen: 'nonsense', moves: []}})).toThrow();
    expect(moves()).toHaveLength(3);
    expect(session.tags.value.Event).toBe('Test');
  });

  test('is gone through', () => {
    session.open(opening);
    session.forward();
    session.forward();
    expect(pits()).toEqual([7, 9]);
    expect(session.stepped.value).toBe(true);
    session.back();
    expect(pits()).toEqual([7]);
    session.toEnd();
    session.forward();
    expect(pits()).toEqual([7, 9, 6]);
    session.toStart();
    session.back();
    expect(pits()).toEqual([]);
    session.goToPly(2);
    expect(pits()).toEqual([7, 9]);
    session.goToPly(99);
    expect(pits()).toEqual([7, 9]);
  });

  test('gets variations, which may be promoted or removed', () => {
    session.open(opening);
    session.goToPly(1);
    session.play(8);
    expect(session.stepped.value).toBe(false);
    expect(pits()).toEqual([7, 8]);
    expect(moves()).toHaveLength(3);
    session.playLine([1, 2]);
    const end = session.node.value;
    session.promote(end);
    expect(session.mainSpec().moves).toEqual([7, 8, 1, 2]);
    session.remove(end.parent!.parent!);
    expect(pits()).toEqual([7]);
    expect(session.mainSpec().moves).toEqual([7, 9, 6]);
  });

  test('removing elsewhere leaves one where one is', () => {
    session.open(opening);
    session.toEnd();
    const end = session.node.value;
    session.goToPly(1);
    session.remove(end);
    expect(pits()).toEqual([7]);
  });

  test('takes no move that is not legal', () => {
    session.playLine([7, 9, 12, 1]);
    expect(pits()).toEqual([7, 9]);
  });

  test('knows who begins with which number', () => {
    expect(numbering(session)).toEqual({fullmove: 1, second: false});
    const fen = session.rules.state({variant: 'standard', moves: [7, 9, 6]}).fen;
    session.open({game: {variant: 'standard', fen, moves: []}});
    expect(numbering(session)).toEqual({fullmove: 2, second: true});
  });
});

test('a game’s result is its own only', () => {
  session.open({...opening, tags: {Result: '1-0'}});
  expect(recordOf(rules, session)).toContain('[Result "1-0"]');
  session.toEnd();
  session.play(1);
  expect(recordOf(rules, session)).toContain('[Result "*"]');
});

test('a record carries what the review says', async () => {
  await reviewed();
  expect(recordOf(rules, session)).toMatch(/98 \{\?\? Blunder\. Better was 55/);
});

describe('what the device has kept', () => {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  const again = () => new StudySession(rules, new FakeEngine()).mainSpec();

  test('is there again', () => {
    session = new StudySession(rules, engine);
    session.open(opening);
    session.toEnd();
    session.play(1);
    expect(again().moves).toEqual([7, 9, 6, 1]);
  });

  test('may be anything', () => {
    const bad = [
      '{',
      '7',
      'null',
      '{"game":null}',
      '{"game":{"variant":"chess","moves":[]},"tags":{}}',
      '{"game":{"variant":"standard","moves":[1,"x",{}]},"tags":{}}',
      '{"game":{"variant":"standard","moves":[19]},"tags":{}}',
      '{"game":{"variant":"standard","fen":7,"moves":[]},"tags":{}}',
      '{"game":{"variant":"standard","moves":[7]},"tags":{"a":{}}}',
      `{"game":{"variant":"standard","moves":[${Array(3000).fill(1)}]},"tags":{}}`,
    ];
    for (const text of bad) {
      kept.set('toguz.study.game', text);
      expect(again(), text).toEqual({variant: 'standard', moves: []});
    }
  });
});

function reviewOf(marks: Mark[]): GameReview {
  const side = {moves: 0, accuracy: 0, lostBalls: 0, marks: {good: 0, inaccuracy: 0, mistake: 0, blunder: 0}};
  return {
    moves: marks.map((mark, i) => ({
      pit: opening.game.moves[i]!,
      move: '11',
      best: 5,
      bestMove: '55',
      bestLine: ['55'],
      winRateBest: 60,
      winRate: 40,
      marginBest: 0,
      margin: 0,
      lostWinRate: 20,
      lostBalls: 5,
      accuracy: 50,
      mark,
      turning: false,
    })),
    firstWinRate: [...marks.map(() => 50), 50],
    firstMargin: [...marks.map(() => 0), 0],
    sides: [side, side],
  };
}

async function reviewed(marks: Mark[] = ['', '??', '?']): Promise<void> {
  session.open(opening);
  const done = session.review.start(session.tree.value, 0, 'quick');
  engine.last.end(reviewOf(marks) as never);
  await done;
}

describe('a review', () => {
  test('goes forward, and belongs to its moves', async () => {
    session.open(opening);
    const done = session.review.start(session.tree.value, 0, 'quick');
    expect(engine.last).toMatchObject({kind: 'review', game: {moves: [7, 9, 6]}, limits: {nodes: 200}});
    engine.last.progress(2, 4);
    expect(session.review.progress.value).toEqual({done: 2, total: 4});
    engine.last.end(reviewOf(['', '??', '?']) as never);
    await done;
    expect(session.review.running.value).toBe(false);
    session.goToPly(2);
    expect(session.review.byNode.value.get(session.node.value.id)?.mark).toBe('??');
    // A variation is not reviewed; the moves that are keep theirs.
    session.goToPly(1);
    session.play(8);
    expect(session.review.byNode.value.get(session.node.value.id)).toBeUndefined();
    expect(session.review.byNode.value.size).toBe(3);
  });

  test('is cancelled, and what comes later does not count', async () => {
    session.open(opening);
    const done = session.review.start(session.tree.value, 0, 'quick');
    session.review.cancel();
    expect(engine.stops).toBeGreaterThan(0);
    engine.last.progress(3, 4);
    engine.last.end(reviewOf(['', '', '']) as never);
    await done;
    expect(session.review.result.value).toBeNull();
    expect(session.review.progress.value.done).toBe(0);
  });

  test('that fails is told; one of another length is none', async () => {
    session.open(opening);
    let done = session.review.start(session.tree.value, 0, 'quick');
    engine.last.fail(new Error('broken'));
    await done;
    expect(session.review.failed.value).toBe(true);
    done = session.review.start(session.tree.value, 0, 'quick');
    engine.last.end(reviewOf(['']) as never);
    await done;
    expect(session.review.result.value).toBeNull();
    expect(session.review.running.value).toBe(false);
  });

  test('is forgotten with the game, and when its moves are removed', async () => {
    await reviewed();
    session.goToPly(3);
    session.remove(session.node.value);
    expect(session.review.result.value).toBeNull();
    await reviewed();
    session.open(opening);
    expect(session.review.result.value).toBeNull();
  });

  test('of no moves is not begun', async () => {
    await session.review.start(session.tree.value, 0, 'quick');
    expect(engine.jobs).toHaveLength(0);
  });
});

describe('a lesson', () => {
  const start = async (side: 0 | 1 | null = null) => {
    await reviewed();
    const lesson = new Lesson(session);
    expect(lesson.start(session.review.result.value!, side)).toBe(true);
    return lesson;
  };

  test('begins before the mistake', async () => {
    const lesson = await start();
    expect(pits()).toEqual([7]);
    expect([lesson.mover, lesson.asks, lesson.state.value?.places]).toEqual([1, true, [1, 2]]);
    lesson.next();
    expect(pits()).toEqual([7, 9]);
    lesson.next();
    expect(lesson.state.value).toBeNull();
  });

  test('takes the best move at once', async () => {
    const lesson = await start();
    await lesson.attempt(5);
    expect(lesson.state.value?.phase).toBe('best');
    expect(pits()).toEqual([7, 5]);
    expect(lesson.asks).toBe(false);
    await lesson.attempt(1);
    expect(pits()).toEqual([7, 5]);
  });

  test('knows the move of the game', async () => {
    const lesson = await start();
    await lesson.attempt(9);
    expect(lesson.state.value).toMatchObject({phase: 'again', tried: {pit: 9}});
    expect(pits()).toEqual([7]);
  });

  test('asks the engine about another move', async () => {
    const lesson = await start();
    let tried = lesson.attempt(3);
    expect(lesson.state.value?.phase).toBe('thinking');
    expect(lesson.asks).toBe(false);
    engine.last.end(found(1200, {5: 60, 3: 50}) as never);
    await tried;
    expect(lesson.state.value?.phase).toBe('bad');
    tried = lesson.attempt(4);
    engine.last.end(found(1200, {5: 60, 4: 58}) as never);
    await tried;
    expect(lesson.state.value?.phase).toBe('good');
    expect(pits()).toEqual([7, 4]);
  });

  test('may be left while the engine thinks', async () => {
    const lesson = await start();
    const tried = lesson.attempt(3);
    lesson.end();
    engine.last.end(found(1200, {5: 60, 3: 60}) as never);
    await tried;
    expect(lesson.state.value).toBeNull();
    expect(pits()).toEqual([7]);
  });

  test('survives an engine that breaks', async () => {
    const lesson = await start();
    const tried = lesson.attempt(3);
    engine.last.fail(new Error('broken'));
    await tried;
    expect(lesson.state.value?.phase).toBe('bad');
  });

  test('shows the answer', async () => {
    const lesson = await start(0);
    lesson.show();
    expect(pits()).toEqual([7, 9, 5]);
    expect(lesson.state.value?.phase).toBe('shown');
  });

  test('has nothing to say where no mistake is', async () => {
    await reviewed(['', '!', '']);
    const lesson = new Lesson(session);
    expect(lesson.start(session.review.result.value!, null)).toBe(false);
    expect(lesson.state.value).toBeNull();
  });
});
