// Where the programs and the data are.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {variants, type Variant} from '../../src/engine/api';

export {variants, type Variant};

export const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const program = process.env.TOGUZ ?? at('build/release/toguz');
export const modelFile = (variant: Variant): string => at(`models/pretrained/${variant}.tzn`);

export const signatures = (): Record<Variant, string> =>
  JSON.parse(readFileSync(at('tests/data/search_signatures.json'), 'utf8'));

export interface RecordedGame {
  id: string;
  source: string;
  result: string;
  plies: number;
  moves: string[];
}

// Games of people; all are of the standard variant.
export function recordedGames(): RecordedGame[] {
  return readFileSync(at('tests/data/games/games.tsv'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const [id, , source, , , , result, , plies, , moves] = line.split('\t') as string[];
      return {id: id!, source: source!, result: result!, plies: Number(plies), moves: moves!.split(' ')};
    });
}
