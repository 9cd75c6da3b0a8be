// Games from the first move to the last.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {expect, inject, test} from 'vitest';
import type {Variant} from './support/files';
import {toguz} from './support/native';
import * as table from './support/table';
import {visit} from './support/visit';

const instant = {'board.speed': 'instant'};

// The end is told in words, on the page and to a screen reader, and the record is without a fault.
async function checkEnd(page: Page, variant: Variant, plies: number, heard: string[]): Promise<void> {
  const end = await table.ending(page);
  expect(end.reason).toMatch(/^(majority|no_moves|repetition)$/);
  const winner = {'1-0': /first player wins/, '0-1': /second player wins/, '1/2-1/2': /draw/i}[end.result]!;
  expect(end.words).toMatch(winner);
  expect(heard.at(-1)).toMatch(winner);

  const moves = await table.moveTexts(page);
  expect(moves.length).toBe(plies);
  const file = join(inject('made').folder, `${variant}-${plies}.pgn`);
  await table.download(page, file);
  expect(toguz('replay', '--format', 'pgn', '--variant', variant, file)).toMatch(/^1 ok, 0 failed/);
  const record = readFileSync(file, 'utf8');
  expect(record).toContain(`[Result "${end.result}"]`);
  for (const move of moves) expect(record).toContain(move);
}

test.each([
  ['standard', 1],
  ['giveaway', 2],
  ['bestemshe', 3],
  ['seven', 2],
] as const)('a game of %s against level %i by clicks', async (variant, level) => {
  await visit({kept: instant}, async (page) => {
    await table.newGame(page, {variant, opponent: 'engine', levels: [level], side: 'first'});
    const heard = await table.listen(page);
    const balls = table.ballsOn(await table.look(page));
    const pick = table.dice(7);
    let own = 0;
    for (; await table.turn(page); ++own) {
      const seen = await table.look(page);
      expect(table.ballsOn(seen)).toBe(balls);
      expect(seen.legal.every(({side}) => side === 0)).toBe(true);
      const {side, pit} = seen.legal[pick(seen.legal.length)]!;
      await table.pitAt(page, side, pit).click();
    }
    expect(own).toBeGreaterThan(4);
    const plies = (await table.moveTexts(page)).length;
    expect([2 * own, 2 * own - 1]).toContain(plies);
    await checkEnd(page, variant, plies, await heard());
  });
});

test('a game by keyboard alone', async () => {
  await visit({kept: instant}, async (page) => {
    const {keyboard} = page;
    const focused = (name: string) =>
      page.evaluate(
        (wanted) =>
          (document.activeElement as HTMLElement | null)?.dataset.testid?.startsWith(wanted) ?? false,
        name,
      );
    const tabTo = async (name: string) => {
      for (let i = 0; i < 40 && !(await focused(name)); ++i) await keyboard.press('Tab');
      expect(await focused(name), `Tab leads to ${name}`).toBe(true);
    };
    await tabTo('new-game');
    await keyboard.press('Enter');
    await tabTo('variant-');
    for (let i = 0; i < 4 && !(await focused('variant-bestemshe')); ++i) await keyboard.press('ArrowDown');
    await tabTo('opponent-');
    for (let i = 0; i < 3 && !(await focused('opponent-engine')); ++i) await keyboard.press('ArrowDown');
    await tabTo('level-0');
    await keyboard.press('Home');
    await tabTo('side-');
    for (let i = 0; i < 3 && !(await focused('side-second')); ++i) await keyboard.press('ArrowDown');
    await tabTo('start-game');
    await keyboard.press('Enter');
    const heard = await table.listen(page);

    const pick = table.dice(3);
    for (let own = 0; await table.turn(page); ++own) {
      const {legal} = await table.look(page);
      expect(legal.every(({side}) => side === 1)).toBe(true);
      const {pit} = legal[pick(legal.length)]!;
      if (own % 2 === 1) {
        await keyboard.press(String(pit));
        continue;
      }
      // His own row is the lower one, pit 1 at the left.
      await tabTo('pit-');
      await keyboard.press('ArrowDown');
      await keyboard.press('Home');
      for (let i = 1; i < pit; ++i) await keyboard.press('ArrowRight');
      expect(await focused(`pit-1-${pit}`)).toBe(true);
      await keyboard.press('Enter');
    }
    const moves = await table.moveTexts(page);
    await checkEnd(page, 'bestemshe', moves.length, await heard());
    const told = (await heard()).join('\n');
    expect(told).toMatch(/Second player plays pit \d\. The last ball falls/);
    expect(told).toMatch(/captures \d+ balls/);
  });
});

test('a game watched', async () => {
  await visit({kept: instant}, async (page) => {
    await table.newGame(page, {variant: 'bestemshe', opponent: 'watch', levels: [3, 1]});
    const heard = await table.listen(page);
    expect((await table.look(page)).legal).toEqual([]);
    await page.getByTestId('ending').waitFor({timeout: 90_000});
    const moves = await table.moveTexts(page);
    await checkEnd(page, 'bestemshe', moves.length, await heard());
    expect((await heard()).filter((words) => / plays pit /.test(words)).length).toBeGreaterThan(
      moves.length - 3,
    );
  });
});

test('a sowing is shown ball by ball, with its capture, and can be skipped', async () => {
  await visit({kept: {'board.speed': 'fast'}}, async (page) => {
    await table.newGame(page, {variant: 'standard', opponent: 'person'});
    await page.evaluate(() => {
      const frames: string[] = [];
      const board = document.querySelector('[data-testid="board"]')!;
      Object.assign(globalThis, {frames});
      new MutationObserver(() => {
        const hand = board.querySelector('[data-testid="hand"] b')?.textContent;
        const flight = board.querySelector('.board-flight b')?.textContent;
        const frame = flight ?? hand ?? '';
        if (frame !== (frames.at(-1) ?? '')) frames.push(frame);
      }).observe(board, {subtree: true, childList: true, characterData: true, attributes: true});
    });
    const frames = () => page.evaluate(() => (globalThis as unknown as {frames: string[]}).frames.splice(0));
    const rest = () => page.locator('[data-testid="board"][data-busy="false"]').waitFor();

    await table.pitAt(page, 0, 7).click();
    await rest();
    // Nine balls taken up, one after another sown; the last makes ten in pit 6 and takes them.
    expect(await frames()).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', '0', '+10', '']);
    expect((await table.look(page)).kazan).toEqual([10, 0]);

    await table.pitAt(page, 1, 9).click();
    await page.getByTestId('hand').waitFor();
    await page.getByTestId('board').click({position: {x: 4, y: 4}});
    await rest();
    expect((await frames()).length).toBeLessThan(8);
    expect(table.ballsOn(await table.look(page))).toBe(162);
  });
});
