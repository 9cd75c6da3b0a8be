// What happens on the board, in words.
import type {Landing, Rules, Side, State} from '../engine/api';
import {t} from '../i18n';
import {pitAt} from './ring';

export const sideName = (side: Side): 'first' | 'second' => (side === 0 ? 'first' : 'second');

export function previewWords(rules: Rules, landing: Landing): string {
  const {side, pit} = pitAt(rules.pits, landing.square);
  if (landing.tuzdik) return t('board.preview_tuzdik', {pit});
  if (landing.captured > 0) return t('board.preview_captures', {pit, balls: landing.captured});
  return t(side === landing.by ? 'board.preview_own_row' : 'board.preview_other_row', {pit});
}

function endWords(rules: Rules, landing: Landing): string {
  const {side, pit} = pitAt(rules.pits, landing.square);
  if (landing.tuzdik) return t('board.played_tuzdik', {pit});
  if (landing.captured > 0) return t('board.played_captures', {pit, balls: landing.captured});
  return t(side === landing.by ? 'board.played_end_own_row' : 'board.played_end_other_row', {pit});
}

// The move that led to `state`, to be read aloud.
export function moveWords(rules: Rules, state: State): string {
  const {last, kazan} = state;
  if (!last) return '';
  const played = t('board.played', {side: sideName(last.by), from: last.pit});
  const kazans = last.captured > 0 ? ' ' + t('board.kazans_now', {first: kazan[0], second: kazan[1]}) : '';
  return `${played} ${endWords(rules, last)}${kazans}`;
}
