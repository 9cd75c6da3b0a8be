import {describe, expect, test} from 'vitest';
import type {GameReview, Mark, ReviewedMove} from '../../engine/api';
import {judge, lessons, moverOf, next, previous, turningPoints} from './findings';
import {areaPath, keyTo, linePath, plyAt, pointsOf} from './graph';

function move(mark: Mark, more: Partial<ReviewedMove> = {}): ReviewedMove {
  return {
    pit: 1,
    move: '12',
    best: 7,
    bestMove: '76',
    bestLine: ['76'],
    winRateBest: 60,
    winRate: 50,
    marginBest: 4,
    margin: 0,
    lostWinRate: 10,
    lostBalls: 4,
    accuracy: 60,
    mark,
    turning: false,
    ...more,
  };
}

function review(marks: Mark[], more: Record<number, Partial<ReviewedMove>> = {}): GameReview {
  const side = {moves: 0, accuracy: 0, lostBalls: 0, marks: {good: 0, inaccuracy: 0, mistake: 0, blunder: 0}};
  return {
    moves: marks.map((mark, i) => move(mark, more[i])),
    firstWinRate: [...marks.map(() => 50), 50],
    firstMargin: [...marks.map(() => 0), 0],
    sides: [side, side],
  };
}

describe('lessons', () => {
  test('are the grave faults of a side', () => {
    const game = review(['?', '', '?!', '??', '!', '?']);
    expect(lessons(game, 0, 0)).toEqual([0]);
    expect(lessons(game, 0, 1)).toEqual([3, 5]);
    expect(lessons(game, 1, 1)).toEqual([0]);
    expect(lessons(game, 0, null)).toEqual([0, 3, 5]);
  });

  test('are inaccuracies where nothing graver is', () => {
    expect(lessons(review(['?!', '??', '?!', '']), 0, 0)).toEqual([0, 2]);
    expect(lessons(review(['', '!']), 0, null)).toEqual([]);
  });

  test('need a better move', () => {
    expect(lessons(review(['?', '?'], {1: {pit: 7}}), 0, null)).toEqual([0]);
  });

  test('turning points and movers', () => {
    expect(turningPoints(review(['', '?', '??'], {2: {turning: true}}))).toEqual([2]);
    expect([0, 1, 2].map((i) => moverOf(i, 1))).toEqual([1, 0, 1]);
  });
});

test('stepping through places ends at the ends', () => {
  const places = [2, 5, 9];
  expect(next(places, -1)).toBe(2);
  expect(next(places, 5)).toBe(9);
  expect(next(places, 9)).toBeNull();
  expect(previous(places, 5)).toBe(2);
  expect(previous(places, 2)).toBeNull();
  expect(previous([], 2)).toBeNull();
});

test('a try is judged against the best move of the same search', () => {
  const rates: Record<number, number> = {7: 62, 3: 59.5, 4: 50};
  const rate = (pit: number) => rates[pit] ?? null;
  const lesson = move('??');
  expect(judge(7, lesson, () => null)).toBe('best');
  expect(judge(1, lesson, rate)).toBe('again');
  expect(judge(3, lesson, rate)).toBe('good');
  expect(judge(4, lesson, rate)).toBe('bad');
  expect(judge(9, lesson, rate)).toBe('bad');
  // The best was not looked at: the review's figure holds.
  expect(judge(3, lesson, (pit) => (pit === 3 ? 58 : null))).toBe('good');
});

describe('the graph', () => {
  const box = {width: 200, height: 100};

  test('spans the box', () => {
    expect(pointsOf([50, 100, 0], box)).toEqual([
      {x: 0, y: 50},
      {x: 100, y: 0},
      {x: 200, y: 100},
    ]);
    expect(pointsOf([NaN, 250], box).map(({y}) => y)).toEqual([50, 0]);
    expect(pointsOf([50], box)).toEqual([{x: 0, y: 50}]);
    expect(linePath(pointsOf([50, 100], box))).toBe('M0.0,50.0L200.0,0.0');
    expect(areaPath(pointsOf([50, 100], box), box)).toBe('M0.0,50.0L200.0,0.0L200.0,100.0L0.0,100.0Z');
    expect(areaPath([], box)).toBe('');
  });

  test('gives the ply under a finger', () => {
    expect(plyAt(99, 11, box)).toBe(5);
    expect(plyAt(-40, 11, box)).toBe(0);
    expect(plyAt(900, 11, box)).toBe(10);
    expect(plyAt(50, 1, box)).toBe(0);
    expect(plyAt(50, 10, {width: 0, height: 0})).toBe(0);
  });

  test('follows keys', () => {
    expect(keyTo('ArrowRight', 3, 10)).toBe(4);
    expect(keyTo('ArrowLeft', 0, 10)).toBe(0);
    expect(keyTo('PageUp', 5, 10)).toBe(10);
    expect(keyTo('Home', 5, 10)).toBe(0);
    expect(keyTo('End', 5, 10)).toBe(10);
    expect(keyTo('x', 5, 10)).toBeNull();
    expect(keyTo('constructor', 5, 10)).toBeNull();
  });
});
