import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {person, twoPeople} from './setup';
import type {SavedGame} from './saved';

class Shelf {
  readonly items = new Map<string, string>();
  full = false;
  getItem = (key: string) => this.items.get(key) ?? null;
  removeItem = (key: string) => void this.items.delete(key);
  setItem(key: string, value: string) {
    if (this.full) throw new DOMException('no room', 'QuotaExceededError');
    this.items.set(key, value);
  }
}

const game: SavedGame = {
  setup: {variant: 'seven', players: [person, {kind: 'engine', level: 4}], time: {minutes: 5, increment: 3}},
  moves: [1, 2, 3],
  undone: [4],
  stop: {by: 'time', loser: 1},
  left: [1000, 0],
  flipped: true,
};

let shelf: Shelf;
beforeEach(() => {
  shelf = new Shelf();
  vi.stubGlobal('localStorage', shelf);
  vi.resetModules();
});
afterEach(() => vi.unstubAllGlobals());
const load = () => import('./saved');

describe('the game under way', () => {
  it('comes back as it was', async () => {
    const {currentGame, storeCurrent} = await load();
    expect(storeCurrent(game)).toBe(true);
    expect(currentGame()).toEqual(game);
  });

  const spoilt: [string, unknown][] = [
    ['text', 'x'],
    ['null', null],
    ['a list', []],
    ['no moves', {...game, moves: undefined}],
    ['moves that are none', {...game, moves: [1, '2']}],
    ['a pit that is none', {...game, moves: [10]}],
    ['too many moves', {...game, moves: Array(5000).fill(1)}],
    ['an unknown game', {...game, setup: {...game.setup, variant: 'chess'}}],
    ['an unknown level', {...game, setup: {...game.setup, players: [person, {kind: 'engine', level: 99}]}}],
    ['three players', {...game, setup: {...game.setup, players: [...twoPeople, person]}}],
    ['a clock that is none', {...game, left: [1, 'x']}],
    ['a negative clock', {...game, left: [1, -1]}],
    ['a strange end', {...game, stop: {by: 'magic', loser: 0}}],
  ];
  for (const [what, value] of spoilt)
    it(`is not taken from ${what}`, async () => {
      shelf.items.set('toguz.play.current', JSON.stringify(value));
      const {currentGame} = await load();
      expect(currentGame()).toBeNull();
    });

  it('is not taken from what is no JSON', async () => {
    shelf.items.set('toguz.play.current', '{"setup":');
    const {currentGame} = await load();
    expect(currentGame()).toBeNull();
  });
});

describe('kept games', () => {
  it('are listed newest first and can be dropped', async () => {
    const {keep, drop, shelf: games} = await load();
    keep('one', game, 1);
    keep('two', game, 2);
    expect(games.value.map(({name}) => name)).toEqual(['two', 'one']);
    drop(games.value[0]!.id);
    expect(games.value.map(({name}) => name)).toEqual(['one']);
    vi.resetModules();
    const again = await load();
    expect(again.shelf.value).toEqual(games.value);
  });

  it('skip the spoilt ones', async () => {
    shelf.items.set('toguz.play.saved', JSON.stringify([{id: 'a', name: 'x', when: 1, game}, {id: 'b'}, 7]));
    const {shelf: games} = await load();
    expect(games.value).toHaveLength(1);
  });

  it('skip one of a day that is none', async () => {
    shelf.items.set('toguz.play.saved', JSON.stringify([{id: 'a', name: 'x', when: 1e300, game}]));
    const {shelf: games} = await load();
    expect(games.value).toEqual([]);
  });

  it('of another tab stay', async () => {
    const here = await load();
    vi.resetModules();
    const there = await load();
    there.keep('there', game, 1);
    here.keep('here', game, 2);
    expect(here.shelf.value.map(({name}) => name)).toEqual(['here', 'there']);
    there.drop(there.shelf.value[0]!.id);
    expect(there.shelf.value.map(({name}) => name)).toEqual(['here']);
  });

  it('do without room', async () => {
    const {keep, shelf: games} = await load();
    shelf.full = true;
    expect(keep('lost on closing', game)).toBe(false);
    expect(games.value).toHaveLength(1);
  });

  it('do without storage', async () => {
    vi.stubGlobal('localStorage', undefined);
    vi.resetModules();
    const {keep, currentGame, shelf: games} = await load();
    expect(currentGame()).toBeNull();
    expect(keep('for now', game)).toBe(false);
    expect(games.value).toHaveLength(1);
  });
});
