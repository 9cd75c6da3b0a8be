// The page of `toguz analyze`: reads what analysis/review_text.cpp wrote.
'use strict';

const review = JSON.parse(document.getElementById('data').textContent);

function sidesTable(game) {
  const table = document.querySelector('#games .sides');
  const head = element('tr');
  ['', 'accuracy', 'balls lost a move', '!', '?!', '?', '??'].forEach(text => head.append(element('th', text)));
  table.replaceChildren(head);
  game.sides.forEach((side, index) => {
    const row = element('tr');
    const cells = [index ? 'second player' : 'first player', side.accuracy.toFixed(1) + '%', side.balls.toFixed(1), ...side.marks.slice(1)];
    cells.forEach(cell => row.append(element('td', String(cell))));
    table.append(row);
  });
}

// What the engine says of the move that led here.
function told(game, at) {
  if (at === 0) sidesTable(game);
  const turns = game.plies.flatMap((ply, i) => ply.turning ? [i + 1] : []);
  if (at === 0) return [element('p', turns.length ? `The favourite changes at ply ${turns.join(', ')}.` : 'No move changes the favourite.')];
  const ply = game.plies[at - 1];
  if (!ply.best) return [element('p', `${ply.move}${ply.mark || ''} is as good as any.`)];
  return [element('p', `${ply.move}${ply.mark || ''} gives away ${ply.lost[0].toFixed(1)} points of win rate and ` +
    `${ply.lost[1].toFixed(1)} balls. Better: ${ply.best} (${ply.line}).` + (ply.turning ? ' The favourite changes.' : ''))];
}

function openings() {
  if (!review.openings.length) return;
  const box = document.getElementById('openings');
  box.hidden = false;
  const table = box.querySelector('table');
  const head = element('tr');
  ['line', 'games', 'first won', 'drawn', 'second won', 'engine: first player'].forEach(text => head.append(element('th', text)));
  table.append(head);
  for (const line of review.openings) {
    const row = element('tr');
    [`${line.moves}${review.variants > 1 ? ` (${line.variant})` : ''}`, line.games, line.first_won, line.drawn, line.second_won,
     line.first_win_rate.toFixed(1) + '%'].forEach(cell => row.append(element('td', String(cell))));
    table.append(row);
  }
}

for (const [name, value] of Object.entries(review.tiles)) {
  const tile = element('div', undefined, 'tile');
  tile.append(element('b', value), element('span', name));
  document.getElementById('tiles').append(tile);
}
gamesView(review.games, told);
openings();
document.body.dataset.ready = 'yes';
