// The balls in the mover's hand, carried round the ring, and those of a capture on their way to a kazan.
import type {Side} from '../engine/api';
import {Balls} from './drawing';
import {handOver, kazanCentre, pitCentre, type Layout} from './layout';
import {arrange} from './balls';
import type {Shown} from './sower';

const size = 86; // of the drawing, in hundredths of a pit

function Cluster({id, balls}: {id: string; balls: number}) {
  const arrangement = arrange(Math.min(balls, 10), {width: size, height: size, greatest: 36});
  const {radius, spots} = arrangement;
  const bottom = spots.length > 0 ? Math.max(...spots.map((spot) => spot.y)) + radius : 0;
  return (
    <svg viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      <g transform={`translate(0 ${(size - bottom) / 2})`}>
        <Balls id={id} arrangement={arrangement} />
      </g>
    </svg>
  );
}

interface HandProps {
  id: string;
  layout: Layout;
  shown: Shown;
  bottom: Side;
}

export function Hand({id, layout, shown, bottom}: HandProps) {
  const {frame, by, step} = shown;
  if (frame.capture) {
    const from = pitCentre(layout, frame.square, bottom);
    const to = kazanCentre(layout, by, bottom);
    const taken = shown.before ? frame.kazan[by] - shown.before.kazan[by] : 0;
    return (
      <div
        class="board-flight"
        style={{
          '--step': `${shown.stepMs}ms`,
          '--from-x': from.x,
          '--from-y': from.y,
          '--to-x': to.x,
          '--to-y': to.y,
        }}
        aria-hidden="true"
      >
        <Cluster id={id} balls={taken} />
        <b>+{taken}</b>
      </div>
    );
  }
  const {x, y} = handOver(layout, frame.square, bottom);
  return (
    <div
      class={`board-hand${step === 0 ? ' board-hand-new' : ''}${frame.inHand === 0 ? ' board-hand-empty' : ''}`}
      style={{'--step': `${shown.stepMs}ms`, '--x': x, '--y': y}}
      aria-hidden="true"
      data-testid="hand"
    >
      <Cluster id={id} balls={frame.inHand} />
      <b>{frame.inHand}</b>
    </div>
  );
}
