import type {IntlMessageFormat} from 'intl-messageformat';
import {describe, expect, test} from 'vitest';
import {parse} from './compile';
import {languageCodes, languages, type Language} from './languages';
import {messages} from './messages';

type Ast = ReturnType<IntlMessageFormat['getAst']>;

const literal = 0;
const argument = 1;
const select = 5;
const plural = 6;

// The arguments that a message reads; a choice by name with its names, since code gives them.
function argumentsOf(ast: Ast, found = new Set<string>()): Set<string> {
  for (const element of ast) {
    if (element.type === argument || element.type === plural) found.add(element.value);
    if (element.type === select)
      found.add(`${element.value} of ${Object.keys(element.options).sort().join(', ')}`);
    if ('options' in element)
      for (const option of Object.values(element.options)) argumentsOf(option.value, found);
    if (element.type >= 2 && element.type <= 4 && 'value' in element) found.add(element.value);
  }
  return found;
}

// Categories of number that a language has and a plural of the message lacks.
function lackingForms(ast: Ast, language: Language): string[] {
  return ast.flatMap((element) => {
    if (!('options' in element)) return [];
    const within = Object.values(element.options).flatMap((option) => lackingForms(option.value, language));
    if (element.type !== plural) return within;
    const type = element.pluralType ?? 'cardinal';
    const {pluralCategories} = new Intl.PluralRules(languages[language].forms, {
      type,
    }).resolvedOptions();
    return [...pluralCategories.filter((category) => !element.options[category]), ...within];
  });
}

function literals(ast: Ast): string[] {
  return ast.flatMap((element) => {
    if (element.type === literal) return [element.value];
    return 'options' in element
      ? Object.values(element.options).flatMap((option) => literals(option.value))
      : [];
  });
}

// A letter of a neighbour's alphabet that looks like one's own is a slip nobody sees.
const alphabets: Record<Language, RegExp> = {
  kk: /^[а-яёәғқңөұүһі]+$/iu,
  ky: /^[а-яёңөү]+$/iu,
  ru: /^[а-яё]+$/iu,
  en: /^[a-z]+$/iu,
  pl: /^[a-ząćęłńóśźż]+$/iu,
  ar: /^[\u0621-\u064a]+$/u,
  fil: /^[a-zñ]+$/iu,
};
// Names of programs, files, keys and, in English and the languages that follow it, of pits.
const foreign = new Set(
  'End FEN HTML Home Kökmoiyn PGN PlayOK PlayStrategy Toguz WebAssembly X Zero pgn tkg ötpes'.split(' '),
);

// Messages that are rightly the same as in English: names, and words that have become the language's own.
const pitNames = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((pit) => `app.pit_${pit}`);
const names = ['app.title', 'study.source_playstrategy'];
const sameAsEnglish: Partial<Record<Language, readonly string[]>> = {
  pl: [...pitNames, 'play.share_link', 'play.variant_bestemshe', 'study.source_playok'],
  fil: [
    ...pitNames,
    'board.style',
    'board.style_walnut',
    'board.tuzdik_badge',
    'play.share_link',
    'play.variant_bestemshe',
    'study.filter_band',
    'study.game_round',
    'study.open_file',
    'study.source_playok',
  ],
};

test.each(languageCodes)('%s has the keys of English and no others', (language) => {
  expect([...messages(language).keys()].sort()).toEqual([...messages('en').keys()].sort());
});

describe.each(languageCodes)('messages of %s', (language) => {
  const own = [...messages(language)];

  test('are not empty, nor begin or end with a blank', () => {
    expect(own.filter(([, message]) => message.trim() === '' || message !== message.trim())).toEqual([]);
  });

  test('compile, with the arguments of English', () => {
    for (const [key, message] of own) {
      const english = parse(messages('en').get(key) ?? '', 'en').getAst();
      expect([key, argumentsOf(parse(message, language).getAst())]).toEqual([key, argumentsOf(english)]);
    }
  });

  test('have every form of number that the language has', () => {
    const lacking = own.flatMap(([key, message]) =>
      lackingForms(parse(message, language).getAst(), language).map((form) => `${key}: ${form}`),
    );
    expect(lacking).toEqual([]);
  });

  test('are written in letters of the language', () => {
    const words = own.flatMap(([, message]) =>
      literals(parse(message, language).getAst()).flatMap((text) => text.match(/\p{L}+/gu) ?? []),
    );
    expect(words.filter((word) => !foreign.has(word) && !alphabets[language].test(word))).toEqual([]);
  });

  test.skipIf(language === 'en')('are not left in English', () => {
    const left = own.filter(
      ([key, message]) =>
        message === messages('en').get(key) &&
        literals(parse(message, language).getAst()).some((text) => /\p{L}/u.test(text)),
    );
    expect(left.map(([key]) => key).sort()).toEqual([...names, ...(sameAsEnglish[language] ?? [])].sort());
  });
});
