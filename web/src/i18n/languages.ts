// A language is offered if it is here and has a folder of messages. `forms`: the locale of its plurals;
// `numbers`: of its numbers and dates.
export const languages = {
  // Browsers are built without numbers of Kazakh and Kyrgyz, which are written as Russian ones.
  kk: {name: 'Қазақша', dir: 'ltr', forms: 'kk', numbers: 'ru'},
  ky: {name: 'Кыргызча', dir: 'ltr', forms: 'ky', numbers: 'ru'},
  ru: {name: 'Русский', dir: 'ltr', forms: 'ru', numbers: 'ru'},
  en: {name: 'English', dir: 'ltr', forms: 'en', numbers: 'en'},
  pl: {name: 'Polski', dir: 'ltr', forms: 'pl', numbers: 'pl'},
  // Pits, notation and scores are in Latin digits everywhere; one kind of digit on a page.
  ar: {name: 'العربية', dir: 'rtl', forms: 'ar', numbers: 'ar-u-nu-latn'},
  fil: {name: 'Filipino', dir: 'ltr', forms: 'fil', numbers: 'fil'},
} as const satisfies Record<string, {name: string; dir: 'ltr' | 'rtl'; forms: string; numbers: string}>;

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
