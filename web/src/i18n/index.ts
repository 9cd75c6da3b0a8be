import {effect, signal} from '@preact/signals';
import {compile, type Formatter, type Values} from './compile';
import {chooseLanguage, languages, type Language} from './languages';
import {messages, type Key} from './messages';

export {languageCodes, languages, type Language} from './languages';
export type {Values} from './compile';
export type {Key} from './messages';

const stored = 'toguz.language';

// Storage may be forbidden, as may reading it: the page goes on without.
function storedLanguage(): string | null {
  try {
    return localStorage.getItem(stored);
  } catch {
    return null;
  }
}

function wantedLanguages(): readonly string[] {
  return typeof navigator === 'undefined' ? [] : (navigator.languages ?? [navigator.language]);
}

export const language = signal<Language>(chooseLanguage([storedLanguage(), ...wantedLanguages()]));

effect(() => {
  if (typeof document === 'undefined') return;
  document.documentElement.lang = language.value;
  document.documentElement.dir = languages[language.value].dir;
});

export function setLanguage(wanted: Language): void {
  language.value = wanted;
  try {
    localStorage.setItem(stored, wanted);
  } catch {
    // Kept for this visit only.
  }
}

const compiled = new Map<string, Formatter>();

function formatter(key: string, code: Language): Formatter | null {
  const name = `${code} ${key}`;
  let found = compiled.get(name);
  if (!found) {
    const message = messages(code).get(key);
    if (message === undefined) return null;
    compiled.set(name, (found = compile(message, code)));
  }
  return found;
}

// The message in the current language; components that call it follow the language.
export function t(key: Key, values: Values = {}): string {
  const code = language.value;
  const inOwn = formatter(key, code);
  try {
    if (inOwn) return inOwn(values);
    const inEnglish = formatter(key, 'en');
    if (inEnglish) return inEnglish(values);
    throw new Error(`no message ${key}`);
  } catch (error) {
    if (import.meta.env.MODE === 'test') throw error;
    return key;
  }
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(languages[language.value].numbers, options).format(value);
}

// `value` is per cent, as the engine gives it: 63.4.
export function formatPercent(value: number, digits = 0): string {
  return formatNumber(value / 100, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

// Dates in figures: names of months would be Russian on Kazakh and Kyrgyz pages (languages.ts).
export function formatDate(
  value: Date,
  options: {dateStyle: 'short'; timeStyle?: 'short'} = {dateStyle: 'short'},
): string {
  return new Intl.DateTimeFormat(languages[language.value].numbers, options).format(value);
}
