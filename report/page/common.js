// What the pages share: colours, small helpers, and a record of errors for whoever checks a page.
'use strict';

const errors = [];
window.addEventListener('error', event => {
  errors.push(event.message);
  document.body.dataset.errors = errors.join('\n');
});

const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
const series = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b'];
const faint = (hex, alpha) => hex + Math.round(255 * alpha).toString(16).padStart(2, '0');
let charts = 0;

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

Chart.defaults.color = colour('soft');
Chart.defaults.borderColor = colour('line');
Chart.defaults.animation = false;
Chart.defaults.maintainAspectRatio = false;
Chart.defaults.elements.point.radius = 0;
Chart.defaults.elements.point.hitRadius = 8;
Chart.defaults.elements.line.borderWidth = 2;
