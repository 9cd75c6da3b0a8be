// Won, drawn, lost, and what is not known, as a bar with its figures.
import {formatNumber, formatPercent, t} from '../../i18n';
import type {Counts} from './tally';

const leastShown = 20; // per cent of the bar that has room for a figure

export function ResultBar({counts}: {counts: Counts}) {
  const {games, first, draws, second, unknown} = counts;
  const parts = [
    ['first', first],
    ['draw', draws],
    ['second', second],
    ['unknown', unknown],
  ] as const;
  return (
    <span
      class="result-bar"
      dir="ltr"
      role="img"
      aria-label={t('study.openings_results_text', {first, draws, second, unknown})}
      title={t('study.openings_results_text', {first, draws, second, unknown})}
    >
      {parts.map(([name, count]) => {
        const share = games ? (100 * count) / games : 0;
        if (!count) return null;
        return (
          <span key={name} class={`result-part result-${name}`} style={{width: `${share}%`}}>
            {share >= leastShown && name !== 'unknown' ? formatPercent(share) : ''}
          </span>
        );
      })}
    </span>
  );
}

export function ResultKey() {
  const parts = ['first_won', 'draws', 'second_won', 'unknown'] as const;
  const classes = {first_won: 'first', draws: 'draw', second_won: 'second', unknown: 'unknown'};
  return (
    <p class="result-key" aria-hidden="true">
      {parts.map((part) => (
        <span key={part}>
          <span class={`result-swatch result-${classes[part]}`} /> {t(`study.openings_${part}`)}
        </span>
      ))}
    </p>
  );
}

export const countText = (count: number) => formatNumber(count);
