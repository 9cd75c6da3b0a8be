// Hints, and what a move was worth: right or wrong, why, and how it goes on.
import type {MoveFacts, RulesApi} from '../../engine/api';
import {formatPercent, t} from '../../i18n';
import {reasons} from '../review/why';
import {bestOther, type Exercise, type Kind} from './catalogue';
import {originWords} from './origin';
import type {Trainer} from './trainer';

interface Props {
  rules: RulesApi;
  trainer: Trainer;
  exercise: Exercise;
}

const startOf = ({variant, fen}: Exercise) => ({variant, fen, moves: []});

// What to look for: from the position, without saying the move.
function firstHint(rules: RulesApi, exercise: Exercise): string {
  if (exercise.kind === 'capture') return t('study.exercise_hint_capture');
  if (exercise.kind === 'tuzdik') return t('study.exercise_hint_tuzdik');
  const {dangerBefore} = rules.facts(startOf(exercise), exercise.solution[0]!);
  if (dangerBefore.tuzdik) return t('study.exercise_hint_avoid_tuzdik', {pit: dangerBefore.tuzdik});
  if (dangerBefore.pit)
    return t('study.exercise_hint_avoid_capture', {balls: dangerBefore.balls, pit: dangerBefore.pit});
  return t('study.exercise_hint_quiet');
}

// Two or three pits, the solution among them; the same each time.
function someOf(legal: readonly number[], exercise: Exercise): number[] {
  const others = legal.filter((pit) => !exercise.solution.includes(pit));
  const from = exercise.fen.length % Math.max(1, others.length);
  const decoys = [...others.slice(from), ...others.slice(0, from)].slice(0, 2);
  return [exercise.solution[0]!, ...decoys].sort((a, b) => a - b);
}

export function Hints({rules, trainer, exercise}: Props) {
  const {value: hinted} = trainer.hinted;
  if (!hinted) return null;
  const {legal} = rules.state(startOf(exercise));
  return (
    <div class="hints" role="status" data-testid="exercise-hints">
      <p>{firstHint(rules, exercise)}</p>
      {hinted > 1 && <p>{t('study.exercise_hint_pits', {pits: someOf(legal, exercise).join(', ')})}</p>}
    </div>
  );
}

function misses(kind: Kind, {capture, dangerAfter, end}: MoveFacts): string {
  if (end && end.score <= 0) return t('study.exercise_wrong_end');
  if (kind === 'avoid') {
    if (dangerAfter.tuzdik) return t('study.exercise_wrong_tuzdik_stays', {pit: dangerAfter.tuzdik});
    if (dangerAfter.pit)
      return t('study.exercise_wrong_capture_stays', {balls: dangerAfter.balls, pit: dangerAfter.pit});
  }
  if (kind === 'tuzdik' && !capture.tuzdik) return t('study.exercise_wrong_misses_tuzdik');
  if (kind === 'capture' && !capture.pit) return t('study.exercise_wrong_misses_capture');
  if (dangerAfter.tuzdik) return t('study.exercise_wrong_tuzdik_stays', {pit: dangerAfter.tuzdik});
  return t('study.exercise_wrong_quiet');
}

function Line({rules, trainer, exercise}: Props) {
  const pits = trainer.line();
  const at = trainer.moves.value.length;
  if (pits.length < 2) return null;
  const {moves} = rules.state({...startOf(exercise), moves: pits});
  return (
    <p class="better-line">
      <span>{t('study.exercise_line')}</span>{' '}
      <span class="line-moves" dir="ltr">
        {moves.map((move, i) => (
          <button
            key={i}
            type="button"
            class="line-move"
            aria-current={i + 1 === at ? 'step' : undefined}
            onClick={() => trainer.goTo(i + 1)}
            data-testid={`exercise-line-${i}`}
          >
            {move}
          </button>
        ))}
      </span>
    </p>
  );
}

export function Answer(props: Props) {
  const {rules, trainer, exercise} = props;
  const {value: phase} = trainer.phase;
  const {value: tried} = trainer.tried;
  const ruleset = rules.rules(exercise.variant);
  const other = bestOther(exercise);
  if (phase === 'ask') return <div role="status" class="answer answer-none" data-testid="exercise-answer" />;
  if (phase === 'wrong' && tried)
    return (
      <div role="status" class="answer answer-wrong" data-testid="exercise-answer">
        <p>
          <b>{t('study.exercise_wrong', {move: tried.move})}</b>
        </p>
        <p>{misses(exercise.kind, tried.facts)}</p>
      </div>
    );
  const pit = trainer.moves.value[0] ?? exercise.solution[0]!;
  const move = phase === 'right' && tried ? tried.move : exercise.moves[0]!;
  return (
    <div role="status" class="answer answer-right" data-testid="exercise-answer">
      <p>
        <b>{t(phase === 'right' ? 'study.exercise_right' : 'study.exercise_shown', {move})}</b>
      </p>
      <p>{reasons(rules.facts(startOf(exercise), pit), ruleset)}</p>
      {other !== null && (
        <p class="study-note">
          {t('study.exercise_right_note', {
            winRate: formatPercent(exercise.winRate),
            other: formatPercent(other),
          })}
        </p>
      )}
      <Line {...props} />
      {exercise.source && <p class="study-note">{originWords(exercise)}</p>}
    </div>
  );
}
