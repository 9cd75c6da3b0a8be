// What a player sees and does at the board.
import type {Page} from 'playwright-core';
import type {Side, Variant} from '../../src/engine/api';

export interface Seen {
  pits: [number[], number[]]; // pit 1 first
  kazan: [number, number];
  legal: {side: Side; pit: number}[];
  sowing: boolean;
}

export async function look(page: Page): Promise<Seen> {
  return page.getByTestId('board').evaluate((board) => {
    const seen: Seen = {pits: [[], []], kazan: [0, 0], legal: [], sowing: board.dataset.busy === 'true'};
    for (const pit of board.querySelectorAll<HTMLElement>('[data-pit]')) {
      const place = {side: Number(pit.dataset.side) as Side, pit: Number(pit.dataset.pit)};
      seen.pits[place.side][place.pit - 1] = Number(pit.dataset.balls);
      if (pit.getAttribute('aria-disabled') === 'false') seen.legal.push(place);
    }
    for (const side of [0, 1] as const)
      seen.kazan[side] = Number(
        board.querySelector<HTMLElement>(`[data-testid="kazan-${side}"]`)!.dataset.balls,
      );
    return seen;
  });
}

export const ballsOn = ({pits, kazan}: Seen): number =>
  [...pits[0], ...pits[1], ...kazan].reduce((sum, balls) => sum + balls, 0);

export const pitAt = (page: Page, side: Side, pit: number) => page.getByTestId(`pit-${side}-${pit}`);

// Radio buttons and switches lie under what one sees of them.
export const choose = (page: Page, name: string) =>
  page.locator('label', {has: page.getByTestId(name)}).click();

export interface Wanted {
  variant: Variant;
  opponent: 'engine' | 'person' | 'watch';
  levels?: number[];
  side?: 'first' | 'second';
  time?: string; // "3+2", "none"
}

export async function newGame(
  page: Page,
  {variant, opponent, levels = [], side, time}: Wanted,
): Promise<void> {
  await page.getByTestId('new-game').click();
  await choose(page, `variant-${variant}`);
  await choose(page, `opponent-${opponent}`);
  for (const [i, level] of levels.entries()) await page.getByTestId(`level-${i}`).fill(String(level));
  if (side) await choose(page, `side-${side}`);
  if (time) await choose(page, `time-${time}`);
  await page.getByTestId('start-game').click();
  await page.getByTestId('new-game-dialog').waitFor({state: 'detached'});
}

// Until a person may move or the game is over; whether it goes on.
export async function turn(page: Page, timeout = 30_000): Promise<boolean> {
  const seen = await page.waitForFunction(
    () => {
      if (document.querySelector('[data-testid="ending"]')) return 'over';
      return document.querySelector('[data-pit][aria-disabled="false"]') ? 'goes on' : null;
    },
    null,
    {timeout},
  );
  return (await seen.jsonValue()) === 'goes on';
}

// The same choices at each run.
export function dice(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

export interface End {
  result: string;
  reason: string;
  words: string;
}

export async function ending(page: Page): Promise<End> {
  const box = page.getByTestId('ending');
  await box.waitFor();
  return {
    result: (await box.getAttribute('data-result'))!,
    reason: (await box.getAttribute('data-reason'))!,
    words: (await box.locator('p').allInnerTexts()).join(' '),
  };
}

export async function openMenu(page: Page, item: string): Promise<void> {
  await page.getByTestId('more').click();
  await page.getByTestId(item).click();
}

export const moveTexts = (page: Page): Promise<string[]> =>
  page.locator('[data-testid="moves"] [data-testid^="move-"]').allInnerTexts();

// The whole of what a screen reader was told since the call.
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, {heard});
    new MutationObserver((changes) => {
      const regions = new Set<Element>();
      for (const {target} of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest('[aria-live]');
        if (region) regions.add(region);
      }
      for (const region of regions) if (region.textContent) heard.push(region.textContent);
    }).observe(document.body, {subtree: true, childList: true, characterData: true});
  });
  return () => page.evaluate(() => (globalThis as unknown as {heard: string[]}).heard);
}

// The game as the page gives it out, in a file of the test's folder.
export async function download(page: Page, to: string): Promise<void> {
  await openMenu(page, 'open-games');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('download').click()]);
  await file.saveAs(to);
  await page.getByTestId('dialog-close').click();
}

// Until nothing moves.
export async function still(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.race([
      Promise.allSettled(document.getAnimations().map(({finished}) => finished)),
      new Promise((done) => setTimeout(done, 1000)),
    ]).then(() => undefined),
  );
}
