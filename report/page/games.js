// Games on a board with their win rates, in the element #games. A game: title, id, pits, result,
// plies; a ply: a position and, but for the last, move, pit, side, win (per cent for the first
// player) and perhaps mark. `told(game, ply)` may add an element below the board. The games may be
// given again and again: the one that is looked at stays, and so does the place in it. `live`: the
// newest game is played through on the board until somebody takes over.
'use strict';

function gamesView({told, live = false} = {}) {
  const box = document.getElementById('games');
  const part = name => box.querySelector(name);
  const tabs = part('.tabs'), board = part('.board'), where = part('.where'), list = part('.moves');
  const watch = part('.watch');
  const kPlyTime = 900, kEndTime = 4000; // ms
  let games = [], game = null, at = 0, timer = null;

  const graph = () => {
    const data = game.plies.flatMap((p, i) => p.win === undefined ? [] : [{x: i, y: p.win}]);
    draw(part('canvas'), {type: 'line', data: {datasets: [
      {label: 'win rate', data, borderColor: colour('accent'), backgroundColor: faint(series[0], 0.15), fill: {value: 50}, borderWidth: 1.5},
      {label: 'shown', data: [{x: at, y: 0}, {x: at, y: 100}], borderColor: colour('bad'), borderWidth: 1}]},
      options: {plugins: {legend: {display: false}, tooltip: {enabled: false}},
        scales: {x: {type: 'linear', min: 0, max: Math.max(1, game.plies.length - 1)}, y: {min: 0, max: 100}},
        onClick: (event, items, of) => go(Math.round(of.scales.x.getValueForPixel(event.x)))}});
  };
  const place = ply => {
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
    if (told) part('.told').replaceChildren(...told(game, at));
    graph();
  };
  const markTab = () => tabs.querySelectorAll('button').forEach((b, i) => b.setAttribute('aria-selected', String(games[i] === game)));
  const choose = (of, ply) => {
    game = of;
    markTab();
    list.replaceChildren();
    game.plies.forEach((p, i) => {
      if (!p.move) return;
      if (i % 2 === 0) list.append(element('span', i / 2 + 1 + '.'));
      const button = element('button', p.move + (p.mark || ''), p.mark ? (p.mark === '!' ? 'good' : 'bad') : '');
      button.dataset.ply = i + 1;
      button.onclick = () => go(i + 1);
      list.append(button);
    });
    place(ply);
  };

  // Watching: a ply after another, and at the end the game that is the newest by then.
  const step = () => {
    if (at < game.plies.length - 1) place(at + 1);
    else if (games[0] !== game) choose(games[0], 0);
    wait();
  };
  const wait = () => {
    timer = setTimeout(step, at < game.plies.length - 1 ? kPlyTime : kEndTime);
  };
  const setWatching = on => {
    clearTimeout(timer);
    timer = null;
    watch.textContent = on ? 'Stop' : 'Watch';
    watch.setAttribute('aria-pressed', String(on));
    where.setAttribute('aria-live', on ? 'off' : 'polite'); // no reading aloud move after move
    if (on) wait();
  };
  // Somebody goes through the game himself.
  const go = ply => {
    if (timer) setWatching(false);
    place(ply);
  };

  box.querySelectorAll('[data-go]').forEach(button => button.onclick = () =>
    go({first: 0, back: at - 1, on: at + 1, last: Infinity}[button.dataset.go]));
  box.addEventListener('keydown', event => {
    const ply = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: Infinity}[event.key];
    if (ply === undefined) return;
    event.preventDefault();
    go(ply);
  });
  if (live) {
    tabs.classList.add('strip');
    watch.hidden = false;
    watch.onclick = () => {
      if (!timer && at === game.plies.length - 1) choose(games[0], 0);
      setWatching(!timer);
    };
  }

  return {
    show(given) {
      const first = !game;
      if (!given.length && first) return;
      const same = first ? undefined : given.find(of => of.id === game.id);
      games = same || first ? given : [...given, {...game, title: 'the game on the board'}];
      box.hidden = false;
      const focused = tabs.contains(document.activeElement);
      tabs.replaceChildren(...games.map(of => {
        const tab = element('button', `${of.title} (${of.plies.length - 1} plies, ${of.result})`);
        tab.type = 'button';
        tab.setAttribute('role', 'tab');
        tab.onclick = () => {
          setWatching(false);
          choose(of, 0);
        };
        return tab;
      }));
      if (first) {
        choose(games[0], 0);
        if (live) setWatching(!matchMedia('(prefers-reduced-motion: reduce)').matches);
        return;
      }
      game = same || games.at(-1);
      markTab();
      if (focused) part('[aria-selected="true"]').focus();
    },
    redraw() {
      if (game) place(at);
    },
  };
}
