import {describe, expect, it} from 'vitest';
import {EngineError, type EditedPosition, type ReadGame} from '../engine/api';
import {fakeRules} from './fake_rules';
import {openText} from './opening';
import {PlaySession} from './session';
import {twoPeople} from './setup';

// Knows one position, of bestemshe, and reads all else as a record of one move.
const fen = '5,5,5,5,5/5,5,5,5,5 0 0 S 1';
const rules: typeof fakeRules = {
  ...fakeRules,
  state: ({moves}) => fakeRules.state({variant: 'standard', moves}),
  fen: (variant, text) => {
    if (variant !== 'bestemshe' || text !== fen) throw new EngineError(`position text: not of ${variant}`);
    return {} as EditedPosition;
  },
  read: (): ReadGame[] => [{game: {variant: 'standard', moves: [7]}, tags: {}, result: '*', fault: null}],
};

function pasted(text: string) {
  const engine = {
    model: () => null,
    think: () => Promise.reject(new Error()),
    stop: () => {},
    review: () => Promise.reject(new Error()),
    signature: () => Promise.resolve(''),
  };
  const setup = {variant: 'standard' as const, players: twoPeople, time: null};
  const session = new PlaySession(rules, engine, {load: () => null, save: () => {}}, setup);
  openText(session, text);
  return session.game.value.spec();
}

describe('what is pasted', () => {
  it('is a record, with slashes or without', () => {
    for (const text of ['76', '1. 76 98 1/2-1/2', '76 {and/or}', '[White "a/b"]\n\n1. 76'])
      expect(pasted(text), text).toEqual({variant: 'standard', moves: [7]});
  });

  it('is a position, of the game that it is of', () => {
    expect(pasted(`  ${fen}\n`)).toEqual({variant: 'bestemshe', fen, moves: []});
    expect(() => pasted('1,2/3,4 0 0 S 1')).toThrow('not of standard');
  });

  it('is a link among words', () => {
    expect(pasted('look: https://example.org/#g=seven.12 !')).toEqual({variant: 'seven', moves: [1, 2]});
  });
});
