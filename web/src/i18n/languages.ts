// A language is offered if it is here and has a folder of messages.
export const languages = {
  kk: {name: 'Қазақша', dir: 'ltr', locales: ['kk', 'ru']},
  ky: {name: 'Кыргызча', dir: 'ltr', locales: ['ky', 'ru']},
  ru: {name: 'Русский', dir: 'ltr', locales: ['ru']},
  en: {name: 'English', dir: 'ltr', locales: ['en']},
  pl: {name: 'Polski', dir: 'ltr', locales: ['pl']},
  // Pits, notation and scores are in Latin digits everywhere; one kind of digit on a page.
  ar: {name: 'العربية', dir: 'rtl', locales: ['ar-u-nu-latn']},
  fil: {name: 'Filipino', dir: 'ltr', locales: ['fil', 'en']},
} as const satisfies Record<string, {name: string; dir: 'ltr' | 'rtl'; locales: readonly string[]}>;
// `locales`: the first that the browser has gives plurals and numbers. Some are built without Kazakh and
// Kyrgyz, whose numbers are written as Russian ones.

export type Language = keyof typeof languages;
export const languageCodes = Object.keys(languages) as Language[];

const aliases: Record<string, Language> = {tl: 'fil'};

export function languageOf(tag: string | null | undefined): Language | null {
  const code = (tag ?? '').toLowerCase().split(/[-_]/)[0] ?? '';
  if (Object.hasOwn(languages, code)) return code as Language;
  return aliases[code] ?? null;
}

// The first of the tags, most wanted first, that there is; else English.
export function chooseLanguage(tags: readonly (string | null | undefined)[]): Language {
  for (const tag of tags) {
    const found = languageOf(tag);
    if (found) return found;
  }
  return 'en';
}
