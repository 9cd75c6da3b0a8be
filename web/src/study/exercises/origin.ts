// The game that an exercise was made from, where it is one of those that come with the page.
import type {RulesApi} from '../../engine/api';
import {t} from '../../i18n';
import {sourceName} from '../explorer/filters';
import {humanGames, movesOf, type HumanGame} from '../explorer/games';
import {openedHuman} from '../open/reading';
import type {OpenedGame} from '../session';
import type {Exercise} from './catalogue';

const pattern = /^(\S+) (\S+) ply (\d{1,4})$/;

const engineGame = /^engine levels (\d{1,2})-(\d{1,2}) /;

// In words; empty if it is not known.
export function originWords({source}: Exercise): string {
  const [, low, high] = engineGame.exec(source) ?? [];
  if (low && high) return t('study.exercise_source_engine', {low, high});
  const [, collection, id] = pattern.exec(source) ?? [];
  return collection && id
    ? t('study.exercise_source_game', {source: `${sourceName(collection)}, ${id}`})
    : source;
}

export interface Origin {
  opened: OpenedGame;
  ply: number; // at which the exercise's position stands
}

// Records count plies from one or from nothing.
function plyIn(rules: RulesApi, game: HumanGame, {fen}: Exercise, about: number): number | null {
  for (const ply of [about, about - 1, about + 1]) {
    if (ply < 0 || ply > game.pits.length) continue;
    if (rules.state({variant: 'standard', moves: movesOf(game).slice(0, ply)}).fen === fen) return ply;
  }
  return null;
}

export async function originOf(rules: RulesApi, exercise: Exercise): Promise<Origin> {
  const [, , id, ply] = pattern.exec(exercise.source) ?? [];
  const game = exercise.variant === 'standard' && (await humanGames()).find((one) => one.id === id);
  const at = game ? plyIn(rules, game, exercise, Number(ply)) : null;
  if (game && at !== null) return {opened: openedHuman(game, sourceName(game.source)), ply: at};
  const {variant, fen} = exercise;
  return {opened: {game: {variant, fen, moves: []}, tags: {Event: originWords(exercise)}}, ply: 0};
}
