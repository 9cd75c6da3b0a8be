// The human games that come with the page (scripts/make_openings.mjs packs them).
import {gunzipSync, strFromU8} from 'fflate';

export type Result = 'first' | 'draw' | 'second' | null;

export interface HumanGame {
  id: string;
  source: string; // "kz2018"
  date: string; // as far as it is known: "2018", "2025-03"; "" if not
  round: string;
  elo: readonly [number | null, number | null];
  result: Result;
  ended: 'majority' | 'no_moves' | null; // null: the record stops before the end
  pits: string; // one digit a ply
}

const results: Record<string, Result> = {w: 'first', d: 'draw', l: 'second', '-': null};
const endings: Record<string, HumanGame['ended']> = {m: 'majority', n: 'no_moves', o: null};
const line = /^(\S+) (\S+) (\S+) (\S+) (\d{1,4}|-) (\d{1,4}|-) ([wdl-]) ([mno]) ([1-9]+)$/;

const known = (text: string) => (text === '-' ? '' : text);
const rating = (text: string) => (text === '-' ? null : Number(text));

function gameOf(text: string): HumanGame {
  const found = line.exec(text);
  if (!found) throw new Error('not a packed game');
  const [, id, source, date, round, first, second, result, ending, pits] = found as unknown as string[];
  return {
    id: id!,
    source: source!,
    date: known(date!),
    round: known(round!),
    elo: [rating(first!), rating(second!)],
    result: results[result!] ?? null,
    ended: endings[ending!] ?? null,
    pits: pits!,
  };
}

export function parseGames(text: string): HumanGame[] {
  return text.split('\n').filter(Boolean).map(gameOf);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Off the page's thread where the browser can.
async function inflated(zip: Uint8Array<ArrayBuffer>): Promise<string> {
  if (typeof DecompressionStream === 'undefined') return strFromU8(gunzipSync(zip));
  return new Response(new Blob([zip]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

export async function unpackGames(file: unknown): Promise<HumanGame[]> {
  const {version, games} = (file ?? {}) as {version?: unknown; games?: unknown};
  if (version !== 1 || typeof games !== 'string') throw new Error('not a file of games');
  return parseGames(await inflated(bytesOf(games)));
}

let loading: Promise<HumanGame[]> | null = null;

export function humanGames(): Promise<HumanGame[]> {
  loading ??= import('../../../data/human_games.json').then((file) => unpackGames(file.default));
  return loading;
}

export function movesOf(game: HumanGame): number[] {
  return Array.from(game.pits, Number);
}

export function meanElo(game: HumanGame): number | null {
  const [first, second] = game.elo;
  if (first === null || second === null) return first ?? second;
  return (first + second) / 2;
}
