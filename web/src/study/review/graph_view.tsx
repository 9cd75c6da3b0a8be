// The first player's win rate over the game. A click, a drag or an arrow key goes to the move.
import {formatPercent, t} from '../../i18n';
import type {StudySession} from '../session';
import {mainAncestor} from '../logic/tree';
import {areaPath, keyTo, linePath, plyAt, pointsOf} from './graph';
import type {Reviewed} from './job';
import {markName} from './mark';

const box = {width: 1000, height: 200};

export function Graph({session, reviewed}: {session: StudySession; reviewed: Reviewed}) {
  const {review, nodes} = reviewed;
  const rates = review.firstWinRate;
  const points = pointsOf(rates, box);
  const last = rates.length - 1;
  const ply = Math.min(last, mainAncestor(session.node.value).ply);
  const goTo = (to: number) => session.goTo(to === 0 ? session.tree.value.root : nodes[to - 1]);
  const follow = (event: PointerEvent) => {
    const {left, width} = (event.currentTarget as Element).getBoundingClientRect();
    goTo(plyAt(event.clientX - left, rates.length, {width, height: 1}));
  };
  const place = (i: number) => ({
    left: `${(100 * points[i]!.x) / box.width}%`,
    top: `${(100 * points[i]!.y) / box.height}%`,
  });
  const move = ply === 0 ? t('study.at_start') : nodes[ply - 1]!.move;
  return (
    <div
      class="graph"
      dir="ltr"
      role="slider"
      tabIndex={0}
      aria-label={t('study.review_graph')}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={ply}
      aria-valuetext={t('study.review_graph_at', {move, winRate: formatPercent(rates[ply] ?? 50)})}
      title={t('study.review_graph_hint')}
      data-testid="review-graph"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && follow(event)}
      onKeyDown={(event) => {
        const to = keyTo(event.key, ply, last);
        if (to === null) return;
        event.preventDefault();
        goTo(to);
      }}
    >
      <svg viewBox={`0 0 ${box.width} ${box.height}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="graph-area" d={areaPath(points, box)} />
        <line class="graph-half" x1="0" x2={box.width} y1={box.height / 2} y2={box.height / 2} />
        <path class="graph-line" d={linePath(points)} />
      </svg>
      {review.moves.map((one, i) => {
        const name = markName(one.mark);
        if (!one.turning && (name === null || name === 'inaccuracy')) return null;
        return (
          <span
            key={i}
            class={`graph-mark${name ? ` graph-${name}` : ''}${one.turning ? ' graph-turning' : ''}`}
            style={place(i + 1)}
            aria-hidden="true"
          />
        );
      })}
      <span class="graph-now" style={{left: place(ply).left}} aria-hidden="true">
        <span class="graph-now-dot" style={{top: place(ply).top}} />
      </span>
    </div>
  );
}
