// What people played in a position, and how it went.
import {meanElo, type HumanGame} from './games';

export type Band = 'any' | 'low' | 'middle' | 'high';
export const bands: readonly Band[] = ['any', 'low', 'middle', 'high'];
// The collection's ratings: a quarter below 1190, half below 1230, a quarter above 1300.
export const bandEdges = {middle: 1200, high: 1300};

export interface Filter {
  source: string; // '' for all
  band: Band; // other than 'any': games with ratings only
}
export const everything: Filter = {source: '', band: 'any'};

export interface Counts {
  games: number;
  first: number; // won by the first player
  draws: number;
  second: number;
  unknown: number;
}
export interface MoveTally extends Counts {
  pit: number;
}
export interface Tally extends Counts {
  moves: MoveTally[]; // the most played first
  stopped: number; // games whose record goes no further
}

export function bandOf(game: HumanGame): Band | null {
  const elo = meanElo(game);
  if (elo === null) return null;
  return elo < bandEdges.middle ? 'low' : elo < bandEdges.high ? 'middle' : 'high';
}

export function passes(game: HumanGame, filter: Filter): boolean {
  if (filter.source && game.source !== filter.source) return false;
  return filter.band === 'any' || bandOf(game) === filter.band;
}

const none = (): Counts => ({games: 0, first: 0, draws: 0, second: 0, unknown: 0});

function count(into: Counts, game: HumanGame): void {
  into.games++;
  if (game.result === 'first') into.first++;
  else if (game.result === 'second') into.second++;
  else if (game.result === 'draw') into.draws++;
  else into.unknown++;
}

// Of games that reach the position after `ply` moves.
export function tally(games: readonly HumanGame[], ply: number, filter: Filter): Tally {
  const all: Tally = {...none(), moves: [], stopped: 0};
  const byPit = new Map<number, MoveTally>();
  for (const game of games) {
    if (!passes(game, filter)) continue;
    count(all, game);
    const pit = Number(game.pits[ply] ?? 0);
    if (!pit) {
      all.stopped++;
      continue;
    }
    let move = byPit.get(pit);
    if (!move) byPit.set(pit, (move = {pit, ...none()}));
    count(move, game);
  }
  all.moves = [...byPit.values()].sort((a, b) => b.games - a.games || a.pit - b.pit);
  return all;
}

// Per cent for the first player, a draw counting half; null if no result is known.
export function firstScore(counts: Counts): number | null {
  const known = counts.games - counts.unknown;
  return known ? (100 * (counts.first + counts.draws / 2)) / known : null;
}

// The games most worth looking at first: tournaments, then by rating, then the longest.
export function samples(games: readonly HumanGame[], filter: Filter): HumanGame[] {
  const rank = (game: HumanGame) => meanElo(game) ?? (game.result ? 3000 : 2900);
  return games
    .filter((game) => passes(game, filter))
    .sort((a, b) => rank(b) - rank(a) || b.pits.length - a.pits.length || (a.id < b.id ? -1 : 1));
}
