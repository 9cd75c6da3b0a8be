// The engine in the page searches as the native one does, to the last digit.
import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import type {Page} from 'playwright-core';
import {describe, expect, inject, test} from 'vitest';
import type {SearchResult} from '../src/engine/api';
import {signatures, variants, type Variant} from './support/files';
import {thoughts} from './support/native';
import * as table from './support/table';
import {visit} from './support/visit';

const builds = [
  ['with vectors', ''],
  ['plain', '?plain'],
] as const;

test.each(builds)('search signatures, %s', async (_, query) => {
  await visit({query}, async (page) => {
    const own: Partial<Record<Variant, string>> = {};
    for (const variant of variants)
      own[variant] = await page.evaluate((each) => toguz.engine.signature(each), variant);
    expect(own).toEqual(signatures());
  });
});

test('the networks in the page are those of the int8 files', async () => {
  await visit({}, async (page) => {
    for (const variant of variants) {
      const text = await page.evaluate(
        (each) => document.getElementById(`toguz-model-${each}`)!.textContent,
        variant,
      );
      const file = readFileSync(inject('made').models[variant]!);
      expect(gunzipSync(Buffer.from(text, 'base64')).equals(file), variant).toBe(true);
    }
  });
});

// Games begun at random, so that no search can go on with another's tree.
function lines(page: Page, variant: Variant, count: number): Promise<number[][]> {
  const pick = table.dice(11);
  const lots = Array.from({length: count * 40}, () => pick(1000));
  return page.evaluate(
    ([each, drawn, games]) => {
      const all: number[][] = [];
      for (let game = 0; game < games; ++game) {
        const moves: number[] = [];
        for (let ply = 0; ply < 3 + 5 * game; ++ply) {
          const state = toguz.rules.state({variant: each, moves});
          if (state.over) break;
          moves.push(state.legal[drawn.pop()! % state.legal.length]!);
        }
        if (toguz.rules.state({variant: each, moves}).over) moves.pop();
        all.push(moves);
      }
      return all;
    },
    [variant, lots, count] as const,
  );
}

describe.each(builds)('as the native engine, %s', (_, query) => {
  test.each(variants)('%s', async (variant) => {
    const nodes = query ? 150 : 400;
    await visit({query}, async (page) => {
      const games = await lines(page, variant, 5);
      const found: SearchResult[] = [];
      for (const moves of games)
        found.push(
          await page.evaluate(([game, limits]) => toguz.engine.think(game, limits), [
            {variant, moves},
            {nodes, lines: 3},
          ] as const),
        );
      const native = thoughts(
        inject('made').models[variant]!,
        games.map((moves) => `position startpos moves ${moves.join(' ')}`),
        nodes,
        3,
      );
      expect(native.length).toBe(games.length);
      for (const [i, result] of found.entries()) {
        const own = {
          nodes: result.nodes,
          best: result.best,
          lines: result.lines.map(({winRate, margin, pv}) => ({
            winRate: winRate.toFixed(1),
            margin: margin.toFixed(1),
            pv,
          })),
        };
        const {best, ...rest} = native[i]!;
        expect(own, games[i]!.join('')).toEqual({...rest, best: Number(best[0])});
      }
    });
  });
});

test('five seconds of thinking at the start', async () => {
  for (const [name, query] of builds)
    await visit({query}, async (page) => {
      for (const variant of query ? (['standard'] as const) : variants) {
        const {nodes, timeMs} = await page.evaluate(
          ([each, ms]) => toguz.engine.think({variant: each, moves: []}, {moveTimeMs: ms}),
          [variant, variant === 'standard' ? 5000 : 2000] as const,
        );
        expect(nodes).toBeGreaterThan(0);
        console.log(`  ${variant}, ${name}: ${Math.round((1000 * nodes) / timeMs)} nodes a second`);
      }
    });
});
