// Games kept on the device, and the one under way.
import {signal} from '@preact/signals';
import {forget, store, stored} from '../base/storage';
import type {GameParts} from './game';
import {isSetup, type Stop} from './setup';

export interface SavedGame extends Required<GameParts> {
  flipped: boolean;
}
export interface NamedGame {
  id: string;
  name: string;
  when: number; // ms since 1970
  game: SavedGame;
}

const mostMoves = 2000;
const mostGames = 100;
const latest = 8.64e15; // that a date can be

const isMoves = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length <= mostMoves &&
  value.every((pit) => Number.isInteger(pit) && pit >= 1 && pit <= 9);

const isStop = (value: unknown): value is Stop | null => {
  if (value === null) return true;
  const stop = value as Stop | undefined;
  return (stop?.by === 'resignation' || stop?.by === 'time') && (stop.loser === 0 || stop.loser === 1);
};

const isLeft = (value: unknown): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 2 && value.every((ms) => Number.isFinite(ms) && ms >= 0));

export function isSavedGame(value: unknown): value is SavedGame {
  const game = value as SavedGame | null | undefined;
  return (
    typeof game === 'object' &&
    game !== null &&
    isSetup(game.setup) &&
    isMoves(game.moves) &&
    isMoves(game.undone) &&
    isStop(game.stop) &&
    isLeft(game.left) &&
    typeof game.flipped === 'boolean'
  );
}

function isNamed(value: unknown): value is NamedGame {
  const named = value as NamedGame | null | undefined;
  return (
    typeof named?.id === 'string' &&
    typeof named.name === 'string' &&
    Math.abs(named.when) <= latest &&
    isSavedGame(named.game)
  );
}

export function currentGame(): SavedGame | null {
  const found = stored('play.current');
  return isSavedGame(found) ? found : null;
}

export const storeCurrent = (game: SavedGame): boolean => store('play.current', game);
export const forgetCurrent = (): void => forget('play.current');

function readShelf(): NamedGame[] {
  const found = stored('play.saved');
  return Array.isArray(found) ? found.filter(isNamed) : [];
}

// Newest first.
export const shelf = signal<readonly NamedGame[]>(readShelf());

let inStep = true; // the device holds what is listed here, or what another tab has made of it

function put(change: (games: readonly NamedGame[]) => readonly NamedGame[]): boolean {
  shelf.value = change(inStep ? readShelf() : shelf.peek());
  return (inStep = store('play.saved', shelf.peek()));
}

let made = 0;

// Whether it could be kept. Full: the oldest go.
export function keep(name: string, game: SavedGame, when: number = Date.now()): boolean {
  const id = `${when.toString(36)}-${++made}`;
  return put((games) => [{id, name: name.slice(0, 80), when, game}, ...games].slice(0, mostGames));
}

export function drop(id: string): void {
  put((games) => games.filter((game) => game.id !== id));
}
