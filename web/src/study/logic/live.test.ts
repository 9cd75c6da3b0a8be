import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {EngineStopped} from '../../engine/api';
import {FakeEngine, found} from '../testing/engine';
import {LiveAnalysis, verdictOf, type Shown} from './live';

function fake() {
  const engine = new FakeEngine();
  return {engine, jobs: engine.jobs, stops: () => engine.stops};
}

const at = (fen: string, more: Partial<Shown> = {}): Shown => ({
  game: {variant: 'standard', fen, moves: []},
  fen,
  turn: 0,
  over: false,
  ...more,
});

const rest = () => vi.advanceTimersByTimeAsync(500);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('nothing is searched until it is on, nor when the game is over', async () => {
  const {engine, jobs} = fake();
  const live = new LiveAnalysis(engine);
  live.show(at('a'));
  await rest();
  expect(jobs).toHaveLength(0);
  live.toggle();
  await rest();
  expect(jobs.map((job) => job.game.fen)).toEqual(['a']);
  live.show(at('b', {over: true}));
  await rest();
  expect(jobs).toHaveLength(1);
  expect(live.searching.value).toBe(false);
});

test('leafing through a game searches only where one stops', async () => {
  const {engine, jobs} = fake();
  const live = new LiveAnalysis(engine);
  live.toggle(true);
  for (const fen of ['a', 'b', 'c', 'd']) live.show(at(fen));
  await rest();
  expect(jobs.map((job) => job.game.fen)).toEqual(['d']);
});

test('answers of a search that is over are not shown', async () => {
  const {engine, jobs, stops} = fake();
  const live = new LiveAnalysis(engine);
  live.toggle(true);
  live.show(at('a'));
  await rest();
  jobs[0]!.info(found(10));
  expect(live.evaluation.value?.nodes).toBe(10);
  live.show(at('b'));
  expect(stops()).toBe(1);
  jobs[0]!.info(found(20));
  jobs[0]!.end(found(30) as never);
  await rest();
  expect(live.evaluation.value).toBeNull();
  expect(live.searching.value).toBe(true);
  jobs[1]!.info(found(5));
  expect(live.evaluation.value).toMatchObject({fen: 'b', nodes: 5});
});

test('what is known is shown at once and kept until there is more', async () => {
  const {engine, jobs} = fake();
  const live = new LiveAnalysis(engine);
  live.toggle(true);
  live.show(at('a'));
  await rest();
  jobs[0]!.info(found(1000));
  live.show(at('b'));
  live.show(at('a'));
  expect(live.evaluation.value?.nodes).toBe(1000);
  await rest();
  jobs[1]!.info(found(10));
  expect(live.evaluation.value?.nodes).toBe(1000);
  await rest();
  jobs[1]!.info(found(1001));
  expect(live.evaluation.value?.nodes).toBe(1001);
});

test('it rests when it has seen enough, and goes deeper when told', async () => {
  const {engine, jobs} = fake();
  const live = new LiveAnalysis(engine);
  live.toggle(true);
  live.show(at('a'));
  await rest();
  jobs[0]!.end(found(jobs[0]!.limits.nodes!) as never);
  await rest();
  expect(live.rested.value).toBe(true);
  live.show(at('b', {over: true}));
  live.show(at('a'));
  await rest();
  expect(jobs).toHaveLength(1);
  live.deeper();
  await rest();
  expect(jobs[1]!.limits.nodes).toBe(4 * jobs[0]!.limits.nodes!);
});

test('another job may have the engine meanwhile', async () => {
  const {engine, jobs, stops} = fake();
  const live = new LiveAnalysis(engine);
  live.toggle(true);
  live.show(at('a'));
  await rest();
  const release = live.hold();
  expect(stops()).toBe(1);
  jobs[0]!.fail(new EngineStopped());
  live.show(at('b'));
  await rest();
  expect(jobs).toHaveLength(1);
  release();
  release();
  await rest();
  expect(jobs.map((job) => job.game.fen)).toEqual(['a', 'b']);
  expect(live.failed.value).toBe(false);
});

test('a failure is told, being stopped is none', async () => {
  const {engine, jobs} = fake();
  const live = new LiveAnalysis(engine);
  live.toggle(true);
  live.show(at('a'));
  await rest();
  jobs[0]!.fail(new EngineStopped());
  await rest();
  expect([live.failed.value, live.searching.value]).toEqual([false, false]);
  live.deeper();
  await rest();
  jobs[1]!.fail(new Error('broken'));
  await rest();
  expect([live.failed.value, live.searching.value]).toEqual([true, false]);
});

test('going away stops the search', async () => {
  const {engine, jobs, stops} = fake();
  const live = new LiveAnalysis(engine);
  live.toggle(true);
  live.show(at('a'));
  await rest();
  live.dispose();
  jobs[0]!.end(found(7) as never);
  await rest();
  expect(stops()).toBe(1);
  expect(jobs).toHaveLength(1);
});

test('figures change at a pace that can be read, the last one always', async () => {
  const {engine, jobs} = fake();
  const live = new LiveAnalysis(engine);
  live.toggle(true);
  live.show(at('a'));
  await rest();
  const {info, end} = jobs[0]!;
  const seen: number[] = [];
  for (let nodes = 1000; nodes <= 20_000; nodes += 1000) {
    info(found(nodes));
    seen.push(live.evaluation.value!.nodes);
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(new Set(seen).size).toBe(7);
  // 1000 nodes in 50 ms, whatever a slice claims.
  expect(live.evaluation.value!.nps).toBeCloseTo(20_000, -3);
  end(found(20_001) as never);
  await rest();
  expect(live.evaluation.value!.nodes).toBe(20_001);
});

test('the verdict is the first player’s', () => {
  const evaluation = {...found(1, {7: 70}), fen: 'a', turn: 1 as const};
  expect(verdictOf({...evaluation, turn: 0})).toEqual({winRate: 70, margin: 4});
  expect(verdictOf(evaluation)).toEqual({winRate: 30, margin: -4});
  expect(verdictOf({...evaluation, lines: []})).toBeNull();
});
