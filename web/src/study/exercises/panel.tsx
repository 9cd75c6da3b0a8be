// The task, what came of it, and the player's progress.
import {useState} from 'preact/hooks';
import {Dialog} from '../../base/dialog';
import {IconButton} from '../../base/controls';
import {variants, type RulesApi} from '../../engine/api';
import {formatNumber, t} from '../../i18n';
import {Answer, Hints} from './answer';
import {kinds, topLevel} from './catalogue';
import type {Trainer} from './trainer';

interface ExercisesPanelProps {
  rules: RulesApi;
  trainer: Trainer;
  onAnalyse: () => void;
}

function Filters({trainer}: {trainer: Trainer}) {
  return (
    <div class="games-filter">
      <label>
        <span>{t('study.variant_label')}</span>
        <select
          value={trainer.variant.value}
          onChange={(event) => {
            trainer.variant.value = event.currentTarget.value as typeof trainer.variant.value;
            trainer.changed();
          }}
          data-testid="exercise-variant"
        >
          {variants.map((variant) => (
            <option key={variant} value={variant}>
              {t('board.board', {variant})}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t('study.exercise_kind')}</span>
        <select
          value={trainer.kind.value}
          onChange={(event) => {
            trainer.kind.value = event.currentTarget.value as typeof trainer.kind.value;
            trainer.changed();
          }}
          data-testid="exercise-kind"
        >
          <option value="any">{t('study.kind_any')}</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`study.kind_${kind}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t('study.exercise_level')}</span>
        <select
          value={trainer.level.value}
          onChange={(event) => {
            trainer.level.value = event.currentTarget.value as typeof trainer.level.value;
            trainer.changed();
          }}
          data-testid="exercise-level"
        >
          <option value="auto">{t('study.exercise_level_auto')}</option>
          {Array.from({length: topLevel}, (_, i) => (
            <option key={i} value={String(i + 1)}>
              {formatNumber(i + 1)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function ProgressCard({trainer}: {trainer: Trainer}) {
  const [asked, setAsked] = useState(false);
  const {streak, best} = trainer.progress.value;
  const {tries, due} = trainer.summary();
  const all = trainer.fitting.value;
  const solved = trainer.solvedOf(all);
  const figures = [
    ['solved', t('study.progress_of', {solved, count: all.length})],
    ['tries', formatNumber(tries)],
    ['streak', formatNumber(streak)],
    ['best', formatNumber(best)],
    ['due', formatNumber(due)],
  ] as const;
  return (
    <section class="progress-card" data-testid="progress">
      <h3>{t('study.progress')}</h3>
      <progress value={solved} max={Math.max(1, all.length)} aria-label={t('study.progress_solved')} />
      <dl>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`study.progress_${name}`)}</dt>
            <dd data-testid={`progress-${name}`}>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="study-note">{t(trainer.notKept.value ? 'study.progress_not_kept' : 'study.progress_kept')}</p>
      <button
        type="button"
        class="button"
        disabled={tries === 0}
        onClick={() => setAsked(true)}
        data-testid="progress-reset"
      >
        {t('study.progress_reset')}
      </button>
      {asked && (
        <Dialog title={t('study.progress_reset')} onClose={() => setAsked(false)} name="reset-dialog">
          <p>{t('study.progress_reset_question')}</p>
          <div class="actions actions-end">
            <button type="button" class="button" onClick={() => setAsked(false)} data-testid="reset-no">
              {t('study.progress_reset_no')}
            </button>
            <button
              type="button"
              class="button button-danger"
              onClick={() => {
                trainer.reset();
                setAsked(false);
              }}
              data-testid="reset-yes"
            >
              {t('study.progress_reset_yes')}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

export function ExercisesPanel({rules, trainer, onAnalyse}: ExercisesPanelProps) {
  const {value: exercise} = trainer.exercise;
  if (trainer.failed.value) return <p role="alert">{t('study.exercise_failed')}</p>;
  if (!trainer.all.value) return <p role="status">{t('study.exercise_loading')}</p>;
  const done = trainer.phase.value === 'right' || trainer.phase.value === 'shown';
  return (
    <>
      {exercise ? (
        <section class="exercise" data-phase={trainer.phase.value} data-testid="exercise">
          <Answer rules={rules} trainer={trainer} exercise={exercise} />
          {!done && <Hints rules={rules} trainer={trainer} exercise={exercise} />}
          <div class="study-buttons">
            {!done && (
              <>
                <IconButton
                  icon="hint"
                  words
                  label={t('study.exercise_hint')}
                  name="exercise-hint"
                  disabled={trainer.hinted.value >= 2}
                  onClick={() => trainer.hint()}
                />
                <button
                  type="button"
                  class="button"
                  onClick={() => trainer.show()}
                  data-testid="exercise-solution"
                >
                  {t('study.exercise_solution')}
                </button>
              </>
            )}
            <button
              type="button"
              class={done ? 'button-main' : 'button'}
              onClick={() => trainer.next()}
              data-testid="exercise-next"
            >
              {t('study.exercise_next')}
            </button>
            {done && (
              <button type="button" class="button" onClick={onAnalyse} data-testid="exercise-analyse">
                {t('study.exercise_analyse')}
              </button>
            )}
          </div>
        </section>
      ) : (
        <p role="status" data-testid="exercise-none">
          {t('study.exercise_none')}
        </p>
      )}
      <Filters trainer={trainer} />
      <ProgressCard trainer={trainer} />
    </>
  );
}
