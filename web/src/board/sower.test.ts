import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {SowingFrame} from '../engine/api';
import {Sower, stepMs, type Shown} from './sower';

const frame = (square: number, inHand: number, capture = false): SowingFrame => ({
  pits: [[], []],
  kazan: [0, 0],
  tuzdik: [0, 0],
  square,
  inHand,
  capture,
});
const frames = [frame(8, 3), frame(8, 2), frame(9, 1), frame(10, 0), frame(10, 0, true)];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a sowing', () => {
  it('shows every frame in order and then rests', async () => {
    const seen: Shown[] = [];
    const sower = new Sower((shown) => seen.push(shown));
    let ended = false;
    void sower.run(frames, 0, 'normal').then(() => (ended = true));
    expect(sower.shown.value?.step).toBe(0);
    await vi.runAllTimersAsync();
    expect(seen.map(({frame}) => frame)).toEqual(frames);
    expect(seen[1]!.before).toBe(frames[0]);
    expect(seen.every(({from}) => from === 8)).toBe(true);
    expect(sower.shown.value).toBeNull();
    expect(ended).toBe(true);
  });

  it('can be skipped', async () => {
    const seen: Shown[] = [];
    const sower = new Sower((shown) => seen.push(shown));
    const run = sower.run(frames, 0, 'slow');
    sower.skip();
    await run;
    await vi.runAllTimersAsync();
    expect(seen).toHaveLength(1);
    expect(sower.shown.value).toBeNull();
  });

  it('ends the one before it', async () => {
    const sower = new Sower();
    const first = sower.run(frames, 0, 'slow');
    void sower.run(frames.slice(0, 2), 1, 'slow');
    await first;
    expect(sower.shown.value?.by).toBe(1);
  });

  it('takes no time at all if it is wanted at once', async () => {
    const sower = new Sower();
    await sower.run(frames, 0, 'instant');
    expect(sower.shown.value).toBeNull();
  });

  it('is slower the slower it is wanted, and rests at captures', () => {
    const whole = (speed: 'slow' | 'normal' | 'fast') =>
      frames.reduce((sum, _, i) => sum + stepMs(frames, i, speed), 0);
    expect(whole('slow')).toBeGreaterThan(whole('normal'));
    expect(whole('normal')).toBeGreaterThan(whole('fast'));
    expect(stepMs(frames, 4, 'normal')).toBeGreaterThan(stepMs(frames, 2, 'normal'));
  });
});
