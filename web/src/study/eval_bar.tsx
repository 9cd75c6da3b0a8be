import {formatNumber, formatPercent, t} from '../i18n';
import type {Verdict} from './logic/live';

export const balls = (count: number) =>
  formatNumber(Math.abs(count), {maximumFractionDigits: 1, minimumFractionDigits: 1});
export const signedBalls = (count: number) =>
  formatNumber(count, {maximumFractionDigits: 1, minimumFractionDigits: 1, signDisplay: 'exceptZero'});

function marginWords(margin: number): {margin: string; balls: string} {
  const name = Math.abs(margin) < 0.05 ? 'none' : margin > 0 ? 'first' : 'second';
  return {margin: name, balls: balls(margin)};
}

// The first player's share from the left, as his row runs.
export function EvalBar({verdict}: {verdict: Verdict | null}) {
  const rate = verdict?.winRate ?? 50;
  const words = verdict
    ? t('study.eval_text', {winRate: formatPercent(rate), ...marginWords(verdict.margin)})
    : t('study.eval_none');
  return (
    <div
      class={`eval-bar${verdict ? '' : ' eval-bar-none'}`}
      dir="ltr"
      role="meter"
      aria-label={t('study.eval')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(rate)}
      aria-valuetext={words}
      title={words}
      data-testid="eval-bar"
      data-rate={verdict ? rate.toFixed(1) : ''}
    >
      <div class="eval-first" style={{transform: `translateX(${rate - 100}%)`}} />
      <span class="eval-number eval-number-first">
        {verdict && t('study.eval_first_short', {winRate: formatPercent(rate)})}
      </span>
      <span class="eval-number eval-number-margin">{verdict && signedBalls(verdict.margin)}</span>
      <span class="eval-number eval-number-second">
        {verdict && t('study.eval_second_short', {winRate: formatPercent(100 - rate)})}
      </span>
    </div>
  );
}
