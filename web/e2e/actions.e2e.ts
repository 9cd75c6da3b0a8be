// What can be done in a game besides moving.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {expect, inject, test} from 'vitest';
import * as table from './support/table';
import {openPage, pageAddress, visit} from './support/visit';

const instant = {'board.speed': 'instant'};

const pick = table.dice(5);

// So many moves of whoever may move.
async function play(page: Page, moves: number): Promise<void> {
  for (let i = 0; i < moves; ++i) {
    await table.turn(page);
    const {legal} = await table.look(page);
    const {side, pit} = legal[pick(legal.length)]!;
    await table.pitAt(page, side, pit).click();
  }
  await table.turn(page);
}

const shared = async (page: Page, what: 'link' | 'moves' | 'position'): Promise<string> => {
  await table.openMenu(page, 'open-share');
  const text = await page.getByTestId(`share-${what}`).inputValue();
  await page.getByTestId('dialog-close').click();
  return text;
};

test('a hint names a legal move with its reason, marks it, and can be played', async () => {
  await visit({kept: instant}, async (page) => {
    await page.getByTestId('hint').click();
    await page.getByTestId('hint-play').waitFor();
    const words = await page.getByTestId('hint-text').locator('p').innerText();
    const pit = Number(/^Play (\d)/.exec(words)?.[1]);
    const {legal} = await table.look(page);
    expect(legal).toContainEqual({side: 0, pit});
    // A reason, and what is expected of it.
    expect(words.split('. ').length).toBeGreaterThan(2);
    expect(words).toMatch(/\d+\s?%/);
    await expect.poll(() => table.pitAt(page, 0, pit).getAttribute('class')).toContain('pit-hint');
    await page.getByTestId('hint-play').click();
    await expect.poll(() => table.moveTexts(page)).not.toEqual([]);
    expect((await table.moveTexts(page))[0]![0]).toBe(String(pit));
    expect(await page.getByTestId('hint-text').count()).toBe(0);
  });
});

test('a move is taken back and made again, against the engine with its answer', async () => {
  await visit({kept: instant}, async (page) => {
    await table.newGame(page, {variant: 'standard', opponent: 'engine', levels: [1], side: 'first'});
    const start = await table.look(page);
    await play(page, 1);
    const second = await table.look(page);
    await play(page, 1);
    const third = await table.look(page);
    const moves = await table.moveTexts(page);
    expect(moves.length).toBe(4);
    await page.getByTestId('undo').click();
    expect(await table.look(page)).toEqual(second);
    await page.getByTestId('undo').click();
    expect(await table.look(page)).toEqual(start);
    expect(await page.getByTestId('undo').isDisabled()).toBe(true);
    await page.getByTestId('redo').click();
    await page.getByTestId('redo').click();
    expect(await table.look(page)).toEqual(third);
    expect(await table.moveTexts(page)).toEqual(moves);
    expect(await page.getByTestId('redo').isDisabled()).toBe(true);
  });
});

test('moves can be looked at, and the game continued from there', async () => {
  await visit({kept: instant}, async (page) => {
    await table.newGame(page, {variant: 'seven', opponent: 'person'});
    await play(page, 2);
    const then = await table.look(page);
    await play(page, 2);
    await page.getByTestId('move-2').click();
    const {pits, legal} = await table.look(page);
    expect(pits).toEqual(then.pits);
    expect(legal).toEqual([]);
    await page.getByTestId('continue-here').click();
    await play(page, 1);
    expect((await table.moveTexts(page)).length).toBe(3);
  });
});

test('who resigns has lost', async () => {
  await visit({kept: instant}, async (page) => {
    await table.newGame(page, {variant: 'standard', opponent: 'engine', levels: [1], side: 'second'});
    await table.turn(page);
    await table.openMenu(page, 'open-resign');
    await page.getByTestId('resign-confirm').click();
    const end = await table.ending(page);
    expect(end).toMatchObject({result: '1-0', reason: 'resignation'});
    expect(end.words).toMatch(/first player wins.*resign/is);
    expect((await table.look(page)).legal).toEqual([]);
  });
});

test('the board is turned', async () => {
  await visit({}, async (page) => {
    const lower = async () => {
      const [first, second] = await Promise.all(
        ([0, 1] as const).map((side) => table.pitAt(page, side, 1).boundingBox()),
      );
      return first!.y > second!.y ? 0 : 1;
    };
    expect(await lower()).toBe(0);
    await page.getByTestId('flip').click();
    expect(await lower()).toBe(1);
    // His first pit is at his left still.
    const [one, nine] = await Promise.all([1, 9].map((pit) => table.pitAt(page, 1, pit).boundingBox()));
    expect(one!.x).toBeLessThan(nine!.x);
  });
});

test('a link opens the game anew, a spoilt one says so', async () => {
  await visit({kept: instant}, async (page, context) => {
    await table.newGame(page, {variant: 'giveaway', opponent: 'person'});
    await play(page, 3);
    const [seen, moves, link] = [
      await table.look(page),
      await table.moveTexts(page),
      await shared(page, 'link'),
    ];
    const other = await context.newPage();
    await openPage(other, link);
    expect(await table.look(other)).toEqual(seen);
    expect(await table.moveTexts(other)).toEqual(moves);
    expect(await other.getByTestId('notice').innerText()).toMatch(/3 moves/);

    await openPage(other, link.replace(/#.*/, '#g=standard.99999999999999'));
    await other.getByTestId('notice').waitFor();
    expect(await other.getByTestId('notice').innerText()).toMatch(/breaks the rules/);
  });
});

test('moves and position texts can be pasted', async () => {
  await visit({kept: instant}, async (page) => {
    await table.newGame(page, {variant: 'seven', opponent: 'person'});
    await play(page, 2);
    const seen = await table.look(page);
    const [moves, position] = [await shared(page, 'moves'), await shared(page, 'position')];
    await table.newGame(page, {variant: 'seven', opponent: 'person'});
    for (const text of [moves, position]) {
      await table.openMenu(page, 'open-share');
      await page.getByTestId('paste').fill(text);
      await page.getByTestId('paste-open').click();
      await page.getByTestId('share-dialog').waitFor({state: 'detached'});
      const {pits, kazan} = await table.look(page);
      expect({pits, kazan}).toEqual({pits: seen.pits, kazan: seen.kazan});
    }
    await table.openMenu(page, 'open-share');
    await page.getByTestId('paste').fill('1. 76 00');
    await page.getByTestId('paste-open').click();
    expect(await page.getByTestId('notice').innerText()).toMatch(/\w+ \w+/);
  });
});

test('a game is saved, found again after the page was closed, and deleted', async () => {
  await visit({kept: instant}, async (page) => {
    await table.newGame(page, {variant: 'bestemshe', opponent: 'person'});
    await play(page, 3);
    const seen = await table.look(page);
    await table.openMenu(page, 'open-games');
    await page.getByTestId('save-name').fill('Evening game');
    await page.getByTestId('save').click();
    await page.getByTestId('dialog-close').click();
    await table.newGame(page, {variant: 'standard', opponent: 'person'});
    await openPage(page, page.url());
    await table.openMenu(page, 'open-games');
    await page.getByTestId('shelf-open').filter({hasText: 'Evening game'}).click();
    expect(await table.look(page)).toEqual(seen);
    await table.openMenu(page, 'open-games');
    await page.getByTestId('shelf-delete').first().click();
    await expect.poll(() => page.getByTestId('shelf').innerText()).not.toContain('Evening game');
  });
});

test('the game under way is there after a reload', async () => {
  await visit({kept: instant}, async (page) => {
    await table.newGame(page, {variant: 'seven', opponent: 'person'});
    await play(page, 3);
    const seen = await table.look(page);
    await page.reload();
    await page.locator('main').waitFor();
    expect(await table.look(page)).toEqual(seen);
  });
});

test('a file of games is opened, one that is none is refused', async () => {
  await visit({kept: instant}, async (page) => {
    const {folder} = inject('made');
    const [good, bad] = [join(folder, 'two.txt'), join(folder, 'bad.txt')];
    writeFileSync(good, '[White "A"]\n\n1. 76 99 *\n\n[White "B"]\n\n1. 76 98 2. 55 *\n');
    writeFileSync(bad, 'Dear friend, how are you?\n');
    await table.openMenu(page, 'open-games');
    await page.getByTestId('upload-input').setInputFiles(bad);
    expect(await page.getByTestId('notice').innerText()).toMatch(/no game that can be read/);
    await page.getByTestId('upload-input').setInputFiles(good);
    await page.getByTestId('file-games').getByRole('button').nth(1).click();
    expect((await table.moveTexts(page)).map((move) => move.slice(0, 2))).toEqual(['76', '98', '55']);
  });
});

test('the editor refuses what cannot be, and plays from what can', async () => {
  await visit({kept: instant}, async (page) => {
    await table.newGame(page, {variant: 'standard', opponent: 'person'});
    await table.openMenu(page, 'open-editor');
    const status = page.getByTestId('edit-status');
    await page.getByTestId('edit-0-1').fill('8');
    expect(await status.innerText()).toMatch(/161 of 162 balls.*Not possible: \w+/s);
    expect(await page.getByTestId('edit-play').isDisabled()).toBe(true);
    await page.getByTestId('edit-rest').click();
    expect(await status.innerText()).not.toMatch(/Not possible/);
    await table.choose(page, 'edit-turn-second');
    await page.getByTestId('edit-play').click();
    const seen = await table.look(page);
    expect(seen.pits[0][0]).toBe(8);
    expect(seen.kazan).toEqual([1, 0]);

    await table.newGame(page, {variant: 'standard', opponent: 'person'});
    await table.openMenu(page, 'open-editor');
    await page.getByTestId('edit-tuzdik-0').selectOption('3');
    await page.getByTestId('edit-rest').click();
    await page.getByTestId('edit-play').click();
    await play(page, 2);
    expect((await table.moveTexts(page)).length).toBe(2);
    expect(table.ballsOn(await table.look(page))).toBe(162);
    // Sown over: a tuzdik keeps no ball.
    expect((await table.look(page)).pits[1][2]).toBe(0);
  });
});

test('whose time runs out has lost', async () => {
  await visit({kept: instant, open: false}, async (page) => {
    await page.clock.install();
    await openPage(page, pageAddress());
    await table.newGame(page, {variant: 'standard', opponent: 'person', time: '3+2'});
    expect(await page.getByTestId('clock-0').innerText()).toMatch(/^(3:00|2:5\d)$/);
    await play(page, 1);
    const own = await page.getByTestId('clock-0').innerText();
    expect(own).toMatch(/^3:0[0-2]$/);
    await page.clock.fastForward(170_000);
    await expect.poll(() => page.getByTestId('clock-1').innerText()).toMatch(/^([0-9]\.\d|0:\d\d)$/);
    expect(await page.getByTestId('clock-0').innerText()).toBe(own);
    await page.clock.fastForward(12_000);
    const end = await table.ending(page);
    expect(end).toMatchObject({result: '1-0', reason: 'time'});
    expect(end.words).toMatch(/first player wins.*time/is);
    expect((await table.look(page)).legal).toEqual([]);
  });
});

test('a clock that is stopped does not run', async () => {
  await visit({kept: instant, open: false}, async (page) => {
    await page.clock.install();
    await openPage(page, pageAddress());
    await table.newGame(page, {variant: 'seven', opponent: 'person', time: '5+3'});
    await play(page, 1);
    await page.getByTestId('pause').click();
    const left = await page.getByTestId('clock-1').innerText();
    await page.clock.fastForward(400_000);
    expect(await page.getByTestId('clock-1').innerText()).toBe(left);
    expect(await page.getByTestId('ending').count()).toBe(0);
  });
});
