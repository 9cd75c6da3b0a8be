/// <reference types="vite/client" />
import type app from './messages/en/app.json';
import type board from './messages/en/board.json';
import type fault from './messages/en/fault.json';
import type hint from './messages/en/hint.json';
import type play from './messages/en/play.json';
import type study from './messages/en/study.json';
import type {Language} from './languages';

interface Areas {
  app: typeof app;
  board: typeof board;
  fault: typeof fault;
  hint: typeof hint;
  play: typeof play;
  study: typeof study;
}

// 'play.resign': the area's file and the name in it. English has every key.
export type Key = {[A in keyof Areas]: `${A}.${keyof Areas[A] & string}`}[keyof Areas];

const files = import.meta.glob<Record<string, string>>('./messages/*/*.json', {
  eager: true,
  import: 'default',
});

function messagesOf(language: Language): ReadonlyMap<string, string> {
  const messages = new Map<string, string>();
  for (const [path, file] of Object.entries(files)) {
    const [, code, area] = /([^/]+)\/([^/]+)\.json$/.exec(path) ?? [];
    if (code !== language) continue;
    for (const [name, message] of Object.entries(file)) messages.set(`${area}.${name}`, message);
  }
  return messages;
}

const byLanguage = new Map<Language, ReadonlyMap<string, string>>();

export function messages(language: Language): ReadonlyMap<string, string> {
  let found = byLanguage.get(language);
  if (!found) byLanguage.set(language, (found = messagesOf(language)));
  return found;
}
