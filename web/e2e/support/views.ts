// Every view of the page, in the order in which a person could go through them.
import type {Page} from 'playwright-core';
import * as table from './table';

export interface View {
  name: string;
  open(page: Page): Promise<void>;
}

const close = (page: Page) => page.getByTestId('dialog-close').click();

// A game with a capture and a tuzdik, so that there is something to be said.
export const sampleGame = '#g=standard.79513857';

const study = async (page: Page) => {
  await page.getByTestId('nav-study').click();
  await page.getByTestId('study-analysis').click();
};

export const views: readonly View[] = [
  {name: 'play', open: (page) => page.getByTestId('nav-play').click()},
  {
    name: 'hint',
    open: async (page) => {
      await page.getByTestId('nav-play').click();
      await page.getByTestId('hint').click();
      await page.getByTestId('hint-play').waitFor();
    },
  },
  {
    name: 'menu',
    open: async (page) => {
      await page.getByTestId('hint-close').click();
      await page.getByTestId('more').click();
    },
  },
  {
    name: 'new-game',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await page.getByTestId('new-game').click();
      await table.choose(page, 'opponent-watch');
      await table.choose(page, 'time-custom');
    },
  },
  ...(['games', 'share', 'editor', 'help'] as const).map((name) => ({
    name,
    open: async (page: Page) => {
      if (await page.locator('dialog[open]').isVisible()) await close(page);
      await table.openMenu(page, `open-${name}`);
    },
  })),
  {
    name: 'resign',
    open: async (page) => {
      await close(page);
      await table.openMenu(page, 'open-resign');
    },
  },
  {
    name: 'ending',
    open: async (page) => {
      await page.getByTestId('resign-confirm').click();
      await page.getByTestId('ending').waitFor();
    },
  },
  {
    name: 'analysis',
    open: async (page) => {
      await study(page);
      await page.getByTestId('panel-moves').click();
      await table.choose(page, 'engine-switch');
      await page.getByTestId('line-0').waitFor();
    },
  },
  {
    name: 'review',
    open: async (page) => {
      await page.getByTestId('nav-play').click();
      await page.getByTestId('review').click();
      const start = page.getByTestId('review-start');
      await start.or(page.getByTestId('review-graph')).first().waitFor();
      if (await start.isVisible()) await start.click();
      await page.getByTestId('review-graph').waitFor({timeout: 60_000});
      await page.getByTestId('fault-previous').click();
    },
  },
  {
    name: 'openings',
    open: async (page) => {
      await study(page);
      await page.getByTestId('panel-openings').click();
      await page.getByTestId('nav-first').click();
      await page.locator('[data-testid="openings-reached"][data-merged="true"]').waitFor();
    },
  },
  {
    name: 'open-game',
    open: async (page) => {
      await study(page);
      await page.getByTestId('study-open').click();
      await page.getByTestId('games').waitFor();
    },
  },
  {
    name: 'open-paste',
    open: (page) => page.getByTestId('open-paste').click(),
  },
  {
    name: 'exercises',
    open: async (page) => {
      await close(page);
      await page.getByTestId('study-exercises').click();
      await page.getByTestId('exercise-task').waitFor();
      await page.getByTestId('exercise-hint').click();
      await page.getByTestId('exercise-hint').click();
    },
  },
  {
    name: 'solution',
    open: async (page) => {
      await page.getByTestId('exercise-solution').click();
      await page.getByTestId('exercise-analyse').waitFor();
    },
  },
  {name: 'settings', open: (page) => page.getByTestId('nav-settings').click()},
  {name: 'about', open: (page) => page.getByTestId('nav-about').click()},
];

// Goes through all of them; `look` is called in each.
export async function walk(page: Page, look: (view: string) => Promise<void>): Promise<void> {
  for (const {name, open} of views) {
    try {
      await open(page);
    } catch (error) {
      throw new Error(`view ${name}: ${(error as Error).message}`);
    }
    await look(name);
  }
}
