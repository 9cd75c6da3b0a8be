// The studied game as a record, with what the review says as comments.
import type {ReviewedMove, RulesApi} from '../engine/api';
import {formatPercent, t} from '../i18n';
import {markWords} from './review/mark';
import {mainLine} from './logic/tree';
import type {StudySession} from './session';

function comment(move: ReviewedMove | undefined): string {
  if (!move?.mark) return '';
  const words = `${move.mark} ${markWords(move.mark)}`;
  if (move.pit === move.best) return words;
  return `${words}. ${t('study.move_better', {move: move.bestMove})} (${formatPercent(move.winRateBest)})`;
}

export function recordOf(rules: RulesApi, session: StudySession): string {
  const {byNode} = session.review;
  const comments = mainLine(session.tree.value).map((node) => comment(byNode.value.get(node.id)));
  const {Result: _, ...tags} = session.tags.value;
  return rules.write(session.mainSpec(), {tags, result: session.result(), comments});
}

export function saveAs(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], {type: 'application/vnd.chess-pgn'}));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
