// Single keys while play is shown and no dialog is open.
import {useEffect} from 'preact/hooks';
import {soundOn} from '../board/settings';
import type {Key} from '../i18n';
import {dialog} from './dialogs';
import {shortcutsOn} from './preferences';
import type {PlaySession} from './session';

interface Shortcut {
  key: string;
  code: string; // the place on the keyboard, for other scripts' layouts
  meaning: Key;
  act: (session: PlaySession) => void;
}

export const shortcuts: readonly Shortcut[] = [
  {key: 'n', code: 'KeyN', meaning: 'play.new_game', act: () => (dialog.value = 'new')},
  {key: 'u', code: 'KeyU', meaning: 'play.undo', act: (session) => session.undo()},
  {key: 'r', code: 'KeyR', meaning: 'play.redo', act: (session) => session.redo()},
  {key: 'h', code: 'KeyH', meaning: 'play.hint', act: (session) => void session.askHint()},
  {key: 'f', code: 'KeyF', meaning: 'play.flip', act: (session) => session.flip()},
  {key: 'g', code: 'KeyG', meaning: 'play.games', act: () => (dialog.value = 'games')},
  {key: 's', code: 'KeyS', meaning: 'play.share', act: () => (dialog.value = 'share')},
  {key: 'e', code: 'KeyE', meaning: 'play.editor', act: () => (dialog.value = 'editor')},
  {key: 'm', code: 'KeyM', meaning: 'board.sound', act: () => (soundOn.value = !soundOn.peek())},
  {key: '?', code: '', meaning: 'play.help', act: () => (dialog.value = 'help')},
];

// What Space presses by itself; a pit that cannot be played is none of it.
const pressable = 'button:not([aria-disabled=true]), a, label, input, select, textarea';

const takesText = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input:not([type=radio], [type=checkbox]), select, textarea');

// Some browsers press a button when Space comes up, whatever became of its going down.
function swallowRelease(): void {
  addEventListener('keyup', (event) => event.preventDefault(), {once: true, capture: true});
}

export function onKey(event: KeyboardEvent, session: PlaySession): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (dialog.peek() || document.querySelector('dialog[open]') || takesText(event.target)) return;
  const game = session.game.peek();
  if (event.key === ' ') {
    if (session.sower.shown.peek()) {
      session.sower.skip();
      event.preventDefault();
      swallowRelease();
    } else if (!(event.target instanceof Element && event.target.closest(pressable))) {
      if (session.paused.peek()) session.resume();
      else if (!session.canPlay.peek() && !game.ending.peek()) session.pause();
      else return;
      event.preventDefault();
    }
    return;
  }
  if (!shortcutsOn.peek() || (event.repeat && !/[,.[\]]/.test(event.key))) return;
  const digit =
    /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? (/^[1-9]$/.test(event.key) ? event.key : null);
  if (digit && !event.shiftKey) {
    session.sower.skip();
    session.play(Number(digit));
  } else if (event.key === ',' || event.key === '[') {
    game.look((game.lookedAt.peek() ?? game.moves.peek().length) - 1);
  } else if (event.key === '.' || event.key === ']') {
    if (game.lookedAt.peek() !== null) game.look(game.lookedAt.peek()! + 1);
  } else {
    const latin = /^[a-z?]$/i.test(event.key);
    const found = shortcuts.find(({key, code}) =>
      latin ? key === event.key.toLowerCase() : code === event.code && code,
    );
    if (!found) return;
    found.act(session);
  }
  event.preventDefault();
}

export function useKeys(session: PlaySession): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event, session);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, [session]);
}
