// Where the balls of a pit lie: in pairs, tens apart, an odd one in the middle of the last row, so that a
// count and its parity are seen without counting.

export interface Spot {
  x: number;
  y: number;
}
export interface Arrangement {
  radius: number;
  spots: Spot[];
}

const tenGap = 0.35; // of a ball, between groups of ten

function lengthInBalls(rows: number): number {
  return rows + tenGap * (Math.ceil(rows / 5) - 1);
}

interface Box {
  width: number;
  height: number;
  greatest: number; // diameter
}

// Rows of pairs, in one column of pairs or, if balls would become too small, in more.
export function arrange(count: number, box: Box): Arrangement {
  if (count <= 0) return {radius: 0, spots: []};
  let best = {diameter: 0, columns: 1};
  for (let columns = 1; columns <= 4; ++columns) {
    const pairs = Math.ceil(count / 2);
    // Several columns are each filled by tens.
    const rows = columns === 1 ? pairs : Math.ceil(pairs / columns / 5) * 5;
    const across = 2 * columns + tenGap * (columns - 1);
    const diameter = Math.min(box.width / across, box.height / lengthInBalls(rows), box.greatest);
    if (diameter > best.diameter * 1.001) best = {diameter, columns};
  }
  const {diameter, columns} = best;
  const blockWidth = 2 * diameter;
  const across = columns * blockWidth + (columns - 1) * tenGap * diameter;
  const left = (box.width - across) / 2;
  const spots: Spot[] = [];
  for (let i = 0; i < count; ++i) {
    const pair = Math.floor(i / 2);
    // Tens go side by side first, then the next row of tens.
    const ten = Math.floor(pair / 5);
    const column = columns === 1 ? 0 : ten % columns;
    const row = columns === 1 ? pair : Math.floor(ten / columns) * 5 + (pair % 5);
    const alone = i === count - 1 && count % 2 === 1;
    const x = left + column * (blockWidth + tenGap * diameter) + (alone ? 1 : (i % 2) + 0.5) * diameter;
    const y = (row + 0.5 + tenGap * Math.floor(row / 5)) * diameter;
    spots.push({x, y});
  }
  return {radius: diameter / 2, spots};
}

// A kazan is a trough of pairs that is full when it wins (or, in giveaway, loses); more balls than that
// are laid closer.
export function arrangeKazan(count: number, majority: number, box: Box): Arrangement {
  if (count <= 0) return {radius: 0, spots: []};
  const columns = Math.ceil(Math.max(count, majority) / 2);
  const across = columns + tenGap * (Math.ceil(columns / 5) - 1);
  const diameter = Math.min(box.width / across, box.height / 2, box.greatest);
  const top = (box.height - 2 * diameter) / 2;
  const spots: Spot[] = [];
  for (let i = 0; i < count; ++i) {
    const column = Math.floor(i / 2);
    const alone = i === count - 1 && count % 2 === 1;
    spots.push({
      x: (column + 0.5 + tenGap * Math.floor(column / 5)) * diameter,
      y: top + (alone ? 1 : (i % 2) + 0.5) * diameter,
    });
  }
  return {radius: diameter / 2, spots};
}
