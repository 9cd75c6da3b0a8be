// What the engine thinks of the position: its best lines, of which any part can be played.
import {Switch} from '../base/controls';
import type {Line} from '../engine/api';
import {formatNumber, formatPercent, t} from '../i18n';
import {signedBalls} from './eval_bar';
import {mostLines, type Evaluation} from './logic/live';
import type {StudySession} from './session';

const longestShown = 14;

const short = (value: number) => formatNumber(value, {notation: 'compact', maximumFractionDigits: 1});

function Speed({session}: {session: StudySession}) {
  const {live} = session;
  const seen = live.evaluation.value;
  if (session.state.value.over) return <>{t('study.engine_over')}</>;
  if (live.failed.value) return <span role="alert">{t('study.engine_failed')}</span>;
  if (!seen) return <>{live.searching.value ? t('study.engine_searching') : ''}</>;
  const nodes = short(seen.nodes);
  return (
    <>
      {live.searching.value
        ? t('study.engine_speed', {nodes, nps: short(seen.nps)})
        : t('study.engine_nodes', {nodes})}
    </>
  );
}

function LineRow({
  session,
  line,
  index,
  seen,
}: {
  session: StudySession;
  line: Line;
  index: number;
  seen: Evaluation;
}) {
  const first = seen.turn === 0;
  const rate = first ? line.winRate : 100 - line.winRate;
  const moves = line.pv.slice(0, longestShown);
  return (
    <li
      class="line"
      aria-label={t('study.line', {index: index + 1, winRate: formatPercent(rate)})}
      data-testid={`line-${index}`}
    >
      <span class="line-rate" dir="ltr">
        <b>{formatPercent(rate)}</b> <small>{signedBalls(first ? line.margin : -line.margin)}</small>
      </span>
      <span class="line-moves" dir="ltr">
        {moves.map((move, i) => (
          <button
            key={i}
            type="button"
            class="line-move"
            tabIndex={i === 0 ? 0 : -1}
            aria-label={t('study.line_play', {move})}
            onClick={() => session.playLine(line.pits.slice(0, i + 1))}
            data-testid={`line-${index}-${i}`}
          >
            {move}
          </button>
        ))}
      </span>
    </li>
  );
}

export function LinesPanel({session}: {session: StudySession}) {
  const {live} = session;
  const seen = live.evaluation.value;
  const fits = seen && seen.fen === session.state.value.fen;
  return (
    <section class="study-lines" aria-label={t('study.engine')}>
      <header class="study-lines-head">
        <Switch
          label={t('study.engine')}
          checked={live.on.value}
          onChange={(on) => live.toggle(on)}
          name="engine-switch"
        />
        {live.on.value && (
          <>
            {live.rested.value && !session.state.value.over && (
              <button type="button" class="button" onClick={() => live.deeper()} data-testid="engine-deeper">
                {t('study.engine_deeper')}
              </button>
            )}
            <label class="study-count">
              <span>{t('study.lines')}</span>
              <select
                aria-label={t('study.lines_count')}
                value={live.lines.value}
                onChange={(event) => (live.lines.value = Number(event.currentTarget.value))}
                data-testid="engine-lines"
              >
                {Array.from({length: mostLines}, (_, i) => (
                  <option key={i} value={i + 1}>
                    {i + 1}
                  </option>
                ))}
              </select>
            </label>
          </>
        )}
      </header>
      {live.on.value && fits && (
        <ol class="lines">
          {seen.lines.slice(0, live.lines.value).map((line, i) => (
            <LineRow key={line.pits[0]} session={session} line={line} index={i} seen={seen} />
          ))}
        </ol>
      )}
      {live.on.value && (
        <p class="study-note study-speed">
          <span data-testid="engine-speed" data-nodes={seen?.nodes ?? 0}>
            <Speed session={session} />
          </span>
          {fits && <span>{t('study.lines_note')}</span>}
        </p>
      )}
      {!session.hasModel() && <p class="study-note">{t('study.not_this_variant_model')}</p>}
      {!live.on.value && <p class="study-note">{t('study.engine_off')}</p>}
    </section>
  );
}
