// Studying: analysis, review, the games of people, exercises.
import {readFileSync} from 'node:fs';
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import type {Exercise} from '../src/study/exercises/catalogue';
import {at, recordedGames, type RecordedGame} from './support/files';
import * as table from './support/table';
import {openPage, visit} from './support/visit';

const instant = {'board.speed': 'instant'};
const games = recordedGames();

const toStudy = async (page: Page) => {
  await page.getByTestId('nav-study').click();
  await page.locator('.study').waitFor();
};

async function openText(page: Page, text: string): Promise<void> {
  await page.getByTestId('study-open').click();
  await page.getByTestId('open-paste').click();
  await page.getByTestId('open-text').fill(text);
  await page.getByTestId('open-read').click();
  await page.getByTestId('open-dialog').waitFor({state: 'detached'});
}

const studyMoves = (page: Page) => page.locator('[data-testid="study-moves"] .study-move');

test('a game of people is reviewed: marks, graph, turning points, what was better', async () => {
  const game = games.find(({plies, result}) => plies >= 60 && plies <= 80 && result === '1-0')!;
  await visit({kept: {...instant, 'study.depth': 'quick'}}, async (page) => {
    await toStudy(page);
    await openText(page, game.moves.join(' '));
    await expect.poll(() => studyMoves(page).count()).toBe(game.plies);
    await page.getByTestId('panel-review').click();
    await page.getByTestId('review-start').click();
    await page.getByTestId('review-progress').waitFor();
    await page.getByTestId('review-graph').waitFor({timeout: 90_000});

    const line = await page.locator('.graph-line').getAttribute('d');
    expect(line!.match(/[ML]/g)!.length).toBe(game.plies + 1);
    let marked = 0;
    for (const side of ['first', 'second']) {
      const card = page.getByTestId(`review-${side}`);
      expect(await card.innerText()).toMatch(/\d+\s?%/);
      const counts = await card.locator('.side-marks li').allInnerTexts();
      expect(counts.length).toBe(4);
      marked += counts.reduce((sum, text) => sum + Number(/\d+\s*$/.exec(text)![0]), 0);
    }
    expect(marked).toBeGreaterThan(0);

    // A turning point is gone to, and says what was better.
    const turning = page.getByTestId('review-turning').getByRole('button');
    expect(await turning.count()).toBeGreaterThan(0);
    await turning.first().click();
    const detail = page.getByTestId('review-detail');
    expect(await detail.innerText()).toMatch(/Better was \d\d/);
    const at = await page.getByTestId('review-graph').getAttribute('aria-valuenow');
    expect(await turning.first().innerText()).toContain(`${Math.ceil(Number(at) / 2)}.`);

    // The graph leads to the place that is clicked.
    const box = (await page.getByTestId('review-graph').boundingBox())!;
    await page.mouse.click(box.x + box.width - 2, box.y + box.height / 2);
    expect(await page.getByTestId('review-graph').getAttribute('aria-valuenow')).toBe(String(game.plies));
    await page.getByTestId('review-graph').press('Home');
    expect(await page.getByTestId('review-graph').getAttribute('aria-valuenow')).toBe('0');
    await page.getByTestId('fault-next').click();
    expect(Number(await page.getByTestId('review-graph').getAttribute('aria-valuenow'))).toBeGreaterThan(0);

    // The marks stand in the list of moves too, as many as were counted.
    await page.getByTestId('panel-moves').click();
    expect(await page.locator('[data-testid="study-moves"] .mark').count()).toBe(marked);

    await page.getByTestId('panel-review').click();
    await page.getByTestId('learn-start').click();
    const lesson = page.getByTestId('lesson');
    await lesson.waitFor();
    await page.getByTestId('lesson-show').click();
    await expect.poll(() => lesson.getAttribute('data-phase')).toBe('shown');
    await page.getByTestId('lesson-end').click();
    await page.getByTestId('review-graph').waitFor();
  });
});

test('a game just played goes to its review', async () => {
  await visit({kept: instant}, async (page) => {
    await table.newGame(page, {variant: 'bestemshe', opponent: 'person'});
    const pick = table.dice(2);
    while (await table.turn(page)) {
      const {legal} = await table.look(page);
      const {side, pit} = legal[pick(legal.length)]!;
      await table.pitAt(page, side, pit).click();
    }
    const moves = await table.moveTexts(page);
    await page.getByTestId('review').click();
    await page.getByTestId('review-graph').or(page.getByTestId('review-start')).waitFor();
    if (await page.getByTestId('review-start').isVisible()) await page.getByTestId('review-start').click();
    await page.getByTestId('review-graph').waitFor({timeout: 60_000});
    await page.getByTestId('panel-moves').click();
    expect(await studyMoves(page).count()).toBe(moves.length);
  });
});

interface Count {
  games: number;
  first: number;
  draws: number;
  second: number;
  unknown: number;
}

function count(of: RecordedGame[]): Count {
  const result = (wanted: string) => of.filter((game) => game.result === wanted).length;
  return {
    games: of.length,
    first: result('1-0'),
    draws: result('1/2-1/2'),
    second: result('0-1'),
    unknown: result('*'),
  };
}

// As the explorer shows them, by move.
async function shown(page: Page): Promise<Record<string, Count>> {
  await page.locator('[data-testid="openings-reached"][data-merged="true"]').waitFor();
  const rows = page.getByTestId('openings').locator('tbody tr:not(.openings-all)');
  const found: Record<string, Count> = {};
  for (const row of await rows.all()) {
    const words = (await row.getByRole('img').getAttribute('aria-label'))!;
    const [first, draws, second, unknown] = words.match(/\d+/g)!.map(Number);
    const all = Number((await row.locator('.openings-count').innerText()).replaceAll(/\D/g, ''));
    const move = (await row.getByRole('button').innerText())[0]!;
    found[move] = {games: all, first: first!, draws: draws!, second: second!, unknown: unknown!};
  }
  return found;
}

function counted(of: RecordedGame[], ply: number): Record<string, Count> {
  const byPit = new Map<string, RecordedGame[]>();
  for (const game of of) {
    const pit = game.moves[ply]?.[0];
    if (pit) byPit.set(pit, [...(byPit.get(pit) ?? []), game]);
  }
  return Object.fromEntries([...byPit].map(([pit, same]) => [pit, count(same)]));
}

test('the opening explorer counts as the collection does', async () => {
  await visit({kept: instant}, async (page) => {
    await toStudy(page);
    await page.getByTestId('panel-openings').click();
    expect(await shown(page)).toEqual(counted(games, 0));

    let reached = games;
    for (const [ply, pit] of ['7', '9', '5'].entries()) {
      const row = page.getByTestId(`opening-${pit}`);
      await row.click();
      reached = reached.filter((game) => game.moves[ply]?.[0] === pit);
      await expect
        .poll(async () => Number(/[\d,]+/.exec(await page.getByTestId('openings-reached').innerText())![0]))
        .toBe(reached.length);
      expect(await shown(page)).toEqual(counted(reached, ply + 1));
    }

    // Other orders of moves are counted in: as many games as reach the position in any.
    const sequence = [7, 9, 5, 8].map(String);
    await page.getByTestId('opening-8').click();
    await page.locator('[data-testid="openings-reached"][data-merged="true"]').waitFor();
    const same = await page.evaluate(
      ([starts, wanted]) => {
        const fen = (pits: string) =>
          toguz.rules.state({variant: 'standard', moves: [...pits].map(Number)}).fen;
        const place = fen(wanted);
        return starts.filter((start) => fen(start) === place);
      },
      [
        [
          ...new Set(
            games.map(({moves}) =>
              moves
                .slice(0, 4)
                .map((move) => move[0])
                .join(''),
            ),
          ),
        ],
        sequence.join(''),
      ] as const,
    );
    const all = games.filter(({moves}) =>
      same.includes(
        moves
          .slice(0, 4)
          .map((move) => move[0])
          .join(''),
      ),
    );
    expect(await shown(page)).toEqual(counted(all, 4));

    await page.getByTestId('nav-first').click();
    await page.getByTestId('filter-source').selectOption('kz2018');
    const tournament = games.filter(({source}) => source === 'kz2018');
    await expect.poll(() => shown(page)).toEqual(counted(tournament, 0));
  });
});

test('a game of the collection is opened and stepped through', async () => {
  const game = games.find(({id}) => id === 's0001')!;
  await visit({kept: instant}, async (page) => {
    await toStudy(page);
    await page.getByTestId('study-open').click();
    await page.getByTestId('filter-source').selectOption(game.source);
    const count = games.filter(({source}) => source === game.source).length;
    await expect.poll(() => page.getByTestId('games-count').innerText()).toContain(String(count));
    while (!(await page.getByTestId(`game-${game.id}`).isVisible()))
      await page.getByTestId('games-more').click();
    await page.getByTestId(`game-${game.id}`).click();
    await expect.poll(() => studyMoves(page).count()).toBe(game.plies);
    const start = await table.look(page);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => table.look(page)).not.toEqual(start);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => table.look(page)).toEqual(start);
    await page.getByTestId('nav-last').click();
    // The record's kazans at its end.
    await expect.poll(async () => (await table.look(page)).kazan).toEqual([66, 44]);
  });
});

test('the engine’s lines grow, in as many rows as wanted, and can be played', async () => {
  await visit({kept: instant}, async (page) => {
    await toStudy(page);
    await table.choose(page, 'engine-switch');
    const nodes = async () => Number(await page.getByTestId('engine-speed').getAttribute('data-nodes'));
    await expect.poll(nodes, {timeout: 20_000}).toBeGreaterThan(300);
    const before = await nodes();
    await expect.poll(nodes, {timeout: 20_000}).toBeGreaterThan(before);
    for (const wanted of [3, 1, 5]) {
      await page.getByTestId('engine-lines').selectOption(String(wanted));
      await expect.poll(() => page.locator('.lines .line').count()).toBe(wanted);
    }
    const rate = Number(await page.getByTestId('eval-bar').getAttribute('data-rate'));
    expect(rate).toBeGreaterThan(20);
    expect(rate).toBeLessThan(80);
    const line = await page.getByTestId('line-0').locator('.line-move').allInnerTexts();
    expect(line.length).toBeGreaterThan(2);
    await page.getByTestId('line-0-2').click();
    expect(await studyMoves(page).count()).toBe(3);
    // Another move at the start is a variation.
    await page.getByTestId('nav-first').click();
    const {legal} = await table.look(page);
    const other = legal.find(({pit}) => String(pit) !== line[0]![0])!;
    await table.pitAt(page, 0, other.pit).click();
    await expect.poll(() => studyMoves(page).count()).toBe(4);
    expect(await page.locator('[data-testid="study-moves"] .variation').count()).toBe(1);
    await table.choose(page, 'engine-switch');
    await page.getByTestId('play-from-here').click();
    await page.getByTestId('new-game').waitFor();
    expect(await table.moveTexts(page)).toHaveLength(1);
  });
});

test('exercises: a wrong move is told, the right one counts, and progress is kept', async () => {
  const {exercises} = JSON.parse(readFileSync(at('web/data/exercises.json'), 'utf8')) as {
    exercises: Exercise[];
  };
  await visit({kept: instant}, async (page) => {
    await toStudy(page);
    await page.getByTestId('study-exercises').click();
    const task = page.getByTestId('exercise-task');
    const figure = async (name: string) =>
      Number(/\d+/.exec(await page.getByTestId(`progress-${name}`).innerText())![0]);
    const current = async () => {
      const id = await task.getAttribute('data-exercise');
      return exercises.find((one) => one.id === id)!;
    };
    const answer = page.getByTestId('exercise-answer');

    const first = await current();
    const {legal} = await table.look(page);
    const wrong = legal.find(({pit}) => !first.solution.includes(pit))!;
    await table.pitAt(page, wrong.side, wrong.pit).click();
    await expect.poll(() => answer.innerText()).toMatch(/^Not \d\d.*Try again\.\s+\w+/s);
    await table.pitAt(page, wrong.side, first.solution[0]!).click();
    await expect.poll(() => answer.innerText()).toMatch(/^Right! \d\d/);
    expect(await figure('streak')).toBe(0);

    await page.getByTestId('exercise-next').click();
    await expect.poll(() => task.getAttribute('data-exercise')).not.toBe(first.id);
    const second = await current();
    const {side} = (await table.look(page)).legal[0]!;
    await table.pitAt(page, side, second.solution[0]!).click();
    await expect.poll(() => answer.innerText()).toMatch(/^Right!/);
    expect(await figure('streak')).toBe(1);
    const [solved, tries] = [await figure('solved'), await figure('tries')];
    expect(tries).toBe(2);
    expect(solved).toBeGreaterThan(0);

    await openPage(page, page.url());
    await toStudy(page);
    await page.getByTestId('study-exercises').click();
    await task.waitFor();
    expect(await figure('solved')).toBe(solved);
    expect(await figure('streak')).toBe(1);

    for (const kind of ['capture', 'tuzdik', 'avoid']) {
      await page.getByTestId('exercise-kind').selectOption(kind);
      await expect.poll(() => task.getAttribute('data-kind')).toBe(kind);
    }
    await page.getByTestId('exercise-hint').click();
    expect(await page.getByTestId('exercise-hints').innerText()).toMatch(/\w+ \w+/);
    await page.getByTestId('exercise-solution').click();
    await expect.poll(() => answer.innerText()).toMatch(/^The solution: \d\d/);
    await page.getByTestId('exercise-analyse').click();
    await page.getByTestId('study-moves').waitFor();
  });
});

test('exercises of every game', async () => {
  await visit({kept: instant}, async (page) => {
    await toStudy(page);
    await page.getByTestId('study-exercises').click();
    for (const [variant, pits] of [
      ['giveaway', 9],
      ['bestemshe', 5],
      ['seven', 7],
    ] as const) {
      await page.getByTestId('exercise-variant').selectOption(variant);
      await page.getByTestId('exercise-task').waitFor();
      await expect.poll(async () => (await table.look(page)).pits[0].length).toBe(pits);
    }
  });
});
