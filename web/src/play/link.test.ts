import {describe, expect, it} from 'vitest';
import {EngineError, type GameSpec} from '../engine/api';
import {fakeRules} from './fake_rules';
import {isGameLink, linkOf, readLink} from './link';

const read = (hash: string) => readLink(hash, fakeRules);

describe('a link', () => {
  const games: GameSpec[] = [
    {variant: 'standard', moves: []},
    {variant: 'bestemshe', moves: [1, 5, 3]},
    {variant: 'seven', fen: 'N fen', moves: []},
    {variant: 'giveaway', fen: 'S fen', moves: [7, 6]},
  ];
  for (const game of games)
    it(`brings back ${JSON.stringify(game)}`, () => expect(read(linkOf(game))).toEqual({game}));

  it('keeps letters that addresses keep', () => {
    expect(linkOf({variant: 'standard', fen: '9S,t/3,6S 0 0 S 1', moves: []})).toBe(
      '#p=standard.9S,t/3,6S_0_0_S_1',
    );
  });

  it('may come with its letters escaped', () => {
    expect(read('#g=standard.12&p=standard.S%20fen')).toEqual({
      game: {variant: 'standard', fen: 'S fen', moves: [1, 2]},
    });
  });

  it('is told from other fragments', () => {
    expect(isGameLink('#study')).toBe(false);
    expect(read('#about')).toBeNull();
    expect(read('')).toBeNull();
  });
});

describe('a hostile link', () => {
  const malformed = [
    '#g=standard.12a',
    '#g=standard.0',
    '#g=standard.<script>alert(1)</script>',
    '#g=standard.1&g=standard.2',
    '#g=standard.1&x=2',
    '#g=standard.%E0%A4%A',
    '#p=standard.',
    '#p=standard',
    `#g=standard.${'1'.repeat(5000)}`,
  ];
  for (const hash of malformed)
    it(`${hash.slice(0, 45)} is malformed`, () =>
      expect(read(hash)).toEqual({fault: 'malformed', detail: ''}));

  it('of an unknown game', () => {
    expect(read('#g=chess.12')).toEqual({fault: 'variant', detail: 'chess'});
    expect(read('#g=__proto__.1')).toMatchObject({fault: 'variant'});
    expect(read('#g=')).toMatchObject({fault: 'variant'});
    expect(read('#g=standard.1&p=seven.S fen')).toMatchObject({fault: 'variant'});
  });

  it('that breaks the rules', () => {
    expect(read('#g=standard.91')).toEqual({fault: 'rules', detail: 'ply 2: no such move'});
    expect(read('#p=standard.rubbish')).toEqual({fault: 'rules', detail: 'no such position'});
  });

  it('does not hide other errors', () => {
    const broken = {
      ...fakeRules,
      state: () => {
        throw new TypeError('a bug');
      },
    };
    expect(() => readLink('#g=standard.1', broken)).toThrow(TypeError);
    expect(new EngineError('x')).toBeInstanceOf(Error);
  });
});
