// Studying: the engine's lines, a review, what people played, exercises.
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {readFileSync} from 'node:fs';
import {at, recordedGames} from './support/files';
import * as table from './support/table';
import {phone, visit} from './support/visit';

const instant = {'board.speed': 'instant'};

interface Exercise {
  id: string;
  fen: string;
  solution: number[];
}
const exercises = new Map<string, Exercise>(
  JSON.parse(readFileSync(at('web/data/exercises.json'), 'utf8')).exercises.map((one: Exercise) => [
    one.id,
    one,
  ]),
);

const moves = (page: Page) => page.getByTestId('study-moves').locator('button').allInnerTexts();
const toStudy = (page: Page) => page.getByTestId('nav-study').click();

async function paste(page: Page, text: string): Promise<void> {
  await page.getByTestId('study-open').click();
  await page.getByTestId('open-paste').click();
  await page.getByTestId('open-text').fill(text);
  await page.getByTestId('open-read').click();
}

test('the engine’s lines are seen and played', async () => {
  await visit({kept: instant}, async (page) => {
    await toStudy(page);
    await table.choose(page, 'engine-switch');
    const line = page.getByTestId('line-0').locator('button');
    await line.nth(2).waitFor();
    await page.waitForFunction(
      () => Number(document.querySelector<HTMLElement>('[data-testid="engine-speed"]')!.dataset.nodes) > 3000,
    );
    expect(Number(await page.getByTestId('eval-bar').getAttribute('data-rate'))).toBeGreaterThan(20);
    const wanted = (await line.allInnerTexts()).slice(0, 3);
    await line.nth(2).click();
    const played = (await moves(page)).map((move) => move.replace(/\(.*/, ''));
    expect(played).toHaveLength(3);
    // The line may have changed while it was read.
    expect(played[0]).toMatch(/^\d\d/);
    expect(wanted).toHaveLength(3);
    await page.getByTestId('engine-lines').selectOption('5');
    await page.getByTestId('line-4').waitFor();
  });
});

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

test('a game is reviewed, and learnt from', async () => {
  const game = recordedGames().find(({source, plies}) => source === 'playok' && plies > 40 && plies < 60)!;
  await visit({kept: {...instant, 'study.depth': 'quick'}}, async (page) => {
    await toStudy(page);
    await paste(page, game.moves.join(' '));
    await page.getByTestId('panel-review').click();
    await page.getByTestId('review-start').click();
    await page.getByTestId('review-graph').waitFor({timeout: 60_000});
    for (const side of ['first', 'second'])
      expect(await page.getByTestId(`review-${side}`).innerText()).toMatch(/\d+%/);

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

test('what people played: counts, orders of moves, sources, a game to open', async () => {
  const games = recordedGames();
  await visit({kept: instant}, async (page) => {
    await toStudy(page);
    await page.getByTestId('panel-openings').click();
    const reached = page.getByTestId('openings-reached');
    await page.locator('[data-testid="openings-reached"][data-merged="true"]').waitFor();
    expect(await reached.innerText()).toContain(games.length.toLocaleString('en'));
    const row = page.locator('tr', {has: page.getByTestId('opening-7')});
    const sevens = games.filter(({moves: [first]}) => first!.startsWith('7')).length;
    expect(await row.locator('td').first().innerText()).toBe(String(sevens));

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

    await page.getByTestId('nav-first').click();
    await page.getByTestId('panel-openings').click();
    await page.getByTestId('filter-source').selectOption('kz2018');
    expect(await reached.innerText()).toMatch(/^360 /);
  });
});

async function current(page: Page): Promise<Exercise> {
  const id = await page.getByTestId('exercise-task').getAttribute('data-exercise');
  return exercises.get(id!)!;
}

test('exercises: wrong, right, hints, and progress that stays', async () => {
  await visit({...phone, kept: instant}, async (page) => {
    await toStudy(page);
    await page.getByTestId('study-exercises').click();
    await page.getByTestId('exercise').waitFor();
    const phase = () => page.getByTestId('exercise').getAttribute('data-phase');

    const first = await current(page);
    const wrong = (await table.look(page)).legal.find(({pit}) => !first.solution.includes(pit))!;
    await page.getByTestId('exercise-hint').click();
    await page.getByTestId('exercise-hints').waitFor();
    await table.pitAt(page, wrong.side, wrong.pit).click();
    expect(await phase()).toBe('wrong');
    await table.pitAt(page, wrong.side, first.solution[0]!).click();
    expect(await phase()).toBe('right');
    await page.getByTestId('exercise-next').click();

    const second = await current(page);
    expect(second.id).not.toBe(first.id);
    const {side} = (await table.look(page)).legal[0]!;
    await table.pitAt(page, side, second.solution[0]!).click();
    expect(await phase()).toBe('right');
    expect(await page.getByTestId('progress-streak').innerText()).toBe('1');

    await page.reload();
    await toStudy(page);
    await page.getByTestId('study-exercises').click();
    expect(await page.getByTestId('progress-tries').innerText()).toBe('2');
    expect(await page.getByTestId('progress-due').innerText()).toBe('1');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);

    await page.getByTestId('progress-reset').click();
    await page.getByTestId('reset-yes').click();
    expect(await page.getByTestId('progress-tries').innerText()).toBe('0');
  });
});
