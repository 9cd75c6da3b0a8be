// Studying: variations, mistakes tried again, a review given up, orders of moves.
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {recordedGames} from './support/files';
import * as table from './support/table';
import {visit} from './support/visit';

const instant = {'board.speed': 'instant'};

const moves = (page: Page) => page.getByTestId('study-moves').locator('button').allInnerTexts();
const toStudy = (page: Page) => page.getByTestId('nav-study').click();

async function paste(page: Page, text: string): Promise<void> {
  await page.getByTestId('study-open').click();
  await page.getByTestId('open-paste').click();
  await page.getByTestId('open-text').fill(text);
  await page.getByTestId('open-read').click();
}

test('a game is pasted, gone through and branched by keys and clicks', async () => {
  await visit({kept: instant}, async (page) => {
    await toStudy(page);
    await paste(page, '1. 76 98 2. 66 87');
    expect(await moves(page)).toEqual(['76(10)', '98', '66', '87(4)']);
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    const current = () => page.locator('[data-testid="study-moves"] [aria-current]').innerText();
    expect(await current()).toBe('98');
    await table.pitAt(page, 0, 5).click();
    expect(await page.locator('.variation').count()).toBe(1);
    await page.locator('body').press('ArrowUp');
    expect(await current()).toBe('66');
    await page.locator('body').press('ArrowDown');
    await page.getByTestId('variation-promote').click();
    await page.getByTestId('variation-remove').click();
    expect(await moves(page)).toEqual(['76(10)', '98', '66', '87(4)']);
    await paste(page, 'no game at all');
    await page.getByTestId('open-fault').waitFor();
  });
});

test('mistakes are tried again', async () => {
  const game = recordedGames().find(({source, plies}) => source === 'playok' && plies > 40 && plies < 60)!;
  await visit({kept: {...instant, 'study.depth': 'quick'}}, async (page) => {
    await toStudy(page);
    await paste(page, game.moves.join(' '));
    await page.getByTestId('panel-review').click();
    await page.getByTestId('review-start').click();
    await page.getByTestId('review-graph').waitFor({timeout: 60_000});
    await page.getByTestId('review-graph').press('Home');
    await page.getByTestId('fault-next').click();
    const detail = page.getByTestId('review-detail');
    expect(await detail.innerText()).toMatch(/Inaccuracy|Mistake|Blunder/);
    expect(await detail.innerText()).toMatch(/Better was \d\d/);

    await page.getByTestId('learn-start').click();
    const lesson = page.getByTestId('lesson');
    await lesson.waitFor();
    await page.getByTestId('lesson-show').click();
    expect(await lesson.getAttribute('data-phase')).toBe('shown');
    await page.getByTestId('lesson-end').click();
    await page.getByTestId('review-graph').waitFor();
  });
});

test('a review is given up, and the engine is free again', async () => {
  await visit({kept: {...instant, 'study.depth': 'deep'}}, async (page) => {
    await toStudy(page);
    await paste(page, recordedGames()[0]!.moves.join(' '));
    await page.getByTestId('panel-review').click();
    await page.getByTestId('review-start').click();
    await page.getByTestId('review-progress').waitFor();
    await page.getByTestId('review-cancel').click();
    await page.getByTestId('review-start').waitFor();
    await table.choose(page, 'engine-switch');
    await page.getByTestId('line-0').waitFor();
  });
});

test('games that met by other orders of moves are counted together', async () => {
  const games = recordedGames();
  await visit({kept: instant}, async (page) => {
    await toStudy(page);
    await page.getByTestId('panel-openings').click();
    const reached = page.getByTestId('openings-reached');
    await page.locator('[data-testid="openings-reached"][data-merged="true"]').waitFor();
    // Two games met after eight moves in different orders.
    for (const pit of [8, 8, 9, 2, 9, 8, 8, 5]) await page.getByTestId(`opening-${pit}`).click();
    await page.locator('[data-testid="openings-reached"][data-merged="true"]').waitFor();
    const starts = ['8 8 9 2 8 8 9 5', '8 8 9 2 9 8 8 5'];
    const met = games.filter((game) =>
      starts.includes(
        game.moves
          .slice(0, 8)
          .map((move) => move[0])
          .join(' '),
      ),
    );
    expect(met.length).toBeGreaterThan(1);
    expect(await reached.innerText()).toMatch(new RegExp(`^${met.length} `));
    const listed = page.locator('[data-testid^="game-s"]');
    expect(await listed.count()).toBe(Math.min(5, met.length));
    const id = (await listed.first().getAttribute('data-testid'))!.slice('game-'.length);
    const sample = met.find((game) => game.id === id)!;
    await listed.first().click();
    await page.getByTestId('panel-moves').click();
    expect(await moves(page)).toHaveLength(sample.plies);
    expect(await page.locator('[data-testid="study-moves"] [aria-current]').getAttribute('data-ply')).toBe(
      '8',
    );
  });
});
