// The page in a browser of its own, watched: an error in its console, one that it throws, or a request to
// a network fails the test.
import {existsSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import {afterAll, inject} from 'vitest';
import type {EngineApi, RulesApi} from '../../src/engine/api';

declare global {
  // Set by src/main.tsx.
  var toguz: {rules: RulesApi; engine: EngineApi};
}

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let browser: Promise<Browser> | null = null;

const launch = () => ({
  executablePath: process.env.CHROMIUM ?? places.find((place) => existsSync(place)),
  args: quiet,
});

export function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch(launch());
  return browser;
}
afterAll(async () => {
  await (await browser)?.close();
  browser = null;
});

export interface VisitOptions extends BrowserContextOptions {
  url?: string; // another than the file
  query?: string; // "?plain"
  kept?: Record<string, unknown>; // settings that the device has from before
  open?: boolean; // false: the test opens the page itself
  profile?: string; // a folder: as a person's own browser, not as a private window
}

export const phone: VisitOptions = {
  viewport: {width: 360, height: 740},
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

export const pageAddress = (): string => pathToFileURL(inject('made').page).href;

function watch(page: Page, offline: boolean, problems: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    if (offline && /^(https?|wss?|ftp):/.test(request.url())) problems.push(`request: ${request.url()}`);
  });
}

export async function visit(
  options: VisitOptions,
  test: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const {url, query = '', kept = {}, open = true, profile, ...rest} = options;
  const offline = url === undefined;
  const more = {offline, locale: 'en-US', viewport: {width: 1280, height: 860}, ...rest};
  const context =
    profile === undefined
      ? await (await theBrowser()).newContext(more)
      : await chromium.launchPersistentContext(profile, {...launch(), ...more});
  const problems: string[] = [];
  context.on('page', (page) => watch(page, offline, problems));
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await keep(page, url, kept);
    if (open) await openPage(page, (url ?? pageAddress()) + query);
    await test(page, context);
  } catch (error) {
    if (problems.length > 0) throw new Error(`${(error as Error).message}\n${problems.join('\n')}`);
    throw error;
  } finally {
    await context.close();
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

// From a page of the same origin, not by a script before the page: a browser may forget all that is stored
// when such a script reads it too early.
async function keep(page: Page, url: string | undefined, kept: Record<string, unknown>): Promise<void> {
  if (Object.keys(kept).length === 0) return;
  await page.goto(url === undefined ? pathToFileURL(inject('made').blank).href : `${url}icon.svg`);
  await page.evaluate((settings) => {
    for (const [name, value] of Object.entries(settings))
      localStorage.setItem(`toguz.${name}`, JSON.stringify(value));
  }, kept);
}

// Until the first move can be made, or another part is there.
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('main').waitFor();
}
