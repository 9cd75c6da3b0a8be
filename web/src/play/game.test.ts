import {describe, expect, it} from 'vitest';
import {fakeRules} from './fake_rules';
import {Game, type GameParts} from './game';
import {person, twoPeople, type Player, type Setup} from './setup';

const engine: Player = {kind: 'engine', level: 1};
const setup = (players: [Player, Player] = twoPeople, more: Partial<Setup> = {}): Setup => ({
  variant: 'standard',
  players,
  time: null,
  ...more,
});
const make = (parts: GameParts, now?: () => number) => new Game(fakeRules, parts, now);

describe('moves', () => {
  it('are played in turn and only if legal', () => {
    const game = make({setup: setup()});
    game.play(3);
    game.play(7);
    game.play(12);
    expect(game.moves.value).toEqual([3, 7]);
    expect(game.state.value.turn).toBe(0);
  });

  it('end with the game', () => {
    const game = make({setup: setup(), moves: [1, 9]});
    expect(game.ending.value).toEqual({reason: 'majority', winner: 1, result: '0-1'});
    game.play(1);
    expect(game.moves.value).toHaveLength(2);
    expect(game.landings.value).toEqual([]);
  });

  it('that break the rules are refused at once', () => {
    expect(() => make({setup: setup(), moves: [9, 1]})).toThrow();
  });

  it('tell whose ply it was when the second player began', () => {
    const game = make({setup: setup(twoPeople, {fen: 'N fen'}), moves: [1, 2, 3]});
    expect([0, 1, 2, 3].map((ply) => game.sideAt(ply))).toEqual([1, 0, 1, 0]);
  });
});

describe('taking back', () => {
  it('is one move between two people', () => {
    const game = make({setup: setup(), moves: [1, 2, 3]});
    game.undo();
    expect(game.moves.value).toEqual([1, 2]);
    game.undo();
    game.redo();
    game.redo();
    expect(game.moves.value).toEqual([1, 2, 3]);
    expect(game.canRedo.value).toBe(false);
  });

  it('against the engine leads to where the person moves', () => {
    const game = make({setup: setup([person, engine]), moves: [1, 2, 3, 4]});
    game.undo();
    expect(game.moves.value).toEqual([1, 2]);
    game.play(5); // now the engine is thinking
    game.undo();
    expect(game.moves.value).toEqual([1, 2]);
  });

  it('is impossible where only the engine has moved', () => {
    const game = make({setup: setup([engine, person]), moves: [1]});
    expect(game.canUndo.value).toBe(false);
    game.undo();
    expect(game.moves.value).toEqual([1]);
  });

  it('is undone by redo up to the person’s turn', () => {
    const game = make({setup: setup([engine, person]), moves: [1, 2, 3, 4, 5]});
    game.undo();
    game.undo();
    expect(game.moves.value).toEqual([1]);
    game.redo();
    expect(game.moves.value).toEqual([1, 2, 3]);
    game.redo();
    expect(game.moves.value).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps what follows if the same move is made, else forgets it', () => {
    const game = make({setup: setup(), moves: [1, 2, 3]});
    game.backTo(1);
    game.play(2);
    expect(game.undone.value).toEqual([3]);
    game.undo();
    game.play(4);
    expect(game.undone.value).toEqual([]);
  });

  it('first takes back a resignation', () => {
    const game = make({setup: setup(), moves: [1, 2]});
    game.end({by: 'resignation', loser: 0});
    expect(game.ending.value?.result).toBe('0-1');
    game.undo();
    expect(game.ending.value).toBeNull();
    expect(game.moves.value).toEqual([1, 2]);
  });

  it('drops spoilt moves to be redone', () => {
    expect(make({setup: setup(), moves: [1], undone: [1, 9]}).undone.value).toEqual([]);
  });
});

describe('looking back', () => {
  it('shows an earlier position and leaves the game', () => {
    const game = make({setup: setup(), moves: [1, 2, 3]});
    game.look(1);
    expect(game.viewed.value.moves).toHaveLength(1);
    expect(game.state.value.moves).toHaveLength(3);
    expect(game.landings.value).toEqual([]);
    game.look(-5);
    expect(game.lookedAt.value).toBe(0);
    game.look(3);
    expect(game.lookedAt.value).toBeNull();
  });

  it('ends when a move is made', () => {
    const game = make({setup: setup(), moves: [1, 2]});
    game.look(0);
    game.play(3);
    expect(game.lookedAt.value).toBeNull();
  });
});

describe('clocks', () => {
  const time = {minutes: 1, increment: 2};

  it('run for the mover and get the increment', () => {
    let now = 0;
    const game = make({setup: setup(twoPeople, {time})}, () => now);
    game.clock!.start(0);
    now = 10_000;
    game.play(1);
    expect(game.clock!.both()).toEqual([52_000, 60_000]);
    expect(game.clock!.running.value).toBeNull();
  });

  it('go back with the moves', () => {
    let now = 0;
    const game = make({setup: setup(twoPeople, {time})}, () => now);
    game.clock!.start(0);
    now = 5000;
    game.play(1);
    game.clock!.start(1);
    now = 9000;
    game.undo();
    expect(game.clock!.both()).toEqual([55_000, 60_000]);
  });

  it('are kept with the game', () => {
    const game = make({setup: setup(twoPeople, {time}), left: [1000, 2000]});
    expect(game.parts().left).toEqual([1000, 2000]);
  });
});
