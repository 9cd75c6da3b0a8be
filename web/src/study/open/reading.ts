// Games from whatever a person pastes or picks.
import {EngineError, variants, type RulesApi, type Variant} from '../../engine/api';
import type {OpenedGame, Tags} from '../session';
import {movesOf, type HumanGame} from '../explorer/games';

export interface Found extends OpenedGame {
  tags: Tags;
  fault: string | null;
}

export const mostText = 2_000_000; // characters

const fenLike = /^\S+\/\S+ \d+ \d+ [SN] \d+$/;

// The variant wanted first; the others if the position is of another size.
function positionOf(rules: RulesApi, fen: string, wanted: Variant): Found {
  let fault: unknown;
  for (const variant of [wanted, ...variants.filter((one) => one !== wanted)]) {
    try {
      rules.fen(variant, fen);
      rules.state({variant, fen, moves: []});
      return {game: {variant, fen, moves: []}, tags: {}, fault: null};
    } catch (error) {
      fault ??= error;
    }
  }
  throw fault;
}

// Throws EngineError if there is no game in it.
export function readText(rules: RulesApi, text: string, wanted: Variant): Found[] {
  const trimmed = text.trim();
  if (fenLike.test(trimmed)) return [positionOf(rules, trimmed, wanted)];
  const found = rules.read(trimmed, wanted).map(({game, tags, fault}) => ({game, tags, fault}));
  // What begins with a fault is no game.
  const games = found.filter(({game, fault}) => fault === null || game.moves.length > 0);
  if (!games.length) throw new EngineError(found[0]?.fault ?? '');
  return games;
}

export function openedHuman(game: HumanGame, event: string): OpenedGame {
  const results = {first: '1-0', draw: '1/2-1/2', second: '0-1'};
  const tags: Tags = {
    Event: event,
    Date: game.date.replaceAll('-', '.'),
    Round: game.round,
    WhiteElo: game.elo[0]?.toString() ?? '',
    BlackElo: game.elo[1]?.toString() ?? '',
    Result: game.result ? results[game.result] : '*',
    Id: game.id,
  };
  const known = Object.fromEntries(Object.entries(tags).filter(([, value]) => value));
  return {game: {variant: 'standard', moves: movesOf(game)}, tags: known};
}

const named = (name: string | undefined) => (name && name !== '?' ? name : '');

// What a game is called: its players, where and when it was played, its number there.
export function titleOf(tags: Tags): string {
  const players = [named(tags.White), named(tags.Black)].filter(Boolean).join(' – ');
  const event = named(tags.Event) || named(tags.Source);
  const date = named(tags.Date);
  const parts = [players, event, event.includes(date) ? '' : date, named(tags.Id)];
  return parts.filter(Boolean).join(', ').slice(0, 120);
}
