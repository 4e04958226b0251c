/** A service worker that keeps the page for visits without a network. The index file is kept by toponym-static.js. */
const FILES = ['./', 'toponym-search.js', 'toponym-static.js'];

addEventListener('install', (event) => {
  event.waitUntil(caches.open('toponym-page').then((cache) => cache.addAll(FILES)));
});

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || event.request.url.endsWith('.toponym')) return;
  event.respondWith(fetch(event.request).catch(async () => (await caches.match(event.request)) ?? Response.error()));
});
