// The page of a training run: draws the data that runReport (report/run_report.cpp) gathered, which
// are within the page or, for a run under way, come by events.
'use strict';

const page = JSON.parse(document.getElementById('data').textContent);
let run = null, train = null;
const last = values => (values || []).filter(v => v !== null).at(-1);

// One point a line is drawn as a point, or nothing would be seen.
const line = (label, points, index, more) => ({
  label, data: points, borderColor: series[index % series.length],
  backgroundColor: series[index % series.length], spanGaps: true,
  pointRadius: points.filter(p => p.y !== null).length < 2 ? 4 : 0, ...more});

// Workers may be there before anything is learned.
const lastMinute = () => Math.max(last(train.minutes) ?? 0, last(run.workers?.over.minutes) ?? 0) || undefined;
const axes = (x, y, more) => ({
  x: {type: 'linear', title: {display: true, text: x}, min: 0, max: lastMinute()},
  y: {title: {display: true, text: y}, ...more}});

// `names` of columns (of the training metrics, if nothing else is said), over time. Nothing is drawn
// if there is no figure.
function overTime(title, words, unit, names, options, {columns = train, into} = {}) {
  const datasets = [];
  names.forEach(([label, name, more], index) => {
    const values = columns[name] || [];
    if (!values.some(v => v !== null)) return;
    datasets.push(line(label, values.map((y, i) => ({x: columns.minutes[i], y})), index, more));
  });
  const canvas = card(title, words, {into, shown: datasets.length > 0});
  if (!datasets.length) return;
  draw(canvas, {type: 'line', data: {datasets}, options: {
    interaction: {mode: 'nearest', axis: 'x', intersect: false},
    scales: axes('minutes', unit, options), plugins: {legend: {display: datasets.length > 1}}}});
}

function ratingChart() {
  const rating = run.rating;
  const shown = Boolean(rating && rating.curve && rating.curve.length);
  const canvas = card('Rating', !shown ? '' :
    `Elo with 95% error; ${rating.nodes} visits a move; random = 0. Built-in players are the dashed lines.`, {wide: true, shown});
  if (!shown) return;
  const points = rating.curve.filter(p => p.minutes !== null && p.elo !== null);
  const start = 0, end = Math.max(...points.map(p => p.minutes), last(train.minutes) || 0);
  const band = sign => points.map(p => ({x: p.minutes, y: p.error === null ? null : p.elo + sign * p.error}));
  const ofEngine = colour('accent');
  const datasets = [
    {label: 'engine', data: points.map(p => ({x: p.minutes, y: p.elo, p})), borderColor: ofEngine, backgroundColor: ofEngine, pointRadius: 3},
    {label: '95% upper', data: band(1), borderWidth: 0, fill: '+1', backgroundColor: faint(series[0], 0.18), spanGaps: true},
    {label: '95% lower', data: band(-1), borderWidth: 0, spanGaps: true}];
  rating.anchors.forEach((anchor, index) => datasets.push({
    label: anchor.name + ' ' + number(anchor.elo), data: [{x: start, y: anchor.elo}, {x: end, y: anchor.elo}],
    borderColor: series[(index + 1) % series.length], backgroundColor: series[(index + 1) % series.length], borderDash: [6, 4], borderWidth: 1.5}));
  draw(canvas, {type: 'line', data: {datasets}, options: {scales: axes('minutes', 'Elo'), plugins: {
    legend: {labels: {filter: item => !item.text.startsWith('95%')}},
    tooltip: {filter: item => item.datasetIndex === 0, callbacks: {label: item => {
      const p = item.raw.p;
      return `generation ${p.generation}: ${p.elo.toFixed(0)} ± ${p.error === null ? '∞' : p.error.toFixed(0)}`;
    }}}}}});
}

function calibrationChart(calibration, title, words) {
  const phases = Object.entries(calibration || {});
  const canvas = card(title, words, {shown: phases.length > 0});
  if (!phases.length) return;
  const datasets = phases.map(([name, of], index) => line(
    `${name} (${(100 * of.error).toFixed(1)} points)`,
    of.bins.filter(b => b[0] > 0).map(b => ({x: 100 * b[1], y: 100 * b[2], count: b[0]})), index, {pointRadius: 3}));
  datasets.push({label: 'perfect', data: [{x: 0, y: 0}, {x: 100, y: 100}], borderDash: [4, 4], borderColor: colour('soft'), borderWidth: 1});
  draw(canvas, {type: 'line', data: {datasets}, options: {
    scales: {x: {type: 'linear', min: 0, max: 100, title: {display: true, text: 'win rate said, %'}},
             y: {min: 0, max: 100, title: {display: true, text: 'score that followed, %'}}},
    plugins: {tooltip: {callbacks: {label: item => `${item.dataset.label}: said ${item.raw.x.toFixed(1)}%, was ${item.raw.y.toFixed(1)}%` +
      (item.raw.count ? ` of ${number(item.raw.count)} positions` : '')}}}}});
}

function gamesPerGeneration() {
  const points = [];
  for (let i = 1; i < train.minutes.length; i++) {
    const steps = train.generation[i] - train.generation[i - 1];
    if (steps > 0) points.push({x: train.minutes[i], y: (train.games[i] - train.games[i - 1]) / steps});
  }
  const canvas = card('Games a generation', 'New games of self-play for each new network that plays them.', {shown: points.length > 0});
  if (!points.length) return;
  draw(canvas, {type: 'line', data: {datasets: [line('games', points, 2)]},
    options: {scales: axes('minutes', 'games', {min: 0}), plugins: {legend: {display: false}}}});
}

function gateChart() {
  const canvas = card('Gate', 'Score of each candidate against the playing engine, a draw counting half; green took its place.',
    {shown: run.gates.length > 0});
  if (!run.gates.length) return;
  const points = run.gates.map(g => ({x: g.minutes, y: 100 * g.score, g}));
  const tint = points.map(p => p.g.promoted ? colour('good') : colour('bad'));
  draw(canvas, {
    type: 'line', data: {datasets: [{data: points, showLine: false, pointRadius: 5, pointBackgroundColor: tint, pointBorderColor: tint}]},
    options: {scales: axes('minutes', 'score, %'), plugins: {legend: {display: false}, tooltip: {callbacks: {label: item =>
      `${item.raw.g.candidate} against ${item.raw.g.best ?? 'none'}: ${item.raw.y.toFixed(1)}%`}}}}});
}

function table(section, head, rows) {
  const box = document.getElementById(section);
  box.hidden = !rows.length;
  if (rows.length) fillTable(box.querySelector('table'), head, rows);
}

function tiles() {
  const engine = run.rating && run.rating.curve ? run.rating.curve.at(-1) : null;
  const values = [
    ['variant', run.variant || '–'],
    ['minutes of training', number(last(train.minutes))],
    ['games', number(last(train.games))],
    ['positions', number(last(train.rows))],
    ['generation', number(last(train.generation))],
    ['simulations a second', number(last(train.simulations))]];
  if (run.workers) values.push(['workers', workersGone() ? '0' : number(run.workers.last?.workers_alive)]);
  if (engine) values.push(['rating of generation ' + engine.generation, number(engine.elo) + (engine.error === null ? '' : ' ± ' + number(engine.error))]);
  fillTiles(values);
}

function drawCharts() {
  ratingChart();
  overTime('Policy loss', 'Cross-entropy against the search\'s visit shares; dashed: games held out of training.', 'nats',
    [['training', 'policy'], ['held out', 'hold_policy', {borderDash: [5, 3]}], ['entropy of the policy', 'entropy', {borderWidth: 1}]]);
  overTime('Value losses', 'Result, margin and short-horizon heads; dashed: games held out of training.', 'loss',
    [['result', 'result'], ['result, held out', 'hold_result', {borderDash: [5, 3]}], ['margin', 'margin'],
     ['margin, held out', 'hold_margin', {borderDash: [5, 3]}], ['short horizon', 'short_value']]);
  calibrationChart(run.calibration, 'Calibration', 'Win rates of the searches against the results of the same games, over the last tenth of the run.');
  overTime('Throughput', 'Simulations of self-play a second, over all workers; falls while gates and ratings play.', 'a second', [['simulations', 'simulations']], {min: 0});
  gamesPerGeneration();
  gateChart();
  overTime('Shares', 'Draws, first player\'s score, positions met before, positions that counted as decided.', 'share',
    [['draws', 'draws'], ['first player', 'first'], ['duplicates', 'duplicates'], ['decided', 'decided']], {min: 0, max: 1});
  overTime('Length of games', 'Plies a game of self-play.', 'plies', [['plies', 'plies']]);
  // Bestemshe has none.
  const anyTuzdik = (train.tuzdiks || []).some(made => made > 0);
  overTime('Tuzdiks', 'Made a game, by both players together.', 'a game', anyTuzdik ? [['tuzdiks', 'tuzdiks']] : [], {min: 0, max: 2});
  overTime('Cost of judging', 'Share of the run\'s time spent in gates and ratings.', 'share', [['gate', 'gate_share'], ['ratings', 'rating_share']], {min: 0});
  overTime('Memory', 'Resident memory of the process.', 'MB', [['memory', 'memory']], {min: 0});
}

// The learner tells of workers every ten seconds or so, unless it has seen none in this sitting.
const workersGone = () => (last(train.minutes) ?? 0) - (last(run.workers.over.minutes) ?? 0) > 1;

function workers() {
  const box = document.getElementById('workers'), told = run.workers;
  box.hidden = !told;
  if (!told) return;
  const say = (name, words) => {
    const p = box.querySelector('.' + name);
    p.textContent = words;
    p.hidden = !words;
  };
  const at = last(told.over.minutes), now = told.last;
  say('state', 'Processes that play for this run, here or elsewhere' + (at === undefined ? '.' :
    `, as its learner saw them at minute ${number(at)}` + (workersGone() ? '; none has been seen since.' : '.')));
  say('handled', !now ? '' : `In that sitting ${number(now.remote_games)} games came from workers, ${number(now.duplicates)} came twice and counted once. ` +
    `Refused: ${told.rejected.map(([reason, count]) => `${reason}: ${number(count)}`).join(', ') || 'no records'}.` +
    (now.match_games || now.tasks ? ` Games of matches: ${number(now.match_games)} played, ${number(now.tasks)} to play.` : ''));
  const over = (title, words, unit, names) => overTime(title, words, unit, names, {min: 0}, {columns: told.over, into: '#workers .charts'});
  over('Workers alive', 'Heard of within 20 seconds.', 'workers', [['workers', 'alive']]);
  over('Games a minute', 'Finished by workers, by what they say.', 'a minute', [['games', 'games']]);
  over('Backlog', 'Batches of games on their way to the learner.', 'MB', [['backlog', 'backlog']]);
  over('Lag', 'Age of the last batch when it was archived; of the oldest that waits.', 'seconds', [['archived', 'lag'], ['waiting', 'oldest']]);
  box.querySelector('.list').hidden = !told.list.length && !told.problem;
  say('problem', told.problem || '');
  say('models', !told.models.length ? '' :
    'Models in use: ' + told.models.map(([generation, count]) => `generation ${generation} by ${count}`).join(', ') + '.');
  box.querySelector('.scroll').hidden = !told.list.length;
  fillTable(box.querySelector('table'), ['host', 'worker', 'threads', 'games', 'games/min', 'sims/s', 'generation', 'games waiting', 'seen'],
    told.list.map(w => [w.host, w.id, number(w.threads), number(w.games), number(w.games_per_minute), number(w.simulations_per_second),
      String(w.generation), number(w.spooled_games), `${number(Math.round(w.seconds_ago))} s`]));
}

function tables() {
  table('gates', ['minute', 'candidate', 'against', 'games', '+', '=', '−', 'score', 'Elo', 'test', 'verdict'], run.gates.map(g => [
    number(g.minutes), String(g.candidate), String(g.best ?? '–'), String(g.games ?? '–'), String(g.wins ?? '–'), String(g.draws ?? '–'),
    String(g.losses ?? '–'), (100 * g.score).toFixed(1) + '%', g.elo == null ? '–' : `${g.elo.toFixed(0)} ± ${g.elo_error == null ? '∞' : g.elo_error.toFixed(0)}`,
    g.verdict ?? '–', g.promoted ? ['promoted', 'good'] : ['kept out', 'bad']]));
  if (!run.agreement) return;
  table('agreement', ['players', 'moves', 'first choice', 'in first three'], run.agreement.bands.map(b => [
    b.band, number(b.moves), (100 * b.first).toFixed(1) + '%', (100 * b.in_three).toFixed(1) + '%']));
  calibrationChart(run.agreement.calibration, 'Calibration on recorded games', 'The engine\'s win rates against the results of the recorded games.');
}

const games = gamesView({live: Boolean(page.events)});
function show(data) {
  run = data;
  train = run.train;
  tiles();
  drawCharts();
  workers();
  tables();
  games.show(run.annotated.map(game => ({pits: run.pits, ...game})));
  document.getElementById('config').textContent = run.config;
  document.body.dataset.updates = Number(document.body.dataset.updates || 0) + 1;
  document.body.dataset.ready = 'yes';
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  chartColours();
  if (run) {
    drawCharts();
    workers();
  }
  games.redraw();
});
// More rows above the board must not move it away from who looks at it.
function showInPlace(data) {
  const board = document.querySelector('#games .board');
  const {top, bottom} = board.getBoundingClientRect();
  show(data);
  if (bottom > 0 && top < innerHeight && bottom > top) scrollBy(0, board.getBoundingClientRect().top - top);
}

if (page.events) {
  document.getElementById('links').hidden = false;
  document.documentElement.style.overflowAnchor = 'none'; // the browser would do it, too, by another part
  follow(page.events, 'report', showInPlace);
} else {
  show(page);
}
