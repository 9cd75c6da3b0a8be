// The review of the game on the board: started, under way, and what it found.
import {signal} from '@preact/signals';
import {Choice, IconButton} from '../../base/controls';
import {notify} from '../../base/notice';
import {isOneOf, kept} from '../../base/storage';
import type {Side} from '../../engine/api';
import {t} from '../../i18n';
import {mainAncestor, mainLine} from '../logic/tree';
import type {StudySession} from '../session';
import {Detail} from './detail';
import {isFault, next, previous} from './findings';
import {Graph} from './graph_view';
import {depths, type Depth, type Reviewed} from './job';
import type {Lesson} from './lesson';
import {LessonPanel} from './lesson_panel';
import {Summary, TurningPoints, sideLabel} from './summary';

const depthNames = Object.keys(depths) as Depth[];
const depth = kept<Depth>('study.depth', 'normal', isOneOf(depthNames));
type Whose = 'first' | 'second' | 'both';
const whose = signal<Whose>('both');
const sides: Record<Whose, Side | null> = {first: 0, second: 1, both: null};

function Start({session, again}: {session: StudySession; again?: boolean}) {
  const empty = mainLine(session.tree.value).length === 0;
  const start = () => void session.review.start(session.tree.value, session.start().turn, depth.value);
  return (
    <section class="review-start">
      {!again && <p>{t('study.review_about')}</p>}
      <Choice
        label={t('study.review_depth')}
        value={depth.value}
        options={depthNames.map((value) => ({value, label: t(`study.review_${value}`)}))}
        onChange={(value) => (depth.value = value)}
        name="review-depth"
      />
      <button type="button" class="button-main" disabled={empty} onClick={start} data-testid="review-start">
        {t(again ? 'study.review_again' : 'study.review_start')}
      </button>
      {empty && <p class="study-note">{t('study.review_no_moves')}</p>}
      {session.review.failed.value && <p role="alert">{t('study.review_failed')}</p>}
    </section>
  );
}

function Running({session}: {session: StudySession}) {
  const {done, total} = session.review.progress.value;
  const words = t('study.review_running', {done, total});
  return (
    <section class="review-running">
      <label class="review-progress">
        <span>{words}</span>
        <progress value={done} max={total} data-testid="review-progress" />
      </label>
      <button
        type="button"
        class="button"
        onClick={() => session.review.cancel()}
        data-testid="review-cancel"
      >
        {t('study.review_cancel')}
      </button>
    </section>
  );
}

function FaultSteps({session, reviewed}: {session: StudySession; reviewed: Reviewed}) {
  const faults = reviewed.review.moves.flatMap((move, i) => (isFault(move) ? [i] : []));
  const at = mainAncestor(session.node.value).ply - 1;
  const go = (to: number | null) =>
    to === null ? notify(t('study.review_no_fault')) : session.goTo(reviewed.nodes[to]);
  return (
    <div class="study-buttons">
      <IconButton
        icon="previous"
        words
        label={t('study.review_previous_fault')}
        name="fault-previous"
        onClick={() => go(previous(faults, at))}
      />
      <IconButton
        icon="next"
        words
        label={t('study.review_next_fault')}
        name="fault-next"
        onClick={() => go(next(faults, at))}
      />
    </div>
  );
}

function LearnStart({
  session,
  lesson,
  reviewed,
}: {
  session: StudySession;
  lesson: Lesson;
  reviewed: Reviewed;
}) {
  const start = () => {
    if (!lesson.start(reviewed, sides[whose.value])) notify(t('study.learn_none'));
  };
  return (
    <section class="learn-start">
      <h3>{t('study.learn')}</h3>
      <Choice
        label={t('study.learn_side')}
        value={whose.value}
        options={[
          {value: 'first', label: sideLabel(session, 0)},
          {value: 'second', label: sideLabel(session, 1)},
          {value: 'both', label: t('study.learn_both')},
        ]}
        onChange={(value) => (whose.value = value)}
        name="learn-side"
      />
      <button type="button" class="button-main" onClick={start} data-testid="learn-start">
        {t('study.learn_start')}
      </button>
    </section>
  );
}

export function ReviewPanel({session, lesson}: {session: StudySession; lesson: Lesson}) {
  session.version.value;
  const {review} = session;
  if (review.running.value) return <Running session={session} />;
  const reviewed = review.result.value;
  if (!reviewed) return <Start session={session} />;
  if (lesson.state.value) return <LessonPanel session={session} lesson={lesson} />;
  const node = session.node.value;
  const move = review.byNode.value.get(node.id);
  return (
    <div class="review" data-testid="review">
      <Graph session={session} reviewed={reviewed} />
      <FaultSteps session={session} reviewed={reviewed} />
      {move && node.parent && <Detail session={session} node={node} move={move} />}
      <Summary session={session} reviewed={reviewed} />
      <TurningPoints session={session} reviewed={reviewed} />
      <LearnStart session={session} lesson={lesson} reviewed={reviewed} />
      <details>
        <summary>{t('study.review_again')}</summary>
        <Start session={session} again />
      </details>
    </div>
  );
}
