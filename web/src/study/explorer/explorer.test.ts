import {readFileSync} from 'node:fs';
import {gzipSync, strToU8} from 'fflate';
import {describe, expect, test} from 'vitest';
import type {GameSpec} from '../../engine/api';
import {inSlices} from '../logic/slices';
import {realRules} from '../testing/rules';
import {humanGames, meanElo, movesOf, parseGames, unpackGames, type HumanGame} from './games';
import {PositionIndex, plyOf} from './positions';
import {bandOf, everything, firstScore, samples, tally} from './tally';

const text = [
  'a1 kz2018 2018 1 - - w o 7968',
  'a2 kz2018 2018 2 - - d n 7968',
  'a3 playok 2025-01 3 1250 1350 l m 6978',
  'a4 playok 2025-02 - 1100 1120 w o 79',
  'a5 kz2022 2022 - - - - o 7991',
].join('\n');

// A game of which only the set of each side's moves matters, so that orders of moves transpose.
function fenOf({moves}: GameSpec): string {
  const of = (side: number) =>
    moves
      .filter((_, i) => i % 2 === side)
      .sort()
      .join('');
  return `${of(0)}/${of(1)} ${moves.length % 2 ? 'N' : 'S'} ${1 + Math.floor(moves.length / 2)}`;
}

const ids = (games: readonly HumanGame[] | null) => games?.map((game) => game.id).sort();

async function prepared(games: HumanGame[], ply: number): Promise<PositionIndex> {
  const index = new PositionIndex(games, 'standard', fenOf);
  await inSlices(index.prepare(ply));
  return index;
}

describe('the packed games', () => {
  test('are read', () => {
    const [first, , third, fourth] = parseGames(text);
    expect(first).toMatchObject({
      id: 'a1',
      source: 'kz2018',
      elo: [null, null],
      result: 'first',
      ended: null,
    });
    expect(third).toMatchObject({result: 'second', ended: 'majority', elo: [1250, 1350], round: '3'});
    expect(fourth!.round).toBe('');
    expect(movesOf(first!)).toEqual([7, 9, 6, 8]);
    expect(meanElo(third!)).toBe(1300);
    expect(meanElo(first!)).toBeNull();
  });

  test('are refused when they are anything else', async () => {
    const zip = (games: string) => ({
      version: 1,
      games: btoa(String.fromCharCode(...gzipSync(strToU8(games)))),
    });
    expect(await unpackGames(zip(text))).toHaveLength(5);
    for (const bad of [
      'a1 kz2018 2018 1 - - w o',
      'a1 kz2018 2018 1 - - w o 70',
      'x',
      'a b c d 12345 - w o 7',
    ])
      await expect(unpackGames(zip(bad)), bad).rejects.toThrow();
    for (const bad of [
      null,
      7,
      {},
      {version: 2, games: ''},
      {version: 1, games: '%%'},
      {version: 1, games: 'AAAA'},
    ])
      await expect(unpackGames(bad)).rejects.toThrow();
  });

  test('come with the page', async () => {
    const games = await humanGames();
    expect(games).toHaveLength(1429);
    expect(new Set(games.map((game) => game.id)).size).toBe(1429);
    expect(games.every((game) => game.pits.length > 0)).toBe(true);
    expect(tally(games, 0, everything).moves[0]).toMatchObject({pit: 7, games: 937});
  });
});

test('the packed games are those of the collection', async () => {
  const file = readFileSync(new URL('../../../../tests/data/games/games.tsv', import.meta.url), 'utf8');
  const rows = file.split('\n').filter((row) => row && !row.startsWith('#'));
  const results = {first: '1-0', draw: '1/2-1/2', second: '0-1'};
  const packed = (await humanGames()).map((game) =>
    [game.id, game.source, game.result ? results[game.result] : '*', game.ended ?? 'open', game.pits].join(
      ' ',
    ),
  );
  const recorded = rows.map((row) => {
    const [id, , source, , , , result, ending, , , moves] = row.split('\t');
    return [id, source, result, ending, moves!.replace(/(\d)\dX?( |$)/g, '$1')].join(' ');
  });
  expect(packed).toEqual(recorded);
});

describe('positions', () => {
  const games = parseGames(text);

  test('by their moves are known at once', () => {
    const index = new PositionIndex(games, 'standard', fenOf);
    expect(ids(index.byMoves([7, 9, 6]))).toEqual(['a1', 'a2']);
    expect(ids(index.byMoves([]))).toHaveLength(5);
    expect(index.byMoves([1])).toEqual([]);
    expect(index.byPosition(3, 'x')).toBeNull();
  });

  test('merge orders of moves', async () => {
    const index = await prepared(games, 3);
    expect(ids(index.byPosition(3, fenOf({variant: 'standard', moves: [6, 9, 7]})))).toEqual([
      'a1',
      'a2',
      'a3',
    ]);
    // Also by an order that no game has.
    const four = await prepared(games, 4);
    expect(ids(four.byPosition(4, fenOf({variant: 'standard', moves: [6, 8, 7, 9]})))).toEqual([
      'a1',
      'a2',
      'a3',
    ]);
    expect(four.byPosition(4, 'nowhere')).toEqual([]);
  });

  test('beyond every record are empty', async () => {
    const index = await prepared(games, 50);
    expect(index.byPosition(50, 'x')).toEqual([]);
  });

  test('may be given up half-way', async () => {
    const index = new PositionIndex(games, 'standard', (game) => {
      const until = performance.now() + 10;
      while (performance.now() < until);
      return fenOf(game);
    });
    expect(await inSlices(index.prepare(4), () => true)).toBe(false);
    expect(index.byPosition(4, 'x')).toBeNull();
  });

  test('say after how many moves they are', () => {
    expect(plyOf('9S/9S 0 0 S 1')).toBe(0);
    expect(plyOf('9S/9S 0 0 N 1')).toBe(1);
    expect(plyOf('9S/9S 22 15 S 4')).toBe(6);
    for (const bad of ['', 'S 0', '9S/9S 0 0 S 0', '9S/9S 0 0 W 1', '9S S 99999999'])
      expect(plyOf(bad), bad).toBeNull();
  });
});

describe('what was played', () => {
  const games = parseGames(text);

  test('is counted, games without a result apart', () => {
    const all = tally(games, 2, everything);
    expect(all).toMatchObject({games: 5, first: 2, draws: 1, second: 1, unknown: 1, stopped: 1});
    expect(all.moves.map((move) => [move.pit, move.games])).toEqual([
      [6, 2],
      [7, 1],
      [9, 1],
    ]);
    expect(firstScore(all)).toBe(62.5);
    expect(firstScore(all.moves[2]!)).toBeNull();
  });

  test('by source and rating', () => {
    expect(tally(games, 0, {source: 'playok', band: 'any'}).games).toBe(2);
    expect(tally(games, 0, {source: '', band: 'high'}).games).toBe(1);
    expect(tally(games, 0, {source: 'kz2018', band: 'low'})).toMatchObject({games: 0, moves: []});
    expect(games.map(bandOf)).toEqual([null, null, 'high', 'low', null]);
  });

  test('in sample games, tournaments first', () => {
    expect(samples(games, everything).map((game) => game.id)).toEqual(['a1', 'a2', 'a5', 'a3', 'a4']);
  });
});

test('games of people that met by other orders of moves are together', async () => {
  const rules = await realRules();
  const index = new PositionIndex(await humanGames(), 'standard', (game) => rules.state(game).fen);
  await inSlices(index.prepare(8));
  const starts = ['88928895', '88929885'];
  const fens = starts.map(
    (start) => rules.state({variant: 'standard', moves: Array.from(start, Number)}).fen,
  );
  expect(fens[0]).toBe(fens[1]);
  const met = index.byPosition(8, fens[0]!)!.map((game) => game.pits.slice(0, 8));
  for (const start of starts) expect(met).toContain(start);
  expect(met).toHaveLength(
    starts.reduce((sum, start) => sum + index.byMoves([...start].map(Number)).length, 0),
  );
});
