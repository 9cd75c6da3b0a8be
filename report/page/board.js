// A position as a drawing: the first player's pits below from left to right, the second player's above
// from right to left, both kazans between.
'use strict';

function toguzBoard(position, pits, movedSquare) {
  const wide = 62, tall = 96, width = pits * wide + 16, height = 2 * tall + 74;
  const parts = [];
  const ballsAt = (x, y, count, room) => {
    // Columns of five, so that a count can be read at a glance.
    const shown = Math.min(count, room);
    for (let i = 0; i < shown; i++)
      parts.push(`<circle class="ball" cx="${x - 18 + 9 * (i % 5)}" cy="${y + 9 * Math.floor(i / 5)}" r="3.6"/>`);
  };
  const names = ['first player', 'second player'];
  const told = [0, 1].map(side => {
    const own = position.board.slice(side * pits, side * pits + pits).join(' ');
    const tuzdik = position.tuzdik[side] ? `, tuzdik on pit ${position.tuzdik[side]}` : '';
    return `${names[side]}: pits ${own}, kazan ${position.kazan[side]}${tuzdik}`;
  });
  parts.push(`<rect class="wood" x="0" y="0" width="${width}" height="${height}" rx="10"/>`);
  for (let square = 0; square < 2 * pits; square++) {
    const below = square < pits;
    const column = below ? square : 2 * pits - 1 - square;
    const x = 8 + column * wide + wide / 2;
    const top = below ? tall + 68 : 6;
    const number = below ? square + 1 : square - pits + 1;
    const owner = below ? 0 : 1;
    const isTuzdik = position.tuzdik[1 - owner] === number;
    const kind = (square === movedSquare ? ' moved' : '') + (isTuzdik ? ' tuzdik' : '');
    parts.push(`<rect class="pit${kind}" x="${x - 27}" y="${top}" width="54" height="${tall}" rx="14"/>`);
    parts.push(`<text x="${x}" y="${top + 20}">${position.board[square]}</text>`);
    ballsAt(x, top + 32, position.board[square], 30);
    parts.push(`<text class="number" x="${x}" y="${top + tall - 4}">${isTuzdik ? '✕ ' : ''}${number}</text>`);
  }
  const middle = tall + 37;
  for (const side of [0, 1])
    parts.push(`<text x="${width * (side ? 0.75 : 0.25)}" y="${middle + 5}">` +
      `${position.side === side ? '● ' : ''}${side ? 'second' : 'first'}: ${position.kazan[side]}</text>`);
  return `<svg class="toguz" viewBox="0 0 ${width} ${height}" role="img" aria-label="${told.join('; ')}">${parts.join('')}</svg>`;
}
