// How each pit looks and what it says of itself: legal, last move, preview, marks.
import type {Landing, Rules, Side} from '../engine/api';
import {t} from '../i18n';
import {other, pitAt, squareOf, type Pit} from './ring';
import {showPreview} from './settings';
import type {Shown} from './sower';
import {previewWords, sideName} from './words';

export interface BoardMark extends Pit {
  kind: 'hint' | 'good' | 'bad' | 'chosen';
  badge?: string;
}
export type Preview = Landing | null;

interface Seen {
  rules: Rules;
  position: {pits: [number[], number[]]; tuzdik: [number, number]};
  turn?: Side;
  legal: readonly number[];
  landings?: readonly Landing[];
  last?: Landing | null;
  marks?: readonly BoardMark[];
  preview: Preview;
  shown: Shown | null;
}

export interface Look {
  legal: boolean;
  name: string;
  marks: string;
  badge: string;
  fresh: boolean;
  stepMs: number;
}

export function pitLooks(seen: Seen): (pit: Pit) => Look {
  const {rules, turn = 0, legal, last, marks = [], preview, shown} = seen;
  return (pit) => {
    const square = squareOf(rules.pits, pit);
    const classes: string[] = [];
    let badge = '';
    if (last && !shown) {
      if (last.by === pit.side && last.pit === pit.pit) classes.push('pit-from');
      if (last.square === square) classes.push(last.captured > 0 ? 'pit-to pit-taken' : 'pit-to');
    }
    if (shown) {
      if (shown.from === square) classes.push('pit-from');
      if (shown.frame.square === square)
        classes.push(shown.frame.capture ? 'pit-now pit-captured' : 'pit-now');
    }
    for (const mark of marks)
      if (mark.side === pit.side && mark.pit === pit.pit) {
        classes.push(`pit-${mark.kind}`);
        badge = mark.badge ?? badge;
      }
    if (preview && !shown) {
      if (preview.by === pit.side && preview.pit === pit.pit) classes.push('pit-preview-from');
      if (preview.square === square) {
        classes.push('pit-preview-to');
        if (preview.tuzdik) badge = t('board.tuzdik_badge');
        else if (preview.captured > 0) badge = t('board.captured_badge', {balls: preview.captured});
      }
    }
    const isLegal = pit.side === turn && legal.includes(pit.pit);
    return {
      legal: isLegal,
      name: nameOf(seen, pit, isLegal),
      marks: classes.join(' '),
      badge,
      fresh: shown !== null && shown.step > 0 && !shown.frame.capture && shown.frame.square === square,
      stepMs: shown?.frame.square === square ? shown.stepMs : 0,
    };
  };
}

function nameOf(seen: Seen, pit: Pit, isLegal: boolean): string {
  const {rules, position, landings, last, marks = []} = seen;
  const owner = other(pit.side);
  // Names keep to the position while balls are sown: the move is announced as a whole.
  if (position.tuzdik[owner] === pit.pit) return t('board.pit_tuzdik', {pit: pit.pit, side: sideName(owner)});
  const balls = position.pits[pit.side][pit.pit - 1] ?? 0;
  const words = [t(isLegal ? 'board.pit_legal' : 'board.pit', {pit: pit.pit, balls})];
  if (last?.by === pit.side && last.pit === pit.pit) words.push(t('board.pit_last_from'));
  if (last && samePit(pitAt(rules.pits, last.square), pit)) words.push(t('board.pit_last_to'));
  if (marks.some((mark) => samePit(mark, pit) && mark.kind === 'hint')) words.push(t('board.pit_hinted'));
  const landing = isLegal && showPreview.value && landings?.find((each) => each.pit === pit.pit);
  if (landing) words.push(previewWords(rules, landing));
  return words.join('. ').replaceAll('..', '.');
}

const samePit = (a: Pit, b: Pit) => a.side === b.side && a.pit === b.pit;
