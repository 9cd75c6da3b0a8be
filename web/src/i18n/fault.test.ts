import {readFileSync} from 'node:fs';
import {afterEach, expect, test} from 'vitest';
import {faultText} from './fault';
import {setLanguage} from './index';

setLanguage('en');
afterEach(() => setLanguage('en'));

test('every fault of a position has words', () => {
  const source = readFileSync(new URL('../../../core/position.cpp', import.meta.url), 'utf8');
  const body = source.slice(source.indexOf('Position::fault('));
  const faults = [...body.matchAll(/return "(.*?)";/g)].map(([, text]) => text as string);
  expect(faults.length).toBeGreaterThanOrEqual(7);
  setLanguage('kk');
  for (const fault of faults) expect(faultText(fault)).toMatch(/^[^a-z]+$/);
});

test.each([
  ["ply 7: move '79': the last ball falls in pit 6, not 9", 'half-move 7: 79 is not a move here'],
  ["ply 3: move '76': the game is over (majority)", 'half-move 3: the game is over by then'],
  ['ply 2: pit 4 is not a legal move', 'half-move 2: pit 4 cannot be played'],
  [
    "ply 0: position text: want five parts, as '9S,.../9S,... 0 0 S 1', but got 1",
    'the position text is not right',
  ],
  ['position text: balls in a tuzdik', 'a tuzdik holds no balls'],
  ['more than 2000 games: cut the file up', 'more than 2000 games; cut the file up'],
  [
    'ply 9: result 1-0, but the moves give 0-1 (majority)',
    'half-move 9: what is said of the end does not fit the moves',
  ],
  ['something new', 'something new'],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
  ['position text: toString', 'the position text is not right'],
])('%s', (said, words) => {
  expect(faultText(said)).toBe(words);
});
