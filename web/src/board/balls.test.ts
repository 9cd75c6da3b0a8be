import {describe, expect, it} from 'vitest';
import {arrange, arrangeKazan, type Arrangement} from './balls';

const box = {width: 86, height: 250, greatest: 43};

function apart({radius, spots}: Arrangement): boolean {
  return spots.every((a, i) =>
    spots.slice(i + 1).every((b) => Math.hypot(a.x - b.x, a.y - b.y) >= 2 * radius - 1e-6),
  );
}

describe('the balls of a pit', () => {
  const counts = Array.from({length: 163}, (_, i) => i);

  it('are all there, apart and within', () => {
    for (const count of counts) {
      const arrangement = arrange(count, box);
      const {radius, spots} = arrangement;
      expect(spots).toHaveLength(count);
      expect(apart(arrangement), `${count} balls`).toBe(true);
      for (const {x, y} of spots) {
        expect(x).toBeGreaterThanOrEqual(radius - 1e-6);
        expect(x).toBeLessThanOrEqual(box.width - radius + 1e-6);
        expect(y).toBeGreaterThanOrEqual(radius - 1e-6);
        expect(y).toBeLessThanOrEqual(box.height - radius + 1e-6);
      }
    }
  });

  it('lie in pairs, an odd one between', () => {
    for (const count of [1, 2, 9, 10, 13, 18]) {
      const {spots} = arrange(count, box);
      const middle = spots.filter(({x}) => Math.abs(x - box.width / 2) < 1e-6);
      expect(middle).toHaveLength(count % 2);
      expect(spots.filter(({x}) => x < box.width / 2 - 1e-6)).toHaveLength(Math.floor(count / 2));
    }
  });

  it('stay where they are when one more comes, while there is room', () => {
    for (let count = 2; count < 10; count += 2)
      expect(arrange(count + 1, box).spots.slice(0, count)).toEqual(arrange(count, box).spots);
  });

  it('can be seen even where there are many', () => {
    expect(arrange(40, box).radius).toBeGreaterThan(8);
  });
});

describe('the balls of a kazan', () => {
  const trough = {width: 800, height: 60, greatest: 40};

  it('fill it when it wins', () => {
    const {radius, spots} = arrangeKazan(82, 82, trough);
    expect(Math.max(...spots.map(({x}) => x)) + radius).toBeCloseTo(trough.width, 3);
  });

  it('do not move as it fills', () => {
    expect(arrangeKazan(41, 82, trough).spots.slice(0, 40)).toEqual(arrangeKazan(40, 82, trough).spots);
  });

  it('lie closer when there are more', () => {
    const arrangement = arrangeKazan(162, 82, trough);
    expect(apart(arrangement)).toBe(true);
    expect(Math.max(...arrangement.spots.map(({x}) => x))).toBeLessThanOrEqual(trough.width);
  });
});
