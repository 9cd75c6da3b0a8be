// The list of training runs, newest first.
'use strict';

const list = JSON.parse(document.getElementById('data').textContent);

function showRuns(data) {
  const box = document.getElementById('runs');
  document.getElementById('none').hidden = data.runs.length > 0;
  box.hidden = !data.runs.length;
  const row = run => {
    const tr = element('tr');
    const name = element('td'), link = element('a', run.name);
    link.href = '/run/' + encodeURIComponent(run.name);
    name.append(link, element('span', run.variant || '–', 'game-name'));
    const rating = element('td', number(run.elo));
    if (run.elo != null && run.elo_error != null) rating.append(element('span', ' ± ' + number(run.elo_error), 'error'));
    const when = run.updated == null ? '–' : new Date(run.updated).toLocaleString([], {dateStyle: 'medium', timeStyle: 'short'});
    tr.append(name, element('td', number(run.minutes)), element('td', number(run.games), 'more'), element('td', number(run.generation), 'more'),
      rating, element('td', when, 'more'));
    return tr;
  };
  const focused = document.activeElement && document.activeElement.href;
  fillTable(box.querySelector('table'), ['run', 'minutes', ['games', 'more'], ['generation', 'more'], 'rating', ['last figures', 'more']], []);
  box.querySelector('table').append(...data.runs.map(row));
  if (focused) [...box.querySelectorAll('a')].find(a => a.href === focused)?.focus();
  document.body.dataset.ready = 'yes';
}

follow(list.events, 'runs', showRuns);
