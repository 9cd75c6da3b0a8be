// The evaluation graph's geometry: the first player's win rate over plies, within a box.

export interface Box {
  width: number;
  height: number;
}
export interface Point {
  x: number;
  y: number;
}

const clamped = (value: number) => Math.min(100, Math.max(0, Number.isFinite(value) ? value : 50));

export function pointsOf(winRates: readonly number[], {width, height}: Box): Point[] {
  const last = Math.max(1, winRates.length - 1);
  return winRates.map((rate, i) => ({x: (width * i) / last, y: height * (1 - clamped(rate) / 100)}));
}

const written = ({x, y}: Point) => `${x.toFixed(1)},${y.toFixed(1)}`;

export function linePath(points: readonly Point[]): string {
  return points.length ? `M${points.map(written).join('L')}` : '';
}

// Between the line and the bottom: the first player's part.
export function areaPath(points: readonly Point[], {height}: Box): string {
  const [first] = points;
  const end = points.at(-1);
  if (!first || !end) return '';
  return `${linePath(points)}L${written({x: end.x, y: height})}L${written({x: first.x, y: height})}Z`;
}

// The ply nearest to a place in the box.
export function plyAt(x: number, plies: number, {width}: Box): number {
  if (plies < 2 || !(width > 0)) return 0;
  return Math.min(plies - 1, Math.max(0, Math.round((x / width) * (plies - 1))));
}

// A key on the graph; null if it is none of its keys.
export function keyTo(key: string, ply: number, last: number): number | null {
  const to: Record<string, number> = {
    ArrowLeft: ply - 1,
    ArrowRight: ply + 1,
    ArrowDown: ply - 1,
    ArrowUp: ply + 1,
    PageDown: ply - 10,
    PageUp: ply + 10,
    Home: 0,
    End: last,
  };
  const wanted = Object.hasOwn(to, key) ? to[key] : undefined;
  return wanted === undefined ? null : Math.min(last, Math.max(0, wanted));
}
