// Balls and stones as SVG. Each board defines the gradients once; its style gives the colours.
import type {Side} from '../engine/api';
import type {Arrangement} from './balls';

export function Gradients({id}: {id: string}) {
  return (
    <svg class="board-gradients" aria-hidden="true">
      <defs>
        {[0, 1].map((tone) => (
          <radialGradient key={tone} id={`${id}-ball${tone}`} cx="0.5" cy="0.5" r="0.56" fx="0.36" fy="0.3">
            <stop offset="0" style={`stop-color: var(--ball${tone}-light)`} />
            <stop offset="0.5" style={`stop-color: var(--ball${tone})`} />
            <stop offset="1" style={`stop-color: var(--ball${tone}-dark)`} />
          </radialGradient>
        ))}
        {[0, 1].map((side) => (
          <radialGradient key={side} id={`${id}-stone${side}`} cx="0.5" cy="0.5" r="0.6" fx="0.38" fy="0.3">
            <stop offset="0" style={`stop-color: var(--side${side}-light)`} />
            <stop offset="1" style={`stop-color: var(--side${side})`} />
          </radialGradient>
        ))}
      </defs>
    </svg>
  );
}

interface BallsProps {
  id: string;
  arrangement: Arrangement;
  // Bottom rows are filled from below.
  upwards?: number; // height of the box
  newFrom?: number; // balls from here on have just come
  arrival?: string; // their class
}

// Tens alternate in tone.
export function Balls({
  id,
  arrangement: {radius, spots},
  upwards,
  newFrom = Infinity,
  arrival = '',
}: BallsProps) {
  const r = radius * 0.95;
  return (
    <>
      {spots.map(({x, y}, i) => {
        const cy = upwards === undefined ? y : upwards - y;
        const fresh = i >= newFrom;
        return (
          <g key={fresh ? `new${i}` : i} class={fresh ? arrival : undefined}>
            <circle class="ball-shadow" cx={x + r * 0.1} cy={cy + r * 0.16} r={r} />
            <circle class="ball" cx={x} cy={cy} r={r} fill={`url(#${id}-ball${Math.floor(i / 10) % 2})`} />
          </g>
        );
      })}
    </>
  );
}

// The crown of a yurt, its owner's colour: this pit feeds his kazan.
export function TuzdikStone({
  id,
  owner,
  x,
  y,
  r,
}: {
  id: string;
  owner: Side;
  x: number;
  y: number;
  r: number;
}) {
  const bar = r * 0.62;
  return (
    <g class={`stone stone${owner}`} transform={`translate(${x} ${y})`}>
      <circle class="ball-shadow" cx={r * 0.08} cy={r * 0.14} r={r} />
      <circle r={r} fill={`url(#${id}-stone${owner})`} />
      <g class="stone-mark" stroke-width={r * 0.11}>
        <circle r={bar} />
        {[-0.24, 0, 0.24].map((shift) => (
          <g key={shift}>
            <path d={`M${shift * r} ${-bar * 0.94}Q${shift * r * 1.9} 0 ${shift * r} ${bar * 0.94}`} />
            <path d={`M${-bar * 0.94} ${shift * r}Q0 ${shift * r * 1.9} ${bar * 0.94} ${shift * r}`} />
          </g>
        ))}
      </g>
    </g>
  );
}
