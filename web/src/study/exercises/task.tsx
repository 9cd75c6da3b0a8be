// What is to be found, who is to move, and how hard it is.
import {useEffect} from 'preact/hooks';
import {announce} from '../../base/announce';
import type {Side} from '../../engine/api';
import {t} from '../../i18n';
import {topLevel, type Exercise} from './catalogue';

function LevelDots({level}: {level: number}) {
  return (
    <span class="level-dots" role="img" aria-label={t('study.exercise_level_text', {level, most: topLevel})}>
      {Array.from({length: topLevel}, (_, i) => (
        <span key={i} class={i < level ? 'level-dot level-dot-on' : 'level-dot'} />
      ))}
    </span>
  );
}

export function Task({exercise, turn, repeat}: {exercise: Exercise; turn: Side; repeat: boolean}) {
  const side = turn === 0 ? 'first' : 'second';
  const words = `${t(`study.task_${exercise.kind}`)} ${t('study.exercise_to_move', {side})}`;
  useEffect(() => announce(words), [exercise.id]);
  return (
    <header class="task">
      <h2 data-testid="exercise-task" data-exercise={exercise.id} data-kind={exercise.kind}>
        {t(`study.task_${exercise.kind}`)}
      </h2>
      <p class="task-facts">
        <span class={`side-dot side-dot-${side}`} aria-hidden="true" />
        <span>{t('study.exercise_to_move', {side})}</span>
        <LevelDots level={exercise.level} />
      </p>
      {repeat && <p class="study-note">{t('study.exercise_due')}</p>}
    </header>
  );
}
