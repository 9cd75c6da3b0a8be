// The board: two rows with the kazans between. Draws what it is given; knows no rules.
import {useId, useMemo, useRef} from 'preact/hooks';
import type {Landing, Rules, Side} from '../engine/api';
import {t} from '../i18n';
import {lessMotion} from '../base/motion';
import './board.css';
import './styles.css';
import './textures.css';
import {Gradients} from './drawing';
import {Hand} from './hand';
import {useBoardInput} from './input';
import {Kazan} from './kazan';
import {edge, layoutOf} from './layout';
import {pitLooks, type BoardMark, type Preview} from './looks';
import {PitButton} from './pit';
import {other, rowOf, type Pit} from './ring';
import {boardStyle, showLegal, showNumbers, showPitNames, type BoardStyle} from './settings';
import type {Shown} from './sower';
import {sideName} from './words';

// A State is one.
export interface BoardPosition {
  pits: [number[], number[]];
  kazan: [number, number];
  tuzdik: [number, number];
}

export interface BoardProps {
  rules: Rules;
  position: BoardPosition;
  turn?: Side;
  legal?: readonly number[]; // of `turn`: those that may be played now
  landings?: readonly Landing[]; // for the preview
  last?: Landing | null;
  bottom?: Side;
  marks?: readonly BoardMark[];
  shown?: Shown | null; // a sowing under way, instead of `position`
  onPlay?: (pit: number) => void;
  onPit?: (pit: Pit) => void; // any pit is chosen, as in an editor
  onSkip?: () => void;
  look?: BoardStyle; // another than the one set
  label?: string;
}

const none: readonly never[] = [];

export function Board(props: BoardProps) {
  const {rules, position, turn = 0, bottom = 0, shown = null} = props;
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => layoutOf(rules), [rules.pits, rules.majority]);
  const legal = shown ? none : (props.legal ?? none);
  const {preview, focused, handlers} = useBoardInput({...props, legal, root});
  const now = shown ? shown.frame : position;
  const numbers = showNumbers.value;
  const looks = pitLooks({...props, legal, preview, shown});
  const arrived = (side: Side) => (shown ? fedBy(shown, side) : 0);
  const capturing = shown?.frame.capture ?? false;
  const sides: Side[] = [other(bottom), bottom];

  const row = (side: Side) => (
    <div class="board-row" role="group" aria-label={t('board.row', {side: sideName(side)})}>
      {rowOf(rules.pits, side, bottom).map((pit) => {
        const look = looks({side, pit});
        const owner = now.tuzdik[other(side)] === pit ? other(side) : null;
        return (
          <PitButton
            key={pit}
            id={id}
            side={side}
            pit={pit}
            balls={now.pits[side][pit - 1] ?? 0}
            tall={layout.pitHeight}
            atBottom={side === bottom}
            owner={owner}
            tabbable={focused.side === side && focused.pit === pit}
            numbers={numbers}
            {...look}
          />
        );
      })}
    </div>
  );
  const names = (side: Side) =>
    showPitNames.value && (
      <div class="board-names" aria-hidden="true">
        {rowOf(rules.pits, side, bottom).map((pit) => (
          <span key={pit}>{pit}</span>
        ))}
      </div>
    );
  const kazan = (side: Side) => (
    <Kazan
      id={id}
      side={side}
      balls={now.kazan[side]}
      majority={rules.majority}
      layout={layout}
      name={t('board.kazan', {side: sideName(side), balls: now.kazan[side]})}
      arrived={arrived(side)}
      capturing={capturing}
      stepMs={arrived(side) > 0 ? shown!.stepMs : 0}
    />
  );

  const classes = [
    'board',
    shown && 'board-sowing',
    lessMotion.value && 'board-still',
    showLegal.value && 'board-shows-legal',
  ];
  return (
    <div
      ref={root}
      class={classes.filter(Boolean).join(' ')}
      dir="ltr"
      role="group"
      aria-label={props.label ?? t('board.board', {variant: rules.name})}
      data-board={props.look ?? boardStyle.value}
      data-testid="board"
      data-turn={turn}
      data-busy={shown !== null}
      style={{
        '--across': layout.width,
        '--down': layout.height,
        '--edge': edge,
        '--pit-height': layout.pitHeight,
        '--kazan-height': layout.kazanHeight,
        '--name-height': layout.nameHeight,
      }}
      {...handlers}
    >
      <Gradients id={id} />
      <div class="board-frame">
        {row(sides[0]!)}
        <div class="board-middle">
          {names(sides[0]!)}
          {kazan(sides[0]!)}
          {kazan(sides[1]!)}
          {names(sides[1]!)}
        </div>
        {row(sides[1]!)}
        {shown && <Hand id={id} layout={layout} shown={shown} bottom={bottom} />}
      </div>
    </div>
  );
}

// Balls that this frame has brought to a kazan.
function fedBy({frame, before}: Shown, side: Side): number {
  return before ? frame.kazan[side] - before.kazan[side] : 0;
}

export type {BoardMark, Preview};
