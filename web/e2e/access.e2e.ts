// What an automatic check of accessibility can tell.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import type axe from 'axe-core';
import {expect, test} from 'vitest';
import {languages, type Language} from '../src/i18n/languages';
import {still} from './support/table';
import {sampleGame, walk} from './support/views';
import {phone, visit, type VisitOptions} from './support/visit';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const cases: [string, Language, VisitOptions][] = [
  ['light', 'en', {colorScheme: 'light'}],
  ['dark', 'kk', {colorScheme: 'dark'}],
  ['a phone, right to left', 'ar', {...phone, colorScheme: 'light'}],
];

test.each(cases)('no fault found: %s', async (_, language, options) => {
  const faults = new Set<string>();
  const lesser = new Set<string>();
  await visit({...options, kept: {'board.speed': 'instant', 'study.depth': 'quick'}}, async (page) => {
    await page.getByTestId('language').selectOption(language);
    await page.evaluate((game) => (location.hash = game), sampleGame);
    await page.evaluate(script);
    await walk(page, async (view) => {
      await still(page);
      // All of it in the window: a bar at its foot would else lie over what one could scroll to.
      const size = page.viewportSize()!;
      const height = await page.evaluate(() => document.scrollingElement!.scrollHeight);
      await page.setViewportSize({...size, height: Math.max(size.height, height)});
      const {violations} = await page.evaluate(() =>
        (globalThis as unknown as {axe: typeof axe}).axe.run(document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
          resultTypes: ['violations'],
        }),
      );
      await page.setViewportSize(size);
      for (const {id, impact, nodes: all} of violations) {
        // A pit's count is a digit in sight and a word to the ear ("two balls" is one word in Arabic); who
        // speaks to the page names the pit.
        const nodes =
          id === 'label-content-name-mismatch' ? all.filter(({html}) => !html.includes('data-pit')) : all;
        if (nodes.length === 0) continue;
        const where = nodes.slice(0, 3).map(({target, failureSummary}) => {
          return `${target.join(' ')}: ${failureSummary?.split('\n')[1]?.trim() ?? ''}`;
        });
        const words = `${view}: ${id} (${impact}): ${where.join(' | ')}`;
        if (impact === 'serious' || impact === 'critical') faults.add(words);
        else lesser.add(words);
      }
    });
  });
  if (lesser.size > 0)
    console.log(`  ${languages[language].name}, lesser:\n    ${[...lesser].join('\n    ')}`);
  expect([...faults]).toEqual([]);
});
