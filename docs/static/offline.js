/** A service worker that keeps the page for visits without a network. The index file is kept by toponym-static.js. */
const FILES = ['./', 'index.html', 'toponym-search.js', 'toponym-static.js'].map(
  (name) => new URL(name, location).href,
);
const opened = () => caches.open('toponym-page');

addEventListener('install', (event) => {
  event.waitUntil(opened().then((cache) => cache.addAll(FILES)));
});

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || event.request.url.endsWith('.toponym')) return;
  event.respondWith(load(event));
});

async function load(event) {
  const { request } = event;
  try {
    const response = await fetch(request);
    if (response.status === 200 && FILES.includes(request.url)) {
      const copy = response.clone();
      event.waitUntil(opened().then((cache) => cache.put(request, copy)));
    }
    return response;
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}
