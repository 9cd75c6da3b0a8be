// One reviewed move: what it cost, what was better, and why.
import type {ReviewedMove} from '../../engine/api';
import {formatPercent, t} from '../../i18n';
import {balls} from '../eval_bar';
import type {TreeNode} from '../logic/tree';
import type {StudySession} from '../session';
import {MarkGlyph, markWords} from './mark';
import {why} from './why';

const worthBalls = 0.5;

function BetterLine({session, before, move}: {session: StudySession; before: TreeNode; move: ReviewedMove}) {
  const pits = move.bestLine.map((one) => Number(one[0]));
  const play = (count: number) => {
    session.goTo(before);
    session.playLine(pits.slice(0, count));
  };
  return (
    <p class="better-line">
      <span>{t('study.move_then')}</span>{' '}
      <span class="line-moves" dir="ltr">
        {move.bestLine.map((one, i) => (
          <button
            key={i}
            type="button"
            class="line-move"
            tabIndex={i === 0 ? 0 : -1}
            aria-label={t('study.line_play', {move: one})}
            onClick={() => play(i + 1)}
            data-testid={`better-${i}`}
          >
            {one}
          </button>
        ))}
      </span>
    </p>
  );
}

export function Detail({session, node, move}: {session: StudySession; node: TreeNode; move: ReviewedMove}) {
  const rules = session.rules.rules(session.tree.value.variant);
  const isBest = move.pit === move.best;
  const words = move.mark ? markWords(move.mark) : t(isBest ? 'study.mark_best' : 'study.mark_fine');
  const costs = !isBest && move.lostBalls >= worthBalls;
  return (
    <section class="detail" data-testid="review-detail">
      <h3>
        <span dir="ltr">{node.move}</span> <MarkGlyph mark={move.mark} />{' '}
        <span aria-hidden={!!move.mark}>{words}</span>
      </h3>
      {!isBest && (
        <>
          <p>
            {t('study.move_cost', {
              after: formatPercent(move.winRate),
              before: formatPercent(move.winRateBest),
            })}{' '}
            {costs &&
              t(rules.giveaway ? 'study.move_cost_balls_giveaway' : 'study.move_cost_balls', {
                balls: balls(move.lostBalls),
              })}
          </p>
          <p class="better">{t('study.move_better', {move: move.bestMove})}</p>
          {why(session, node.parent!, move).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </>
      )}
      <BetterLine session={session} before={node.parent!} move={move} />
    </section>
  );
}
