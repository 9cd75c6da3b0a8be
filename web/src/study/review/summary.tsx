// How well each side played.
import type {SideReview} from '../../engine/api';
import {formatNumber, formatPercent, t} from '../../i18n';
import {balls} from '../eval_bar';
import {numberedInText} from '../logic/move_list';
import {numbering, type StudySession} from '../session';
import {MarkGlyph} from './mark';
import {moverOf, turningPoints} from './findings';
import type {Reviewed} from './job';

const counted = [
  ['!', 'good'],
  ['?!', 'inaccuracy'],
  ['?', 'mistake'],
  ['??', 'blunder'],
] as const;

function SideCard({
  name,
  side,
  giveaway,
  id,
}: {
  name: string;
  side: SideReview;
  giveaway: boolean;
  id: string;
}) {
  return (
    <section class="side-card" aria-label={name} data-testid={`review-${id}`}>
      <h3>
        <span class={`side-dot side-dot-${id}`} aria-hidden="true" /> {name}
      </h3>
      <dl>
        <div class="side-accuracy">
          <dt>{t('study.review_accuracy')}</dt>
          <dd>{formatPercent(side.accuracy)}</dd>
        </div>
        <div>
          <dt>{t(giveaway ? 'study.review_lost_balls_giveaway' : 'study.review_lost_balls')}</dt>
          <dd>{balls(side.lostBalls)}</dd>
        </div>
      </dl>
      <ul class="side-marks" aria-label={t('study.review_marks')}>
        {counted.map(([mark, kind]) => (
          <li key={kind}>
            <MarkGlyph mark={mark} /> {formatNumber(side.marks[kind])}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Summary({session, reviewed}: {session: StudySession; reviewed: Reviewed}) {
  const {variant} = session.tree.value;
  const {giveaway} = session.rules.rules(variant);
  const [first, second] = reviewed.review.sides;
  return (
    <div class="side-cards">
      <SideCard name={sideLabel(session, 0)} side={first} giveaway={giveaway} id="first" />
      <SideCard name={sideLabel(session, 1)} side={second} giveaway={giveaway} id="second" />
    </div>
  );
}

// The player's name where the record has it.
export function sideLabel(session: StudySession, side: 0 | 1): string {
  const {White, Black} = session.tags.value;
  const name = (side === 0 ? White : Black)?.trim();
  return name && name !== '?' ? name : t(side === 0 ? 'study.first' : 'study.second');
}

export function TurningPoints({session, reviewed}: {session: StudySession; reviewed: Reviewed}) {
  const {review, nodes, first} = reviewed;
  const points = turningPoints(review);
  const from = numbering(session);
  return (
    <section>
      <h3>{t('study.review_turning')}</h3>
      {points.length === 0 && <p class="study-note">{t('study.review_turning_none')}</p>}
      <ul class="turning" data-testid="review-turning">
        {points.map((i) => {
          const move = review.moves[i]!;
          const words = t('study.review_turning_one', {
            number: numberedInText(nodes[i]!, from),
            move: move.move,
            before: formatPercent(move.winRateBest),
            after: formatPercent(move.winRate),
            side: moverOf(i, first) === 0 ? 'first' : 'second',
          });
          return (
            <li key={i}>
              <button type="button" class="turning-move" onClick={() => session.goTo(nodes[i])}>
                {words}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
