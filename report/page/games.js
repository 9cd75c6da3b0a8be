// Games on a board with their win rates, in the element #games. A game: title, pits, result, plies;
// a ply: a position and, but for the last, move, pit, side, win (per cent for the first player) and
// perhaps mark. `told(game, ply)` may add an element below the board.
'use strict';

function gamesView(games, told) {
  if (!games.length) return;
  const box = document.getElementById('games');
  box.hidden = false;
  const tabs = box.querySelector('.tabs'), board = box.querySelector('.board'), where = box.querySelector('.where');
  const list = box.querySelector('.moves');
  let game = null, at = 0, chart = null;
  const show = ply => {
    at = Math.max(0, Math.min(ply, game.plies.length - 1));
    const before = at > 0 ? game.plies[at - 1] : null;
    board.innerHTML = toguzBoard(game.plies[at], game.pits, before ? before.side * game.pits + before.pit : -1);
    where.textContent = before
      ? `${Math.ceil(at / 2)}${before.side ? '…' : '.'} ${before.move}${before.mark || ''} · ${(game.plies[at].win ?? before.win).toFixed(0)}% for the first player`
      : 'start';
    if (at === game.plies.length - 1) where.textContent += ` · ${game.result}`;
    list.querySelectorAll('button').forEach(b => b.setAttribute('aria-current', String(Number(b.dataset.ply) === at)));
    const current = list.querySelector('[aria-current="true"]');
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    if (told) box.querySelector('.told').replaceChildren(...told(game, at));
    chart.data.datasets[1].data = [{x: at, y: 0}, {x: at, y: 100}];
    chart.update();
  };
  const choose = index => {
    game = games[index];
    tabs.querySelectorAll('button').forEach((b, i) => b.setAttribute('aria-selected', String(i === index)));
    list.replaceChildren();
    game.plies.forEach((ply, i) => {
      if (!ply.move) return;
      if (i % 2 === 0) list.append(element('span', i / 2 + 1 + '.'));
      const button = element('button', ply.move + (ply.mark || ''), ply.mark ? (ply.mark === '!' ? 'good' : 'bad') : '');
      button.dataset.ply = i + 1;
      button.onclick = () => show(i + 1);
      list.append(button);
    });
    const data = game.plies.flatMap((p, i) => p.win === undefined ? [] : [{x: i, y: p.win}]);
    if (chart) chart.destroy();
    chart = new Chart(box.querySelector('canvas'), {type: 'line', data: {datasets: [
      {data, borderColor: colour('accent'), backgroundColor: faint(series[0], 0.15), fill: {value: 50}, borderWidth: 1.5},
      {data: [], borderColor: colour('bad'), borderWidth: 1}]},
      options: {plugins: {legend: {display: false}, tooltip: {enabled: false}},
        scales: {x: {type: 'linear', min: 0, max: Math.max(1, game.plies.length - 1)}, y: {min: 0, max: 100}},
        onClick: (event, items, of) => show(Math.round(of.scales.x.getValueForPixel(event.x)))}});
    show(0);
  };
  games.forEach((of, index) => {
    const tab = element('button', `${of.title} (${of.plies.length - 1} plies, ${of.result})`);
    tab.type = 'button';
    tab.setAttribute('role', 'tab');
    tab.onclick = () => choose(index);
    tabs.append(tab);
  });
  box.querySelectorAll('[data-go]').forEach(button => button.onclick = () =>
    show({first: 0, back: at - 1, on: at + 1, last: Infinity}[button.dataset.go]));
  box.addEventListener('keydown', event => {
    const go = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: Infinity}[event.key];
    if (go === undefined) return;
    event.preventDefault();
    show(go);
  });
  choose(0);
  document.body.dataset.charts = ++charts;
}

