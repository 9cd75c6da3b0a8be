import {afterEach, expect, test} from 'vitest';
import type {MoveFacts, Rules} from '../engine/api';
import {hintSentences, hintText} from './hint';
import {languageCodes, setLanguage} from './index';

const standard: Rules = {
  name: 'standard',
  pits: 9,
  balls: 9,
  total: 162,
  majority: 82,
  tuzdik: true,
  giveaway: false,
};
const giveaway: Rules = {...standard, name: 'giveaway', giveaway: true};

const nothing = {pit: 0, balls: 0, tuzdik: 0};
const quiet: MoveFacts = {
  pit: 7,
  capture: nothing,
  intoOwnTuzdik: 0,
  intoOtherTuzdik: 0,
  only: false,
  compelled: false,
  end: null,
  dangerBefore: nothing,
  dangerAfter: nothing,
  endangered: 0,
  preventedTuzdik: 0,
  chanceBefore: nothing,
  chanceAfter: nothing,
  newChance: false,
  expected: null,
  nextBest: null,
  nextBestWinRate: 0,
};
const capture = (pit: number, balls: number, tuzdik = 0) => ({pit, balls, tuzdik});
const said = (facts: Partial<MoveFacts>, rules = standard) =>
  hintSentences({...quiet, ...facts}, rules).slice(1);

setLanguage('en');
afterEach(() => setLanguage('en'));

test('the move first, and whether there is another', () => {
  expect(hintText({...quiet, pit: 3}, standard)).toBe('Play 3. It leaves your opponent nothing to capture.');
  expect(hintSentences({...quiet, only: true}, standard)[0]).toBe('Play 7, your only move.');
});

test('the end of the game is all there is to say', () => {
  const more = {capture: capture(7, 12), expected: {winRate: 100, own: 82, other: 80}};
  expect(said({...more, end: {score: 1, own: 82, other: 60}})).toEqual(['It wins the game, 82 to 60.']);
  expect(said({...more, end: {score: -1, own: 60, other: 102}})).toEqual([
    'It ends the game, lost 60 to 102.',
  ]);
  expect(said({...more, end: {score: 0, own: 81, other: 81}})).toEqual([
    'It ends the game as a draw, 81 to 81.',
  ]);
});

test('captures', () => {
  expect(said({capture: capture(7, 3, 4)})).toEqual(['It makes your opponent’s pit 4 your tuzdik.']);
  const twelve = {capture: capture(7, 12), dangerAfter: capture(2, 6)};
  expect(said(twelve)[0]).toBe('It captures 12 balls.');
  expect(said({...twelve, chanceBefore: capture(7, 12)})[0]).toBe('It captures 12 balls, the most there is.');
  expect(said({...twelve, chanceBefore: capture(7, 12), only: true})[0]).toBe('It captures 12 balls.');
  expect(said({...twelve, chanceBefore: capture(5, 12, 3)})[0]).toBe('It captures 12 balls.');
  expect(said({capture: capture(7, 2), chanceBefore: capture(7, 2)})[0]).toBe('It captures 2 balls.');
});

test('what the opponent loses by it', () => {
  expect(said({preventedTuzdik: 2})[0]).toBe('It keeps your opponent from making your pit 2 a tuzdik.');
  expect(said({dangerBefore: capture(3, 14), dangerAfter: capture(4, 10)})).toEqual([
    'It leaves your opponent 10 balls to capture instead of 14.',
    'Your opponent can then capture 10 balls at most.',
  ]);
  expect(said({dangerBefore: capture(3, 14)})).toEqual([
    'It saves the 14 balls that your opponent could capture with pit 3.',
    'Your opponent can capture nothing at once.',
  ]);
  expect(said({dangerBefore: capture(3, 13), dangerAfter: capture(4, 10)})[0]).toBe('A quiet move.');
  expect(said({dangerBefore: capture(3, 3, 2), dangerAfter: capture(4, 2)})[0]).toBe('A quiet move.');
});

test('threats, only those worth saying and new', () => {
  expect(said({chanceAfter: capture(6, 3, 5), newChance: true})[0]).toBe(
    'It threatens to make pit 5 a tuzdik with pit 6.',
  );
  expect(said({chanceAfter: capture(6, 4), newChance: true})[0]).toBe(
    'It threatens to capture 4 balls with pit 6.',
  );
  for (const facts of [{chanceAfter: capture(6, 4)}, {chanceAfter: capture(6, 2), newChance: true}])
    expect(said(facts)).toEqual(['It leaves your opponent nothing to capture.']);
});

test('one ball is not balls, and three deeds are enough', () => {
  expect(said({intoOwnTuzdik: 1})).toEqual(['It drops 1 ball into your tuzdik.']);
  const many = said({
    capture: capture(7, 12),
    preventedTuzdik: 2,
    dangerBefore: capture(3, 14),
    chanceAfter: capture(6, 8),
    newChance: true,
    intoOwnTuzdik: 2,
  });
  expect(many).toHaveLength(4);
  expect(many[3]).toBe('Your opponent can capture nothing at once.');
});

test('dangers', () => {
  expect(said({dangerAfter: capture(1, 3, 4), endangered: 4})).toEqual([
    'A quiet move.',
    'Your opponent can then make your pit 4 a tuzdik.',
  ]);
  expect(said({dangerAfter: capture(1, 20), endangered: 4})[1]).toBe(
    'Your opponent can then capture 20 balls at most, or make your pit 4 a tuzdik.',
  );
});

test('giveaway: balls are a burden', () => {
  const facts = {capture: capture(7, 2), chanceBefore: capture(7, 2), dangerAfter: capture(3, 8)};
  expect(said(facts, giveaway)).toEqual([
    'It takes only 2 balls.',
    'It makes your opponent take at least 8 balls.',
  ]);
  expect(said({...facts, only: true}, giveaway)[0]).toBe('It takes 2 balls.');
  expect(said({...facts, chanceBefore: capture(4, 0)}, giveaway)[0]).toBe('It takes 2 balls.');
  expect(said({capture: capture(7, 3, 6)}, giveaway)).toEqual([
    'It makes your opponent’s pit 6 your tuzdik.',
  ]);
  expect(said({dangerBefore: capture(1, 4)}, giveaway)).toEqual([
    'It leaves your opponent nothing to capture.',
  ]);
});

test('what the search expects; kazans add up', () => {
  expect(said({expected: {winRate: 63.4, own: 85.5, other: 76.5}}).at(-1)).toBe(
    'The search gives you 63% and about 86 to 76 balls.',
  );
});

test.each(languageCodes)('every branch has words in %s', (language) => {
  setLanguage(language);
  for (const balls of [1, 2, 3, 5, 11, 21, 100]) {
    const text = hintText(
      {...quiet, capture: capture(7, balls), expected: {winRate: 50, own: 81, other: 81}},
      standard,
    );
    expect(text).toMatch(language === 'ar' ? /٪|%/ : /50/);
    if (language !== 'ar' || balls > 2) expect(text).toContain(String(balls));
  }
});

test('balls are counted as the language counts', () => {
  const counted = (balls: number) => said({capture: capture(7, balls), dangerAfter: capture(1, 2)})[0];
  setLanguage('ru');
  expect([1, 2, 5, 21, 24].map(counted)).toEqual([
    'Вы выигрываете 1 кумалак.',
    'Вы выигрываете 2 кумалака.',
    'Вы выигрываете 5 кумалаков.',
    'Вы выигрываете 21 кумалак.',
    'Вы выигрываете 24 кумалака.',
  ]);
  setLanguage('pl');
  expect([1, 2, 5, 22].map(counted)).toEqual([
    'Zdobywasz 1 kulkę.',
    'Zdobywasz 2 kulki.',
    'Zdobywasz 5 kulek.',
    'Zdobywasz 22 kulki.',
  ]);
  setLanguage('ar');
  expect([2, 3, 11].map(counted)).toEqual(['تكسب كرتين.', 'تكسب 3 كرات.', 'تكسب 11 كرة.']);
});
