// The page of `toguz analyze`: reads what analysis/review_text.cpp wrote.
'use strict';

const review = JSON.parse(document.getElementById('data').textContent);

function sidesTable(game) {
  const table = document.querySelector('#games .sides');
  fillTable(table, ['', 'accuracy', 'balls lost a move', '!', '?!', '?', '??'], game.sides.map((side, index) => [
    index ? 'second player' : 'first player', side.accuracy.toFixed(1) + '%', side.balls.toFixed(1), ...side.marks.slice(1).map(String)]));
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
  fillTable(box.querySelector('table'), ['line', 'games', 'first won', 'drawn', 'second won', 'engine: first player'],
    review.openings.map(line => [`${line.moves}${review.variants > 1 ? ` (${line.variant})` : ''}`, String(line.games), String(line.first_won),
      String(line.drawn), String(line.second_won), line.first_win_rate.toFixed(1) + '%']));
}

fillTiles(Object.entries(review.tiles));
gamesView({told}).show(review.games);
openings();
document.body.dataset.ready = 'yes';
