import {beforeAll, describe, expect, test} from 'vitest';
import type {RulesApi} from '../../engine/api';
import {humanGames} from '../explorer/games';
import {realRules} from '../testing/rules';
import {openedHuman, readText, titleOf} from './reading';

let rules: RulesApi;
beforeAll(async () => void (rules = await realRules()));

describe('a text', () => {
  test('of moves, with numbers or without', () => {
    for (const text of ['76 98 66', '1. 76 98 2. 66', ' 1. 76(10) 98\n2. 66 * ']) {
      const found = readText(rules, text, 'standard');
      expect(found, text).toHaveLength(1);
      expect(found[0]!.game.moves, text).toEqual([7, 9, 6]);
      expect(found[0]!.fault).toBeNull();
    }
  });

  test('of a record keeps its tags', () => {
    const written = rules.write({variant: 'standard', moves: [7, 9]}, {tags: {White: 'A', Event: 'Cup'}});
    const [found] = readText(rules, written, 'standard');
    expect(found!.game.moves).toEqual([7, 9]);
    expect(found!.tags).toMatchObject({White: 'A', Event: 'Cup'});
  });

  test('of a position, of whatever game it is', () => {
    const {fen} = rules.state({variant: 'bestemshe', moves: [1]});
    const [found] = readText(rules, `  ${fen}\n`, 'standard');
    expect(found!.game).toEqual({variant: 'bestemshe', fen, moves: []});
    expect(() => readText(rules, '9S/9S 0 0 S 1', 'standard')).toThrow();
  });

  test('with a fault is read up to it', () => {
    const [found] = readText(rules, '76 98 11 66', 'standard');
    expect(found!.fault).toMatch(/ply/);
    expect(found!.game.moves.length).toBeLessThan(4);
  });

  test('that begins with a fault is none', () => {
    expect(() => readText(rules, 'hello <b>', 'standard')).toThrow('ply 1');
    expect(readText(rules, '76 98\n\nhello', 'standard')).toHaveLength(1);
  });

  test('that is anything else is refused, whatever it is', () => {
    for (const text of [
      '',
      '   ',
      '\u0000\u0001',
      '<b>hello</b>',
      '{"a":1}',
      '[',
      '[Event "x',
      'x'.repeat(10_000),
    ]) {
      try {
        for (const {game} of readText(rules, text, 'standard')) expect(() => rules.state(game)).not.toThrow();
      } catch (error) {
        expect(error, text.slice(0, 20)).toBeInstanceOf(Error);
      }
    }
  });
});

test('a game of people is opened with what is known of it', async () => {
  const games = await humanGames();
  const playok = games.find((game) => game.source === 'playok' && game.result === 'draw')!;
  const {game, tags} = openedHuman(playok, 'PlayOK');
  expect(rules.state(game).moves).toHaveLength(playok.pits.length);
  expect(tags).toMatchObject({Event: 'PlayOK', Result: '1/2-1/2', WhiteElo: String(playok.elo[0])});
  const fragment = games.find((game) => game.source === 'kz2022')!;
  expect(openedHuman(fragment, 'x').tags).not.toHaveProperty('Round');
});

test('all games of people are legal, and those that ended ended so', async () => {
  for (const game of await humanGames()) {
    const state = rules.state(openedHuman(game, 'x').game);
    if (game.ended) expect(state.reason, game.id).toBe(game.ended);
  }
});

test('a game is called by its players, or its event', () => {
  expect(titleOf({White: 'A', Black: 'B', Event: 'Cup', Date: '2020'})).toBe('A – B, Cup, 2020');
  expect(titleOf({White: '?', Black: '?', Event: 'Cup 2018', Date: '2018'})).toBe('Cup 2018');
  expect(titleOf({Source: 'kz2018', Date: '2018', Id: 's0001'})).toBe('kz2018, s0001');
  expect(titleOf({})).toBe('');
  expect(titleOf({White: 'x'.repeat(500)})).toHaveLength(120);
});
