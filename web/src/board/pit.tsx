import type {Side} from '../engine/api';
import {memo} from '../base/memo';
import {arrange} from './balls';
import {Balls, TuzdikStone} from './drawing';

export interface PitProps {
  id: string; // of the board's gradients
  side: Side;
  pit: number;
  balls: number;
  tall: number; // height in pit widths
  atBottom: boolean;
  owner: Side | null; // of the tuzdik that it is
  legal: boolean;
  tabbable: boolean;
  numbers: boolean;
  name: string; // for a screen reader
  marks: string; // classes
  badge: string; // on top, of a preview or a mark
  fresh: boolean; // its last ball has just fallen
  stepMs: number; // of what happens in it now; 0: nothing
}

const inset = 7;

function PitBox(props: PitProps) {
  const {id, side, pit, balls, tall, atBottom, owner, legal, tabbable, marks, badge, fresh} = props;
  const height = tall * 100;
  const arrangement = arrange(balls, {width: 100 - 2 * inset, height: height - 3 * inset, greatest: 43});
  return (
    <button
      type="button"
      class={`pit ${atBottom ? 'pit-bottom' : 'pit-top'}${legal ? ' pit-legal' : ''} ${marks}`}
      data-side={side}
      data-pit={pit}
      data-balls={balls}
      data-testid={`pit-${side}-${pit}`}
      tabIndex={tabbable ? 0 : -1}
      aria-disabled={!legal}
      aria-label={props.name}
      style={props.stepMs > 0 ? {'--step': `${props.stepMs}ms`} : undefined}
    >
      <span class="pit-count" aria-hidden="true">
        {props.numbers && balls > 0 && balls}
      </span>
      <span class="pit-slot">
        <svg viewBox={`0 0 100 ${height}`} aria-hidden="true">
          {owner !== null && <TuzdikStone id={id} owner={owner} x={50} y={height / 2} r={38} />}
          <g transform={`translate(${inset} ${1.5 * inset})`}>
            <Balls
              id={id}
              arrangement={arrangement}
              upwards={atBottom ? height - 3 * inset : undefined}
              newFrom={fresh ? balls - 1 : undefined}
              arrival="ball-new"
            />
          </g>
        </svg>
        {badge && <span class="pit-badge">{badge}</span>}
      </span>
    </button>
  );
}

export const PitButton = memo(PitBox);
