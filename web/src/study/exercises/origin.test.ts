import {beforeAll, expect, test} from 'vitest';
import type {RulesApi} from '../../engine/api';
import {setLanguage} from '../../i18n';
import {realRules} from '../testing/rules';
import {allExercises} from './catalogue';
import {originOf, originWords} from './origin';

let rules: RulesApi;
beforeAll(async () => {
  rules = await realRules();
  setLanguage('en');
});

test('exercises from games of people are found within them', async () => {
  for (const exercise of (await allExercises()).filter(({variant}) => variant === 'standard')) {
    const {opened, ply} = await originOf(rules, exercise);
    expect(opened.game.fen, exercise.id).toBeUndefined();
    const moves = opened.game.moves.slice(0, ply);
    expect(rules.state({variant: 'standard', moves}).fen, exercise.id).toBe(exercise.fen);
  }
});

test('others stand on their own', async () => {
  const [standard] = await allExercises();
  const seven = (await allExercises()).find(({variant}) => variant === 'seven')!;
  for (const exercise of [seven, {...standard!, source: 'kz2018 s9999 ply 3'}, {...standard!, source: ''}]) {
    const {opened, ply} = await originOf(rules, exercise);
    expect(opened.game).toEqual({variant: exercise.variant, fen: exercise.fen, moves: []});
    expect(ply).toBe(0);
  }
});

test('where it is from is said in words', async () => {
  const [exercise] = await allExercises();
  const of = (source: string) => originWords({...exercise!, source});
  expect(of('kz2018 s0003 ply 28')).toBe('From a game of people (Tournaments 2018, s0003)');
  expect(of('engine levels 2-3 game 9 ply 2')).toBe('From a game of the engine, levels 2 and 3');
  expect(of('elsewhere')).toBe('elsewhere');
});
