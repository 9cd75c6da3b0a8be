import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {
  EngineStopped,
  type EngineApi,
  type GameSpec,
  type SearchLimits,
  type SearchResult,
} from '../engine/api';
import {speed} from '../board/settings';
import {fakeRules} from './fake_rules';
import type {SavedGame} from './saved';
import {PlaySession} from './session';
import {person, twoPeople, type Player, type Setup} from './setup';

const engine: Player = {kind: 'engine', level: 4};
const setup = (players: [Player, Player], time: Setup['time'] = null): Setup => ({
  variant: 'standard',
  players,
  time,
});

interface Asked {
  game: GameSpec;
  limits: SearchLimits;
  answer(best: number | null): void;
  fail(error: Error): void;
}

function fakeEngine() {
  const asked: Asked[] = [];
  const api = {
    stops: 0,
    model: () => null,
    think: (game: GameSpec, limits: SearchLimits) =>
      new Promise<SearchResult>((resolve, reject) => {
        const answer = (best: number | null) =>
          resolve({
            best,
            facts: best ? ({pit: best} as SearchResult['facts']) : null,
            nodes: 1,
            nps: 1,
            timeMs: 1,
            lines: [],
          });
        asked.push({game, limits, answer, fail: reject});
      }),
    stop: () => void ++api.stops,
    review: () => Promise.reject(new Error()),
    signature: () => Promise.resolve(''),
  } satisfies EngineApi & {stops: number};
  return {api, asked};
}

function start(first: Setup, found: SavedGame | null = null) {
  const {api, asked} = fakeEngine();
  const kept: SavedGame[] = [];
  const session = new PlaySession(
    fakeRules,
    api,
    {load: () => found, save: (game) => void kept.push(game)},
    first,
  );
  session.enter();
  return {session, asked, api, kept, moves: () => session.game.value.moves.value};
}

const rest = (ms = 1000) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  speed.value = 'instant';
});
afterEach(() => vi.useRealTimers());

describe('against the engine', () => {
  it('the engine answers a move', async () => {
    const {session, asked, moves} = start(setup([person, engine]));
    expect(asked).toHaveLength(0);
    session.play(3);
    await rest();
    expect(session.thinking.value).toBe(true);
    expect(asked[0]).toMatchObject({game: {variant: 'standard', moves: [3]}, limits: {level: 4}});
    asked[0]!.answer(5);
    await rest();
    expect(moves()).toEqual([3, 5]);
    expect(session.canPlay.value).toBe(true);
  });

  it('the engine begins if it is first', async () => {
    const {asked, moves} = start(setup([engine, person]));
    await rest();
    asked[0]!.answer(7);
    await rest();
    expect(moves()).toEqual([7]);
  });

  it('a move is refused while it is not the person’s turn', async () => {
    const {session, moves} = start(setup([person, engine]));
    session.play(3);
    session.play(4);
    await rest();
    session.play(5);
    expect(moves()).toEqual([3]);
  });

  it('an answer that comes after taking back is dropped', async () => {
    const {session, asked, api, moves} = start(setup([person, engine]));
    session.play(3);
    await rest();
    session.undo();
    expect(api.stops).toBe(1);
    asked[0]!.answer(5);
    await rest();
    expect(moves()).toEqual([]);
    expect(session.thinking.value).toBe(false);
  });

  it('an answer for the game before is dropped', async () => {
    const {session, asked, moves} = start(setup([person, engine]));
    session.play(3);
    await rest();
    session.open({setup: setup(twoPeople)});
    asked[0]!.answer(5);
    await rest();
    expect(moves()).toEqual([]);
  });

  it('pauses if the engine is taken away, and goes on', async () => {
    const {session, asked, moves} = start(setup([person, engine]));
    session.play(3);
    await rest();
    asked[0]!.fail(new EngineStopped());
    await rest();
    expect(session.paused.value).toBe(true);
    session.resume();
    await rest();
    asked[1]!.answer(2);
    await rest();
    expect(moves()).toEqual([3, 2]);
  });

  it('waits while another part of the page is shown', async () => {
    const {session, asked, moves} = start(setup([person, engine]));
    session.play(3);
    session.leave();
    await rest();
    expect(asked).toHaveLength(0);
    session.enter();
    await rest();
    asked[0]!.answer(1);
    await rest();
    expect(moves()).toEqual([3, 1]);
  });

  it('leaves the engine to another part that opens a game', async () => {
    const {session, asked} = start(setup(twoPeople));
    session.leave();
    session.open({setup: setup([engine, person])});
    await rest();
    expect(asked).toHaveLength(0);
    session.enter();
    await rest();
    expect(asked).toHaveLength(1);
  });

  it('a resignation is the person’s', async () => {
    const {session, asked} = start(setup([engine, person]));
    await rest();
    session.resign();
    expect(session.game.value.ending.value).toMatchObject({winner: 0, reason: 'resignation'});
    asked[0]!.answer(1);
    await rest();
    expect(session.game.value.moves.value).toEqual([]);
  });
});

describe('watching', () => {
  it('goes on by itself to the end', async () => {
    const {session, asked, moves} = start(setup([engine, engine]));
    await rest();
    asked[0]!.answer(1);
    await rest();
    asked[1]!.answer(9);
    await rest();
    expect(moves()).toEqual([1, 9]);
    expect(asked).toHaveLength(2);
    expect(session.game.value.ending.value?.result).toBe('0-1');
  });

  it('pauses, and resumes where it was', async () => {
    const {session, asked, moves} = start(setup([engine, engine]));
    await rest();
    session.pause();
    asked[0]!.answer(1);
    await rest();
    expect(moves()).toEqual([]);
    session.resume();
    await rest();
    asked[1]!.answer(2);
    await rest();
    expect(moves()).toEqual([2]);
  });
});

describe('clocks', () => {
  const time = {minutes: 1, increment: 0};

  it('start with the first move and lose the game when they fall', async () => {
    const {session} = start(setup(twoPeople, time));
    await rest(120_000);
    expect(session.game.value.ending.value).toBeNull();
    session.play(1);
    await rest(61_000);
    expect(session.game.value.ending.value).toMatchObject({winner: 0, reason: 'time'});
  });

  it('are told to the engine', async () => {
    const {session, asked} = start(setup([person, engine], {minutes: 1, increment: 2}));
    session.play(1);
    await rest();
    expect(asked[0]!.limits).toMatchObject({remainingMs: 60_000, incrementMs: 2000});
  });

  it('let the engine hurry that is short of time', async () => {
    speed.value = 'slow';
    const setUp = setup([engine, engine], {minutes: 1, increment: 0});
    const {kept} = start(setUp);
    const {session, asked, moves} = start(setUp, {...kept.at(-1)!, moves: [1, 2], left: [1000, 1000]});
    session.resume();
    asked[0]!.answer(3);
    await rest(60);
    expect(moves()).toEqual([1, 2, 3]);
  });

  it('are as before his move for who takes back when his time is up', async () => {
    const {session, moves} = start(setup(twoPeople, time));
    session.play(1);
    await rest(61_000);
    expect(session.game.value.ending.value).toMatchObject({reason: 'time'});
    session.undo();
    expect(moves()).toEqual([]);
    expect(session.game.value.clock!.both()).toEqual([60_000, 60_000]);
    await rest(1000);
    expect(session.game.value.ending.value).toBeNull();
  });

  it('that were kept at nothing let nothing be taken back', () => {
    const {kept} = start(setup(twoPeople, time));
    const stop = {by: 'time', loser: 0} as const;
    const {session} = start(setup(twoPeople), {...kept.at(-1)!, moves: [1, 2], left: [0, 9], stop});
    expect(session.game.value.canUndo.value).toBe(false);
  });

  it('stand while play is not shown', async () => {
    const {session} = start(setup(twoPeople, time));
    session.play(1);
    await rest(10_000);
    session.leave();
    await rest(120_000);
    session.enter();
    await rest(10_000);
    expect(session.game.value.ending.value).toBeNull();
    expect(Math.round(session.game.value.clock!.of(1) / 1000)).toBe(40);
  });
});

describe('a hint', () => {
  it('is given and goes with the move', async () => {
    const {session, asked} = start(setup(twoPeople));
    const asking = session.askHint();
    expect(session.hint.value).toEqual({facts: null});
    asked[0]!.answer(6);
    await asking;
    expect(session.hint.value?.facts?.pit).toBe(6);
    session.play(6);
    expect(session.hint.value).toBeNull();
  });

  it('that comes too late is dropped', async () => {
    const {session, asked} = start(setup(twoPeople));
    const asking = session.askHint();
    session.play(2);
    asked[0]!.answer(6);
    await asking;
    expect(session.hint.value).toBeNull();
  });
});

describe('keeping', () => {
  it('follows each move', async () => {
    const {session, kept} = start(setup(twoPeople));
    session.play(4);
    session.flip();
    expect(kept.at(-1)).toMatchObject({moves: [4], flipped: true});
  });

  it('brings the game back, or begins anew if it is spoilt', () => {
    const {session, kept} = start(setup(twoPeople));
    session.play(4);
    const again = start(setup([person, engine]), kept.at(-1));
    expect(again.moves()).toEqual([4]);
    const spoilt = start(setup([person, engine]), {...kept.at(-1)!, moves: [9, 9]});
    expect(spoilt.moves()).toEqual([]);
  });

  it('leaves a game by the clock paused until somebody goes on', async () => {
    const {session, kept} = start(setup(twoPeople, {minutes: 1, increment: 0}));
    session.play(4);
    session.save();
    const again = start(setup(twoPeople), kept.at(-1));
    await rest(90_000);
    expect(again.session.paused.value).toBe(true);
    expect(again.session.game.value.ending.value).toBeNull();
  });
});

describe('the board', () => {
  it('has the own row below', () => {
    const {session} = start(setup([engine, person]));
    expect(session.bottom.value).toBe(1);
    session.flip();
    expect(session.bottom.value).toBe(0);
    session.open({setup: setup(twoPeople)});
    expect(session.bottom.value).toBe(0);
  });
});
