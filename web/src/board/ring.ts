import type {Side} from '../engine/api';

export interface Pit {
  side: Side;
  pit: number; // 1..N
}

export const other = (side: Side): Side => (side === 0 ? 1 : 0);

export const squareOf = (pits: number, {side, pit}: Pit): number => side * pits + pit - 1;

export function pitAt(pits: number, square: number): Pit {
  return square < pits ? {side: 0, pit: square + 1} : {side: 1, pit: square - pits + 1};
}

// The pits of a row from left to right, seen by who sits at the bottom.
export function rowOf(pits: number, side: Side, bottom: Side): number[] {
  const numbers = Array.from({length: pits}, (_, i) => i + 1);
  return side === bottom ? numbers : numbers.reverse();
}

// Where an arrow key leads.
export function neighbour(pits: number, from: Pit, key: string, bottom: Side): Pit {
  const own = from.side === bottom;
  const right = own ? 1 : -1;
  const clamp = (pit: number) => Math.min(pits, Math.max(1, pit));
  switch (key) {
    case 'ArrowRight':
      return {side: from.side, pit: clamp(from.pit + right)};
    case 'ArrowLeft':
      return {side: from.side, pit: clamp(from.pit - right)};
    case 'ArrowUp':
      return own ? {side: other(from.side), pit: pits + 1 - from.pit} : from;
    case 'ArrowDown':
      return own ? from : {side: other(from.side), pit: pits + 1 - from.pit};
    case 'Home':
      return {side: from.side, pit: own ? 1 : pits};
    case 'End':
      return {side: from.side, pit: own ? pits : 1};
    default:
      return from;
  }
}
