#!/usr/bin/env bash
# Opens what `toguz serve` serves in headless Chromium: the dashboard of a run must follow its files
# without losing what somebody is looking at, come back after the server did, and, where the page to
# play in is built, that page must be an app that can be installed and opens without the server.
#   scripts/check_serve.sh RUN [PICTURE.png]
set -euo pipefail
cd "$(dirname "$0")/.."
run=${1:?usage: scripts/check_serve.sh RUN [PICTURE.png]}
picture=${2:+$(realpath "$2")}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "check_serve.sh: no Chromium; scripts/setup.sh --browser installs it" >&2; exit 1; }
modules=$PWD/web/node_modules
[ -e "$modules/playwright-core" ] || {
  echo "check_serve.sh: needs what scripts/build_web.sh installs in web/; run it first" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/check.mjs" <<'JS'
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import fs from 'node:fs';
const [toguz, run, work, browserPath, modules, picture] = process.argv.slice(2);
const {chromium} = createRequire(modules + '/')('playwright-core');

function expect(holds, what) {
  if (!holds) throw new Error(what);
}

// The first half of the run; the rest is written while the page looks on.
const copy = `${work}/runs/checked`;
fs.mkdirSync(`${copy}/games`, {recursive: true});
for (const name of ['config.toml', 'rating.json'])
  if (fs.existsSync(`${run}/${name}`)) fs.copyFileSync(`${run}/${name}`, `${copy}/${name}`);
const games = fs.readdirSync(`${run}/games`).filter(name => name.endsWith('.tzg')).sort();
fs.copyFileSync(`${run}/games/${games[0]}`, `${copy}/games/${games[0]}`);
const lines = fs.readFileSync(`${run}/metrics.jsonl`, 'utf8').trimEnd().split('\n');
const half = Math.ceil(lines.length / 2);
fs.writeFileSync(`${copy}/metrics.jsonl`, lines.slice(0, half).join('\n') + '\n');

function serve(port) {
  const server = spawn(toguz, ['serve', '--port', String(port), '--run', `${work}/runs`], {stdio: ['ignore', 'pipe', 'inherit']});
  return new Promise((resolve, reject) => {
    server.on('exit', code => reject(new Error(`toguz serve ended with ${code}`)));
    server.stdout.once('data', data => resolve({server, url: String(data).trim()}));
  });
}
const stop = server => new Promise(done => {
  server.removeAllListeners('exit');
  server.once('exit', done);
  server.kill('SIGTERM');
});

let {server, url} = await serve(0);
const browser = await chromium.launch({executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});
try {
  const context = await browser.newContext({viewport: {width: 1300, height: 900}});
  const errors = [];
  let serverGone = false; // then the browser complains, and rightly
  const newPage = async path => {
    const page = await context.newPage();
    page.on('pageerror', error => errors.push(error.message));
    page.on('console', message => message.type() === 'error' && !serverGone && errors.push(message.text()));
    await page.goto(new URL(path, url).href);
    return page;
  };
  const updates = page => page.evaluate(() => Number(document.body.dataset.updates));
  const seen = page => page.evaluate(() => {
    const chart = title => Chart.getChart([...document.querySelectorAll('#charts .card')]
      .find(card => card.querySelector('h2').textContent === title).querySelector('canvas'));
    return {
      charts: document.body.dataset.charts, canvases: document.querySelectorAll('canvas').length,
      points: chart('Policy loss').data.datasets[0].data.length, hidden: !chart('Policy loss').isDatasetVisible(1),
      minutes: document.querySelectorAll('#tiles b')[1].textContent, boardAt: document.querySelector('.board').getBoundingClientRect().top,
      game: document.querySelector('#games [aria-selected="true"]')?.textContent, where: document.querySelector('.where').textContent};
  });

  const page = await newPage('/run/checked');
  await page.waitForFunction(() => document.body.dataset.ready === 'yes');
  await page.evaluate(() => {
    const canvas = [...document.querySelectorAll('#charts .card')].find(card => card.querySelector('h2').textContent === 'Policy loss').querySelector('canvas');
    Chart.getChart(canvas).hide(1);
  });
  await page.locator('#games .tabs button').nth(1).click();
  for (let i = 0; i < 3; i++) await page.locator('[data-go="on"]').click();
  const before = await seen(page), count = await updates(page);
  fs.appendFileSync(`${copy}/metrics.jsonl`, lines.slice(half).join('\n') + '\n');
  if (games.length > 1) fs.copyFileSync(`${run}/games/${games.at(-1)}`, `${copy}/games/${games.at(-1)}`);
  await page.waitForFunction(([count, minutes]) => Number(document.body.dataset.updates) > count &&
    document.querySelectorAll('#tiles b')[1].textContent !== minutes, [count, before.minutes]);
  const after = await seen(page);
  expect(after.canvases === before.canvases, 'a chart was made anew');
  expect(after.points !== before.points || after.points >= 400, 'the policy loss did not grow');
  expect(after.hidden, 'what was hidden by the legend came back');
  expect(Math.abs(after.boardAt - before.boardAt) < 2, `the board jumped from ${before.boardAt} to ${after.boardAt}`);
  expect(after.where === before.where, `the game that was looked at went from "${before.where}" to "${after.where}"`);
  if (picture) await page.screenshot({path: picture, fullPage: true});

  serverGone = true;
  await stop(server);
  await page.waitForFunction(() => document.getElementById('live').dataset.state === 'lost');
  ({server, url} = await serve(new URL(url).port));
  await page.waitForFunction(() => document.getElementById('live').dataset.state === 'live', null, {timeout: 30000});
  serverGone = false;
  await page.close();

  const list = await newPage('/runs');
  await list.locator('#runs a', {hasText: 'checked'}).click();
  await list.waitForFunction(() => document.body.dataset.ready === 'yes');
  await list.close();

  let app = 'the page to play in is not built';
  if ((await fetch(url)).ok) {
    const play = await newPage('/');
    const session = await context.newCDPSession(play);
    await play.evaluate(() => navigator.serviceWorker.ready);
    const {installabilityErrors} = await session.send('Page.getInstallabilityErrors');
    // Headless windows are of the kind that keeps nothing; everything else must be in order.
    const faults = installabilityErrors.map(error => error.errorId).filter(id => id !== 'in-incognito');
    expect(!faults.length, `the page cannot be installed: ${faults}`);
    await play.waitForFunction(async () => {
      for (const name of await caches.keys()) if (await (await caches.open(name)).match('/')) return true;
    });
    const kept = await play.evaluate(async () => {
      const paths = [];
      for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname);
      return paths.sort().join(' ');
    });
    expect(kept === '/ /icon.svg /manifest.webmanifest', `kept for later are ${kept}`);
    const title = await play.title();
    serverGone = true;
    await stop(server);
    await play.reload();
    expect((await play.title()) === title && (await play.locator('body *').count()) > 3, 'the page did not open without its server');
    ({server, url} = await serve(new URL(url).port));
    app = 'the page installs and opens without the server';
  }
  expect(!errors.length, errors.join('\n'));
  console.log(`dashboard of ${run}: ${after.charts} charts follow the run; ${app}`);
} finally {
  await browser.close();
  await stop(server);
}
JS
node "$work/check.mjs" "$PWD/build/release/toguz" "$(realpath "$run")" "$work" "$browser" "$modules" ${picture:+"$picture"} || {
  echo "check_serve.sh: the dashboard of $run failed" >&2; exit 1; }
