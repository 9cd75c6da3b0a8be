// Why a move is better than another, in words.
import type {MoveFacts, ReviewedMove, Rules} from '../../engine/api';
import {t} from '../../i18n';
import {hintSentences} from '../../i18n/hint';
import type {TreeNode} from '../logic/tree';
import type {StudySession} from '../session';

// Without the first sentence, which is to play it.
export function reasons(facts: MoveFacts, rules: Rules): string {
  return hintSentences(facts, rules).slice(1).join(' ');
}

const worthSaying = 4;

// What the move played allows that the better one does not.
function allowed(move: ReviewedMove, played: MoveFacts, better: MoveFacts): string[] {
  const {pit, balls: taken, tuzdik} = played.dangerAfter;
  if (tuzdik && tuzdik !== better.dangerAfter.tuzdik)
    return [t('study.move_allows_tuzdik', {move: move.move, pit: tuzdik})];
  if (pit && taken - better.dangerAfter.balls >= worthSaying)
    return [t('study.move_allows_capture', {move: move.move, balls: taken})];
  return [];
}

export function why(session: StudySession, before: TreeNode, move: ReviewedMove): string[] {
  const rules = session.rules.rules(session.tree.value.variant);
  const better = session.facts(before, move.best);
  const played = session.facts(before, move.pit);
  return [...allowed(move, played, better), reasons(better, rules)];
}
