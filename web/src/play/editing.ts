// A position being put together: plain values, checked by the rules only when whole.
import {other} from '../board/ring';
import type {EditedPosition, Rules, Side} from '../engine/api';

export function usualPosition({name, pits, balls}: Rules): EditedPosition {
  const row = () => Array<number>(pits).fill(balls);
  return {variant: name, pits: [row(), row()], kazan: [0, 0], tuzdik: [0, 0], turn: 0};
}

export function emptyPosition({name, pits}: Rules): EditedPosition {
  const row = () => Array<number>(pits).fill(0);
  return {variant: name, pits: [row(), row()], kazan: [0, 0], tuzdik: [0, 0], turn: 0};
}

export function ballsOf({pits, kazan}: EditedPosition): number {
  return [...pits[0], ...pits[1], ...kazan].reduce((sum, balls) => sum + balls, 0);
}

const pair = <T>(side: Side, own: T, others: T): [T, T] => (side === 0 ? [own, others] : [others, own]);

export function withPit(position: EditedPosition, side: Side, pit: number, balls: number): EditedPosition {
  const row = position.pits[side].map((now, i) => (i === pit - 1 ? balls : now));
  return {...position, pits: pair(side, row, position.pits[other(side)])};
}

export function withKazan(position: EditedPosition, side: Side, balls: number): EditedPosition {
  return {...position, kazan: pair(side, balls, position.kazan[other(side)])};
}

// A tuzdik holds no balls.
export function withTuzdik(position: EditedPosition, owner: Side, pit: number): EditedPosition {
  const tuzdik = pair(owner, pit, position.tuzdik[other(owner)]);
  return pit === 0 ? {...position, tuzdik} : withPit({...position, tuzdik}, other(owner), pit, 0);
}

// What is left of all balls goes to a kazan, if anything is.
export function withRest(position: EditedPosition, side: Side, total: number): EditedPosition {
  return withKazan(position, side, Math.max(0, position.kazan[side] + total - ballsOf(position)));
}
