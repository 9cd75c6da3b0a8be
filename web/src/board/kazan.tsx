import type {Side} from '../engine/api';
import {memo} from '../base/memo';
import {arrangeKazan} from './balls';
import {Balls} from './drawing';
import type {Layout} from './layout';

interface KazanProps {
  id: string;
  side: Side;
  balls: number;
  majority: number;
  layout: Layout;
  name: string;
  arrived: number; // balls that have just come
  capturing: boolean; // as a capture and not one by one
  stepMs: number;
}

function KazanTrough({id, side, balls, majority, layout, name, arrived, capturing, stepMs}: KazanProps) {
  const width = layout.kazanWidth * 100;
  const height = layout.kazanHeight * 100;
  const arrangement = arrangeKazan(balls, majority, {width, height: height - 16, greatest: 40});
  return (
    <div
      class={`kazan kazan${side}${arrived > 0 ? ' kazan-fed' : ''}`}
      role="img"
      aria-label={name}
      data-testid={`kazan-${side}`}
      data-balls={balls}
      style={{'--step': `${stepMs}ms`}}
    >
      <span class="kazan-count">{balls}</span>
      <span class="kazan-goal" aria-hidden="true">
        {majority}
      </span>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <g transform="translate(0 8)">
          <Balls
            id={id}
            arrangement={arrangement}
            newFrom={arrived > 0 ? balls - arrived : undefined}
            arrival={capturing ? 'ball-captured' : 'ball-new'}
          />
        </g>
      </svg>
    </div>
  );
}

export const Kazan = memo(KazanTrough);
