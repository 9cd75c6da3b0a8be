// Packs the human games for the page: tests/data/games/games.tsv -> data/human_games.json.
//   node scripts/make_openings.mjs [--check]
// The packed text has one line a game, "id source date round first-elo second-elo result ending moves", where
// moves are the pits alone: the pit of the last ball and tuzdiks follow from the rules. --check fails if the
// committed file is not what the games give.
import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {gunzipSync, gzipSync, strFromU8, strToU8} from 'fflate';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const input = at('../../tests/data/games/games.tsv');
const output = at('../data/human_games.json');

const codes = {'1-0': 'w', '0-1': 'l', '1/2-1/2': 'd', '*': '-', majority: 'm', no_moves: 'n', open: 'o'};

function packed(row) {
  const [id, variant, source, date, round, elo, result, ending, plies, , moves] = row;
  if (variant !== 'standard') throw new Error(`${id}: games of ${variant} are not expected`);
  const [first, second] = elo === '-' ? ['-', '-'] : elo.replaceAll('?', '-').split('/');
  const list = moves.split(' ');
  const pits = list.map((move) => move[0]).join('');
  if (!/^[1-9]+$/.test(pits) || pits.length !== Number(plies)) throw new Error(`${id}: moves`);
  const fields = [id, source, date, round, first, second, codes[result], codes[ending]];
  if (fields.some((field) => !field || /\s/.test(field))) throw new Error(`${id}: fields`);
  return [...fields, pits].join(' ');
}

const rows = readFileSync(input, 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => packed(line.split('\t')));
const text = rows.join('\n');

if (process.argv.includes('--check')) {
  const {games} = JSON.parse(readFileSync(output, 'utf8'));
  const held = strFromU8(gunzipSync(Buffer.from(games, 'base64')));
  if (held !== text) throw new Error('data/human_games.json is not up to date');
} else {
  const zip = gzipSync(strToU8(text), {level: 9, mtime: 1});
  const games = Buffer.from(zip).toString('base64');
  writeFileSync(output, `${JSON.stringify({version: 1, variant: 'standard', count: rows.length, games})}\n`);
  console.log(`${rows.length} games, ${zip.length} bytes zipped, ${games.length} in the page`);
}
