// A game or a position within the address: "#g=standard.7652", "#p=bestemshe.5S,5S,...", or both, the
// moves then played from the position. What comes that way is anyone's: it is checked whole.
import {EngineError, type GameSpec, type RulesApi} from '../engine/api';
import {isVariant} from './setup';

const longest = 4000;

// Letters that an address keeps as they are; the rules' text has others besides these.
const fenToLink = (fen: string): string => fen.replaceAll(' ', '_');
const fenFromLink = (text: string): string => text.replaceAll('_', ' ');

export function linkOf(game: GameSpec): string {
  const moves = `g=${game.variant}.${game.moves.join('')}`;
  if (game.fen === undefined) return `#${moves}`;
  const position = `p=${game.variant}.${fenToLink(game.fen)}`;
  return game.moves.length > 0 ? `#${moves}&${position}` : `#${position}`;
}

export const isGameLink = (hash: string): boolean => /^#[gp]=/.test(hash);

// The game, or what is wrong with it; null if the fragment is for something else.
export type ReadLink = {game: GameSpec} | {fault: 'malformed' | 'variant' | 'rules'; detail: string} | null;

export function readLink(hash: string, rules: RulesApi): ReadLink {
  if (!isGameLink(hash)) return null;
  if (hash.length > longest) return {fault: 'malformed', detail: ''};
  let text: string;
  try {
    text = decodeURIComponent(hash.slice(1));
  } catch {
    return {fault: 'malformed', detail: ''};
  }
  const fields = new Map<string, string>();
  for (const part of text.split('&')) {
    const [, name, value] = /^([gp])=(.*)$/s.exec(part) ?? [];
    if (name === undefined || fields.has(name)) return {fault: 'malformed', detail: ''};
    fields.set(name, value!);
  }
  const split = (value: string | undefined) =>
    /^([^.]*)\.?(.*)$/s.exec(value ?? '')!.slice(1) as [string, string];
  const [gameVariant, moves] = split(fields.get('g'));
  const [positionVariant, fen] = split(fields.get('p'));
  const variant = gameVariant || positionVariant;
  if (!isVariant(variant) || (positionVariant !== '' && positionVariant !== variant))
    return {fault: 'variant', detail: variant.slice(0, 40)};
  if (!/^[1-9]*$/.test(moves) || (fields.has('p') && fen === '')) return {fault: 'malformed', detail: ''};
  const game: GameSpec = {variant, moves: [...moves].map(Number)};
  if (fields.has('p')) game.fen = fenFromLink(fen);
  try {
    rules.state(game);
  } catch (error) {
    if (error instanceof EngineError) return {fault: 'rules', detail: error.message};
    throw error;
  }
  return {game};
}
