// Measures of the board, all in units of a pit's width.
import type {Rules, Side} from '../engine/api';
import {arrangeKazan} from './balls';
import {pitAt, type Pit} from './ring';

export interface Layout {
  pits: number;
  pitHeight: number;
  kazanHeight: number;
  kazanWidth: number; // where balls lie
  nameHeight: number; // strip between pits and kazans
  width: number;
  height: number;
}

export const gap = 0.1;
export const edge = 0.3;
export const countHeight = 0.5; // strip with the counts, outside of the pits
export const kazanGap = 0.12;
export const kazanCount = 1.15; // width of the number in a kazan

const pitHeights: Record<number, number> = {9: 2.75, 7: 2.35, 5: 1.95};

export function layoutOf({pits, majority}: Pick<Rules, 'pits' | 'majority'>): Layout {
  const pitHeight = pitHeights[pits] ?? 2.4;
  const inner = pits + gap * (pits - 1);
  const kazanWidth = inner - kazanCount - 0.2;
  const {radius} = arrangeKazan(majority, majority, {width: kazanWidth, height: 9, greatest: 0.4});
  const kazanHeight = 4 * radius + 0.22;
  const nameHeight = 0.34;
  const height = 2 * (edge + countHeight + pitHeight + nameHeight + kazanHeight) + kazanGap;
  return {
    pits,
    pitHeight,
    kazanHeight,
    kazanWidth,
    nameHeight,
    width: inner + 2 * edge,
    height,
  };
}

export interface Point {
  x: number;
  y: number;
}

function pitX(layout: Layout, {side, pit}: Pit, bottom: Side): number {
  const column = side === bottom ? pit - 1 : layout.pits - pit;
  return edge + column * (1 + gap) + 0.5;
}

export function pitCentre(layout: Layout, square: number, bottom: Side): Point {
  const at = pitAt(layout.pits, square);
  const fromEdge = edge + countHeight + layout.pitHeight / 2;
  return {x: pitX(layout, at, bottom), y: at.side === bottom ? layout.height - fromEdge : fromEdge};
}

// Where a hand is held over a pit: at its inner end, so that the balls and their number stay in sight.
export function handOver(layout: Layout, square: number, bottom: Side): Point {
  const at = pitAt(layout.pits, square);
  const fromEdge = edge + countHeight + layout.pitHeight + layout.nameHeight * 0.4;
  return {x: pitX(layout, at, bottom), y: at.side === bottom ? layout.height - fromEdge : fromEdge};
}

export function kazanCentre(layout: Layout, side: Side, bottom: Side): Point {
  const fromMiddle = (kazanGap + layout.kazanHeight) / 2;
  return {
    x: edge + kazanCount * 0.6,
    y: layout.height / 2 + (side === bottom ? fromMiddle : -fromMiddle),
  };
}
