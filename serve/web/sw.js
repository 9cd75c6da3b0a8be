// Keeps the page for when its server does not answer. Only the page and what belongs to it are kept;
// everything else here (training runs and their events) goes by as if this were not there.
'use strict';

const cacheName = 'toguz-{{version}}';
const kept = ['/', '/manifest.webmanifest', '/icon.svg'];
const patience = 2500; // ms until the kept one is taken

self.addEventListener('install', event => event.waitUntil(install()));
self.addEventListener('activate', event => event.waitUntil(activate()));
self.addEventListener('fetch', event => {
  const {pathname, origin} = new URL(event.request.url);
  if (event.request.method === 'GET' && origin === location.origin && kept.includes(pathname))
    event.respondWith(answer(pathname));
});

async function install() {
  const cache = await caches.open(cacheName);
  await cache.addAll(kept.map(path => new Request(path, {cache: 'no-cache'})));
  await self.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys())
    if (name.startsWith('toguz-') && name !== cacheName) await caches.delete(name);
  await self.clients.claim();
}

async function answer(path) {
  const fresh = ask(path);
  fresh.catch(() => {}); // it may fail when nobody waits for it any more
  try {
    const response = await Promise.race([fresh, new Promise(done => setTimeout(done, patience))]);
    if (response && response.ok) return response;
  } catch {
    // The server is not there.
  }
  return (await caches.match(path)) ?? fresh;
}

async function ask(path) {
  const response = await fetch(path, {cache: 'no-cache'});
  if (response.ok) await (await caches.open(cacheName)).put(path, response.clone());
  return response;
}
