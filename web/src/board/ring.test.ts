import {describe, expect, it} from 'vitest';
import {neighbour, pitAt, rowOf, squareOf, type Pit} from './ring';

it('squares go round the ring, the first player’s pits first', () => {
  expect(squareOf(9, {side: 0, pit: 1})).toBe(0);
  expect(squareOf(9, {side: 1, pit: 1})).toBe(9);
  for (let square = 0; square < 10; ++square) expect(squareOf(5, pitAt(5, square))).toBe(square);
});

it('a row across the board runs the other way', () => {
  expect(rowOf(5, 0, 0)).toEqual([1, 2, 3, 4, 5]);
  expect(rowOf(5, 1, 0)).toEqual([5, 4, 3, 2, 1]);
  expect(rowOf(5, 1, 1)).toEqual([1, 2, 3, 4, 5]);
});

describe('arrows', () => {
  const go = (from: Pit, keys: string[], bottom: 0 | 1 = 0) =>
    keys.reduce((at, key) => neighbour(9, at, `Arrow${key}`, bottom), from);

  it('move as one sees the board', () => {
    expect(go({side: 0, pit: 3}, ['Right'])).toEqual({side: 0, pit: 4});
    expect(go({side: 1, pit: 3}, ['Right'])).toEqual({side: 1, pit: 2});
    expect(go({side: 0, pit: 3}, ['Up'])).toEqual({side: 1, pit: 7});
    expect(go({side: 0, pit: 3}, ['Up', 'Down'])).toEqual({side: 0, pit: 3});
    expect(go({side: 1, pit: 3}, ['Right'], 1)).toEqual({side: 1, pit: 4});
  });

  it('stop at the edges', () => {
    expect(go({side: 0, pit: 9}, ['Right'])).toEqual({side: 0, pit: 9});
    expect(go({side: 0, pit: 5}, ['Down'])).toEqual({side: 0, pit: 5});
    expect(go({side: 1, pit: 9}, ['Left', 'Up'])).toEqual({side: 1, pit: 9});
  });

  it('reach every pit', () => {
    const seen = new Set<string>();
    for (const row of [[], ['Up']])
      for (let steps = 0; steps < 9; ++steps)
        seen.add(JSON.stringify(go({side: 0, pit: 1}, [...row, ...Array<string>(steps).fill('Right')])));
    expect(seen.size).toBe(18);
  });
});
