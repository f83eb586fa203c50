// Keeps the page's files, so that a reload while the coordinator does not respond shows the page and not the browser's error.
// The build writes `FILES`, the paths of all files of the page, before this text; every build is a new service worker.
/* global FILES */

const CACHE = `page ${FILES.join(" ")}`;

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const takeOver = async () => {
    const others = (await caches.keys()).filter((name) => name !== CACHE);
    await Promise.all(others.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(takeOver());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(navigate(request));
  else if (origin === self.location.origin && FILES.includes(pathname)) event.respondWith(kept(request));
});

/** The coordinator's answer comes first: a new version is seen at once. */
async function navigate(request) {
  try {
    const response = await fetch(request);
    if (response.status < 500) return response;
  } catch {
    // The coordinator does not respond.
  }
  return (await caches.match("/index.html")) ?? Response.error();
}

/** The names of these files change with their content. */
async function kept(request) {
  return (await caches.match(request)) ?? fetch(request);
}
