// The page as `toguz serve` gives it out: an app that can be installed and works without its server.
import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, inject, test} from 'vitest';
import {serve} from './support/native';
import * as table from './support/table';
import {openPage, visit} from './support/visit';

const instant = {'board.speed': 'instant'};

test('it can be installed, and plays on when the server has gone', async () => {
  const server = await serve();
  try {
    const profile = join(inject('made').folder, 'profile');
    await visit({url: server.url, kept: instant, profile}, async (page, context) => {
      const devtools = await context.newCDPSession(page);
      const manifest = await devtools.send('Page.getAppManifest');
      expect(manifest.errors).toEqual([]);
      const told = JSON.parse(manifest.data!) as {name: string; start_url: string; icons: unknown[]};
      expect(told.name).toBe('Toguz Zero');
      expect(told.icons.length).toBeGreaterThan(0);
      expect(await devtools.send('Page.getInstallabilityErrors')).toEqual({installabilityErrors: []});
      await page.getByTestId('install-offer').waitFor();
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

      await table.newGame(page, {variant: 'bestemshe', opponent: 'engine', levels: [1], side: 'first'});
      await table.pitAt(page, 0, 3).click();
      await table.turn(page);
      const seen = await table.look(page);
      await server.stop();

      await page.reload();
      await page.locator('main').waitFor();
      expect(await table.look(page)).toEqual(seen);
      await table.pitAt(page, 0, seen.legal[0]!.pit).click();
      await table.turn(page);
      expect((await table.moveTexts(page)).length).toBeGreaterThan(3);

      const other = await context.newPage();
      await openPage(other, server.url);
      await other.getByTestId('hint').click();
      await other.getByTestId('hint-play').waitFor();
    });
  } finally {
    await server.stop();
  }
});

test('moves are copied and shared', async () => {
  const server = await serve();
  try {
    await visit({url: server.url, kept: instant}, async (page, context) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await table.newGame(page, {variant: 'seven', opponent: 'person'});
      await table.pitAt(page, 0, 3).click();
      await table.openMenu(page, 'open-share');
      await page.getByTestId('copy-link').click();
      await expect.poll(() => page.getByTestId('notice').innerText()).toBe('Copied.');
      const link = await page.evaluate(() => navigator.clipboard.readText());
      expect(link).toBe(`${server.url}#g=seven.3`);
      const other = await context.newPage();
      await openPage(other, link);
      expect(await table.moveTexts(other)).toHaveLength(1);
    });
  } finally {
    await server.stop();
  }
});

test('a training run is shown as it goes on', async () => {
  const folder = join(inject('made').folder, 'runs');
  const metrics = join(folder, 'first', 'metrics.jsonl');
  const line = (step: number) =>
    JSON.stringify({
      step,
      kind: 'train',
      elapsed: 6 * step,
      generation: step,
      games: 1000 * step,
      losses: {policy: 2 / step},
    }) + '\n';
  mkdirSync(join(folder, 'first', 'games'), {recursive: true});
  writeFileSync(join(folder, 'first', 'config.toml'), '[game]\nvariant = "seven"\n');
  writeFileSync(metrics, line(10));
  const server = await serve('--run', folder);
  try {
    await visit({url: server.url, open: false}, async (page) => {
      await page.goto(`${server.url}runs`);
      await page.getByRole('link', {name: 'first'}).click();
      await page.locator('#live[data-state="live"]').waitFor();
      const tiles = page.locator('#tiles');
      await expect.poll(() => tiles.innerText()).toContain('10 k');
      appendFileSync(metrics, line(20) + line(30));
      await expect.poll(() => tiles.innerText(), {timeout: 10_000}).toContain('30 k');
      expect(await page.locator('#charts canvas').count()).toBeGreaterThan(0);
    });
  } finally {
    await server.stop();
  }
});
