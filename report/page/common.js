// What the pages share: small helpers, and a record of errors for whoever checks a page.
'use strict';

const errors = [];
window.addEventListener('error', event => {
  errors.push(event.message);
  document.body.dataset.errors = errors.join('\n');
});

function number(value) {
  if (value === null || value === undefined) return '–';
  const size = Math.abs(value);
  if (size >= 1e6) return (value / 1e6).toFixed(2) + ' M';
  if (size >= 1e4) return (value / 1e3).toFixed(0) + ' k';
  return size >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(2);
}
const element = (tag, text, className) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

// Fills a table anew. A cell is a text, or a text with a class. What was scrolled to stays in
// view: the end, if the end was.
function fillTable(table, head, rows) {
  const box = table.parentElement;
  const atEnd = box.scrollTop > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
  const row = (tag, cells) => {
    const tr = element('tr');
    cells.forEach(cell => tr.append(Array.isArray(cell) ? element(tag, cell[0], cell[1]) : element(tag, cell)));
    return tr;
  };
  table.replaceChildren(row('th', head), ...rows.map(cells => row('td', cells)));
  if (atEnd) box.scrollTop = box.scrollHeight;
}

function fillTiles(values) {
  document.getElementById('tiles').replaceChildren(...values.map(([name, value]) => {
    const tile = element('div', undefined, 'tile');
    tile.append(element('b', value), element('span', name));
    return tile;
  }));
}
