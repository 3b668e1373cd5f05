// Works offline after the first visit: pages, scripts and recordings are fetched once and kept;
// the engine is kept when it is first used. Filled in by the build: the list of files, and a
// version that is a hash of them all.

const FILES = __FILES__;
const SITE = `site-${__VERSION__}`;
const ENGINE = "engine";
const scope = new URL("./", self.location.href);
const isFixed = (/** @type {URL} */ url) => /\/(assets|engine)\//.test(url.pathname);

self.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(SITE);
    await cache.addAll(FILES.map((/** @type {string} */ file) => new Request(new URL(file, scope), { cache: "no-cache" })));
    await /** @type {any} */ (self).skipWaiting();
  })());
});

self.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("site-") && name !== SITE) await caches.delete(name);
    }
    await /** @type {any} */ (self).clients.claim();
  })());
});

self.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  event.respondWith(isFixed(url) ? keptFirst(request, url) : newestFirst(request));
});

/** Files named after their content never change: the kept copy is as good as any. */
async function keptFirst(/** @type {Request} */ request, /** @type {URL} */ url) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    const engine = url.pathname.includes("/engine/");
    const cache = await caches.open(engine ? ENGINE : SITE);
    if (engine) await dropOtherEngines(cache, url);
    await cache.put(request, response.clone());
  }
  return response;
}

/** Pages: the network's copy when there is a network, else the kept one. */
async function newestFirst(/** @type {Request} */ request) {
  try {
    const response = await fetch(request);
    if (response.ok) (await caches.open(SITE)).put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await caches.match(request, { ignoreSearch: true });
    if (kept) return kept;
    if (request.mode !== "navigate") throw error;
    return /** @type {Promise<Response>} */ (caches.match(new URL("404.html", scope).href));
  }
}

async function dropOtherEngines(/** @type {Cache} */ cache, /** @type {URL} */ url) {
  const mine = url.pathname.replace(/(\/engine\/[^/]+\/).*/, "$1");
  for (const request of await cache.keys()) {
    if (!new URL(request.url).pathname.startsWith(mine)) await cache.delete(request);
  }
}
