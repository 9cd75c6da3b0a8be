// Charts that can be drawn again with newer figures, each in its place, without a flicker.
'use strict';

const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
const series = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b'];
const faint = (hex, alpha) => hex + Math.round(255 * alpha).toString(16).padStart(2, '0');
const charts = new Map(); // by canvas

function chartColours() {
  Chart.defaults.color = colour('soft');
  Chart.defaults.borderColor = colour('line');
}
chartColours();
Chart.defaults.animation = false;
Chart.defaults.maintainAspectRatio = false;
Chart.defaults.elements.point.radius = 0;
Chart.defaults.elements.point.hitRadius = 8;
Chart.defaults.elements.line.borderWidth = 2;

// Lines that were there stay the same objects: what somebody has hidden by the legend stays hidden.
function draw(canvas, config) {
  const chart = charts.get(canvas);
  if (!chart) {
    charts.set(canvas, new Chart(canvas, config));
    document.body.dataset.charts = charts.size;
    return charts.get(canvas);
  }
  const shown = chart.data.datasets;
  config.data.datasets.forEach((set, i) => {
    if (shown[i] && shown[i].label === set.label) Object.assign(shown[i], set);
    else shown[i] = set;
  });
  shown.length = config.data.datasets.length;
  chart.options = config.options;
  chart.update('none');
  return chart;
}

// The canvas of the card with that title, which is made the first time: so cards stand in the order
// in which they were first asked for. Without anything to show the card is hidden.
const cards = new Map();
function card(title, words, {wide = false, shown = true, into = '#charts'} = {}) {
  let box = cards.get(title);
  if (!box) {
    box = element('div', undefined, 'card' + (wide ? ' wide' : ''));
    const plot = element('div', undefined, 'plot');
    const canvas = element('canvas');
    canvas.setAttribute('role', 'img');
    plot.append(canvas);
    box.append(element('h2', title), element('p'), plot);
    document.querySelector(into).append(box);
    cards.set(title, box);
  }
  box.hidden = !shown;
  box.querySelector('p').textContent = words;
  const canvas = box.querySelector('canvas');
  canvas.setAttribute('aria-label', title + ': ' + words);
  return canvas;
}
