// Pictures of every view for people to look at: scripts/check_web.sh --shots DIR.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {describe, test} from 'vitest';
import {boardStyles} from '../src/board/settings';
import {languageCodes} from '../src/i18n/languages';
import {still} from './support/table';
import {sampleGame, walk} from './support/views';
import {phone, visit, type VisitOptions} from './support/visit';

const folder = process.env.SHOTS;
const kept = {'board.speed': 'instant', 'study.depth': 'quick'};
const sizes: Record<string, VisitOptions> = {phone, desk: {viewport: {width: 1280, height: 860}}};

async function shoot(page: Page, name: string): Promise<void> {
  await still(page);
  await page.evaluate(() => scrollTo(0, 0));
  const path = join(folder!, `${name}.png`);
  const size = page.viewportSize()!;
  if (size.width > 600) return void (await page.screenshot({path, fullPage: true}));
  // On a phone the window as tall as what is in it: the bar at its foot would else lie over the middle.
  const height = await page.evaluate(() => document.scrollingElement!.scrollHeight);
  await page.setViewportSize({...size, height: Math.max(size.height, height)});
  await page.screenshot({path});
  await page.setViewportSize(size);
}

describe.runIf(folder)('pictures', () => {
  mkdirSync(folder ?? '.', {recursive: true});

  test.each(languageCodes.flatMap((language) => Object.keys(sizes).map((size) => [language, size] as const)))(
    '%s on a %s',
    async (language, size) => {
      const colorScheme = languageCodes.indexOf(language) % 2 ? 'dark' : 'light';
      await visit({...sizes[size], colorScheme, kept}, async (page) => {
        await page.getByTestId('language').selectOption(language);
        await page.evaluate((game) => (location.hash = game), sampleGame);
        await walk(page, (view) => shoot(page, `${language}-${size}-${view}`));
      });
    },
  );

  test.each(boardStyles)('boards of %s', async (style) => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [size, options] of Object.entries(sizes))
        for (const [variant, game] of [
          ['standard', sampleGame],
          ['bestemshe', '#g=bestemshe.3142'],
          ['seven', '#g=seven.3142561'],
        ] as const)
          await visit({...options, colorScheme, query: game, kept: {...kept, 'board.style': style}}, (page) =>
            shoot(page, `board-${style}-${colorScheme}-${size}-${variant}`),
          );
  });

  test('a sowing', async () => {
    for (const [size, options] of Object.entries(sizes))
      await visit({...options, kept: {'board.speed': 'slow'}, query: '#g=standard.7'}, async (page) => {
        await page.getByTestId('pit-1-8').click();
        for (const at of [1, 2, 3]) {
          await page.waitForTimeout(1500);
          await page.screenshot({path: join(folder!, `sowing-${size}-${at}.png`)});
        }
      });
  });
});
