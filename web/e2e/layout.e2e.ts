// Phones, large screens, colours, movement.
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {fit} from './support/fit';
import * as table from './support/table';
import {sampleGame, walk} from './support/views';
import {phone, visit} from './support/visit';

const kept = {'board.speed': 'instant', 'study.depth': 'quick'};

test('on a phone the whole board and whose turn it is are in sight at once', async () => {
  await visit({...phone, kept}, async (page) => {
    for (const variant of ['standard', 'bestemshe', 'seven'] as const) {
      await table.newGame(page, {variant, opponent: 'person'});
      await page.evaluate(() => scrollTo(0, 0));
      for (const name of ['board', 'plate-0', 'plate-1', 'status']) {
        const box = (await page.getByTestId(name).boundingBox())!;
        expect(box.y, name).toBeGreaterThanOrEqual(0);
        expect(box.y + box.height, name).toBeLessThanOrEqual(740);
        expect(box.x, name).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width, name).toBeLessThanOrEqual(360);
      }
      for (const pit of await page.locator('[data-pit]').all()) {
        const box = (await pit.boundingBox())!;
        expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
      }
    }
  });
});

test('a long press shows where the last ball falls and plays nothing; a tap plays', async () => {
  await visit({...phone, kept}, async (page, context) => {
    await table.newGame(page, {variant: 'standard', opponent: 'person'});
    const finger = await context.newCDPSession(page);
    const box = (await table.pitAt(page, 0, 7).boundingBox())!;
    const touchPoints = [{x: box.x + box.width / 2, y: box.y + box.height / 2}];
    await finger.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints});
    await page.waitForTimeout(600);
    const seen = page.locator('.pit-preview-to');
    expect(await seen.getAttribute('data-testid')).toBe('pit-1-6');
    expect(await seen.locator('.pit-badge').innerText()).toBe('+10');
    await finger.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
    await expect.poll(() => seen.count()).toBe(0);
    await page.waitForTimeout(100);
    expect(await table.moveTexts(page)).toEqual([]);
    await table.pitAt(page, 0, 7).tap();
    await expect.poll(() => table.moveTexts(page)).toHaveLength(1);
  });
});

test('a pointer over a pit shows the same', async () => {
  await visit({kept}, async (page) => {
    await table.pitAt(page, 0, 7).hover();
    const seen = page.locator('.pit-preview-to');
    expect(await seen.getAttribute('data-testid')).toBe('pit-1-6');
    await table.pitAt(page, 0, 1).hover();
    expect(await seen.getAttribute('data-testid')).toBe('pit-0-9');
    await page.mouse.move(2, 2);
    await expect.poll(() => seen.count()).toBe(0);
  });
});

test('a large screen is used, a phone on its side fits', async () => {
  for (const [width, height, least] of [
    [1920, 1080, 900],
    [740, 360, 300],
  ] as const)
    await visit({viewport: {width, height}, kept, query: sampleGame}, async (page) => {
      const board = (await page.getByTestId('board').boundingBox())!;
      expect(board.width).toBeGreaterThan(least);
      // On its side, a phone shows the whole board once it is scrolled to.
      expect(board.height + (height > 500 ? board.y : 0)).toBeLessThanOrEqual(height);
      await walk(page, async (view) => {
        const {width: taken} = await fit(page);
        expect(taken, view).toBeLessThanOrEqual(width);
      });
    });
});

test('colours follow the device, and the choice', async () => {
  const ground = (page: Page) =>
    page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d')!;
      canvas.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
      return (red! + green! + blue!) / 3;
    });
  for (const colorScheme of ['light', 'dark'] as const)
    await visit({colorScheme}, async (page) => {
      const dark = colorScheme === 'dark';
      expect((await ground(page)) < 128).toBe(dark);
      await page.getByTestId('theme-toggle').click();
      await expect.poll(async () => (await ground(page)) < 128).toBe(!dark);
      await page.reload();
      await page.locator('main').waitFor();
      expect((await ground(page)) < 128).toBe(!dark);
    });
});

test('who wants less movement sees none', async () => {
  await visit({reducedMotion: 'reduce', kept: {'board.speed': 'fast'}}, async (page) => {
    await table.newGame(page, {variant: 'standard', opponent: 'person'});
    await table.pitAt(page, 0, 7).click();
    await page.getByTestId('hand').waitFor();
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter(({effect}) => Number(effect?.getComputedTiming().duration) > 50)
        .map(({effect}) => (effect as KeyframeEffect).target?.className),
    );
    expect(moving).toEqual([]);
  });
});

test('every style of board can be chosen', async () => {
  await visit({kept}, async (page) => {
    await page.getByTestId('nav-settings').click();
    const styles = await page
      .locator('[data-testid="board-style"] input')
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    expect(styles.length).toBeGreaterThan(3);
    const looks = new Set<string>();
    for (const name of styles) {
      await page.getByTestId('nav-settings').click();
      await table.choose(page, `board-style-${name}`);
      await page.getByTestId('nav-play').click();
      const board = page.getByTestId('board');
      expect(await board.getAttribute('data-board')).toBe(name);
      await table.still(page);
      looks.add((await board.screenshot()).toString('base64'));
    }
    expect(looks.size).toBe(styles.length);
  });
});
