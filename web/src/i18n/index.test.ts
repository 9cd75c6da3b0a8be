import {afterEach, expect, test} from 'vitest';
import {chooseLanguage, languageOf} from './languages';
import {compile} from './compile';
import {formatNumber, formatPercent, language, setLanguage, t, type Key} from './index';

afterEach(() => setLanguage('en'));

test('the language wanted most that there is', () => {
  expect(chooseLanguage([null, 'kk-KZ', 'ru'])).toBe('kk');
  expect(chooseLanguage(['de', 'ky', 'en'])).toBe('ky');
  expect(chooseLanguage(['tl-PH'])).toBe('fil');
  expect(chooseLanguage(['ar_EG'])).toBe('ar');
  expect(chooseLanguage(['de', 'toString'])).toBe('en');
  expect(chooseLanguage([])).toBe('en');
  expect(languageOf(undefined)).toBeNull();
});

test('a message follows the language', () => {
  setLanguage('en');
  expect(t('hint.quiet')).toBe('A quiet move.');
  setLanguage('ru');
  expect(language.value).toBe('ru');
  expect(t('hint.quiet')).not.toBe('A quiet move.');
});

test('a key that English lacks is an error in tests', () => {
  expect(() => t('hint.no_such_key' as Key)).toThrow('no message');
});

test('names and moves in right-to-left text are isolated, choices still work', () => {
  const format = compile(
    '{move} {who, select, you {أنت {move}} other {هو}} {n, plural, other {# كرة}}',
    'ar',
  );
  expect(format({move: '83X', who: 'you', n: 12})).toBe('\u206883X\u2069 أنت \u206883X\u2069 12 كرة');
});

test('numbers in the manner of the language, in Latin digits', () => {
  setLanguage('ru');
  expect(formatNumber(1234.5)).toBe('1\u00a0234,5');
  setLanguage('kk');
  expect(formatNumber(1234.5)).toBe('1\u00a0234,5');
  expect(compile('{n, plural, one {# құмалақ} other {# құмалақ}}', 'kk')({n: 1234})).toBe(
    '1\u00a0234 құмалақ',
  );
  setLanguage('ar');
  expect(formatNumber(12)).toBe('12');
  setLanguage('en');
  expect(formatPercent(63.4)).toBe('63%');
  expect(formatPercent(63.44, 1)).toBe('63.4%');
});
