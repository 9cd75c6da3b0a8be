import {useEffect, useRef} from 'preact/hooks';
import {t} from '../../i18n';
import type {StudySession} from '../session';
import type {Lesson, Phase} from './lesson';
import {markWords} from './mark';
import {why} from './why';

const right: readonly Phase[] = ['best', 'good', 'shown'];

export function LessonPanel({session, lesson}: {session: StudySession; lesson: Lesson}) {
  const state = lesson.state.value!;
  const move = lesson.move!;
  const {phase, tried, at, places} = state;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), [at]);

  const words: Record<Phase, string> = {
    ask: '',
    thinking: t('study.learn_thinking'),
    best: t('study.learn_best', {move: tried?.move ?? ''}),
    good: t('study.learn_good', {move: tried?.move ?? '', best: move.bestMove}),
    again: t('study.learn_again'),
    bad: t('study.learn_bad', {move: tried?.move ?? ''}),
    shown: t('study.learn_shown', {move: move.bestMove}),
  };
  const done = right.includes(phase);
  const before = session.review.result.value?.nodes[places[at]!]?.parent;
  const isLast = at + 1 === places.length;
  return (
    <section class="lesson" data-testid="lesson" data-phase={phase}>
      <h3 ref={title} tabIndex={-1}>
        {t('study.learn_at', {at: at + 1, count: places.length})}
      </h3>
      <p>
        {t('study.learn_ask', {
          side: lesson.mover === 0 ? 'first' : 'second',
          move: move.move,
          mark: markWords(move.mark),
        })}
      </p>
      <p
        class={`answer answer-${done ? 'right' : phase === 'thinking' ? 'thinking' : 'wrong'}`}
        role="status"
      >
        {words[phase]}
      </p>
      {done && before && why(session, before, move).map((sentence) => <p key={sentence}>{sentence}</p>)}
      {done && isLast && <p>{t('study.learn_done')}</p>}
      <div class="study-buttons">
        {!done && (
          <button
            type="button"
            class="button"
            disabled={!lesson.asks}
            onClick={() => lesson.show()}
            data-testid="lesson-show"
          >
            {t('study.learn_show')}
          </button>
        )}
        {!isLast && (
          <button type="button" class="button" onClick={() => lesson.next()} data-testid="lesson-next">
            {t('study.learn_next')}
          </button>
        )}
        <button type="button" class="button" onClick={() => lesson.end()} data-testid="lesson-end">
          {t('study.learn_end')}
        </button>
      </div>
    </section>
  );
}
