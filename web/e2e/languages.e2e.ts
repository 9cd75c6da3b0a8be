// Seven languages, complete.
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {languageCodes, languages, type Language} from '../src/i18n/languages';
import {fit} from './support/fit';
import {pitAt} from './support/table';
import {sampleGame, walk} from './support/views';
import {phone, visit} from './support/visit';

const kept = {'board.speed': 'instant', 'study.depth': 'quick'};

// All that a person reads or hears in what is shown now, in pieces.
function words(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const models = [...document.querySelectorAll<HTMLElement>('[id^="toguz-model-"]')];
    const names = models.map(({dataset}) => dataset.name!);
    const add = (text: string | null | undefined) => {
      let words = text?.replace(/\s+/g, ' ').trim() ?? '';
      for (const name of names) words = words.replace(name, '');
      if (words) found.add(words);
    };
    // Names of languages are in their own.
    const own = (element: Element | null) => element?.closest('option[lang]') !== null && element !== null;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text) {
        const parent = node.parentElement;
        if (!parent || parent.closest('script, style') || own(parent)) continue;
        add(node.textContent);
      } else if (node instanceof Element && !own(node)) {
        for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt'])
          add(node.getAttribute(name));
      }
    }
    return [...found];
  });
}

// Every word of Latin letters, of three at least.
const latin = (text: string): string[] => text.match(/\p{Script=Latin}[\p{Script=Latin}’']{2,}/gu) ?? [];

const allowed = new Set(
  (
    'Toguz Zero PlayOK PlayStrategy PGN TKG pgn tkg txt tsv Enter Home End Space Esc WebAssembly ' +
    'standard giveaway bestemshe seven'
  ).split(' '),
);

interface Seen {
  words: string[];
  faults: string[]; // of the layout
}

// All views on a phone, by name.
async function inAll(language: Language): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  const small = new Set<string>();
  await visit({...phone, kept}, async (page) => {
    await page.getByTestId('language').selectOption(language);
    await page.evaluate((game) => (location.hash = game), sampleGame);
    await walk(page, async (view) => {
      const fits = await fit(page);
      const faults = fits.cut.map((element) => `cut: ${element}`);
      if (fits.width > 360) faults.push(`${fits.width} px wide`);
      if (!fits.board) faults.push('the board is cut');
      seen.set(view, {words: await words(page), faults});
      for (const element of fits.small) small.add(`${view}: ${element}`);
    });
  });
  if (small.size > 0) console.log(`  ${language}: targets under 24 px:\n    ${[...small].join('\n    ')}`);
  return seen;
}

let inEnglish: Promise<Map<string, Seen>> | null = null;
const english = () => (inEnglish ??= inAll('en'));

test.each(languageCodes)(
  '%s: nothing goes sideways on a phone, nothing is left in English',
  async (language) => {
    const of = await english();
    const own = language === 'en' ? of : await inAll(language);
    const faults: string[] = [];
    const latinScript = language === 'pl' || language === 'fil';
    for (const [view, seen] of own) {
      for (const fault of seen.faults) faults.push(`${view}: ${fault}`);
      const originals = new Set(of.get(view)!.words);
      expect(seen.words.length).toBeGreaterThan(originals.size * 0.5);
      if (language === 'en') continue;
      for (const piece of seen.words) {
        const foreign = latin(piece).filter((word) => !allowed.has(word));
        // In a language of Latin letters a piece of several words is never the English one.
        if (latinScript ? originals.has(piece) && foreign.length > 1 : foreign.length > 0)
          faults.push(`${view}: ${piece}`);
      }
    }
    expect([...new Set(faults)]).toEqual([]);
  },
);

test.each([
  ['kk-KZ', 'kk'],
  ['ky-KG', 'ky'],
  ['ru-RU', 'ru'],
  ['en-GB', 'en'],
  ['pl-PL', 'pl'],
  ['ar-EG', 'ar'],
  ['fil-PH', 'fil'],
  ['de-DE', 'en'],
] as const)('a browser in %s opens it in %s', async (locale, code) => {
  await visit({locale}, async (page) => {
    const root = page.locator('html');
    expect(await root.getAttribute('lang')).toBe(code);
    expect(await root.getAttribute('dir')).toBe(languages[code].dir);
    expect(await page.getByTestId('language').inputValue()).toBe(code);
  });
});

test('the language chosen is kept', async () => {
  await visit({locale: 'en-US'}, async (page) => {
    await page.getByTestId('nav-settings').click();
    await page.getByTestId('language-setting').selectOption('ky');
    expect(await page.getByTestId('nav-play').innerText()).toBe('Ойноо');
    await page.reload();
    await page.locator('main').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('ky');
    expect(await page.getByTestId('nav-play').innerText()).toBe('Ойноо');
  });
});

test('Arabic runs from right to left, the board does not', async () => {
  await visit({kept, locale: 'ar', query: sampleGame}, async (page) => {
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    const x = async (name: string) => (await page.getByTestId(name).boundingBox())!.x;
    expect(await x('nav-play')).toBeGreaterThan(await x('nav-about'));
    const direction = (name: string) =>
      page.getByTestId(name).evaluate((element) => getComputedStyle(element).direction);
    expect(await direction('board')).toBe('ltr');
    expect(await direction('moves')).toBe('ltr');
    const [first, ninth] = await Promise.all([1, 9].map((pit) => pitAt(page, 0, pit).boundingBox()));
    expect(first!.x).toBeLessThan(ninth!.x);
    const [top, last] = await Promise.all([1, 9].map((pit) => pitAt(page, 1, pit).boundingBox()));
    expect(top!.x).toBeGreaterThan(last!.x);
  });
});
