import {expect, it} from 'vitest';
import {Clock, clockText} from './clock';

it('never shows less than nothing', () => {
  let now = 0;
  const clock = new Clock({minutes: 1, increment: 0}, null, () => now);
  clock.start(1);
  now = 90_000;
  expect(clock.of(1)).toBe(0);
  expect(clock.of(0)).toBe(60_000);
});

it('starts once: a second start of the same side changes nothing', () => {
  let now = 0;
  const clock = new Clock({minutes: 1, increment: 0}, null, () => now);
  clock.start(0);
  now = 1000;
  clock.start(0);
  now = 2000;
  clock.stop();
  expect(clock.both()).toEqual([58_000, 60_000]);
});

it('lives by the increment alone', () => {
  expect(new Clock({minutes: 0, increment: 5}, null, () => 0).both()).toEqual([5000, 5000]);
});

it('is written as people read it', () => {
  expect([9_349, 10_000, 61_000, 599_001, 3_849_000].map(clockText)).toEqual([
    '9.3',
    '0:10',
    '1:01',
    '10:00',
    '1:04:09',
  ]);
});
