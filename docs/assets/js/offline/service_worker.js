/* The service worker of one release. The build puts Workbox, names.js and `self.attnRelease` before it.
 *
 *   an address with a content hash   from this release's cache, else from the network
 *   any other address of the site    from the network, within a time limit; else from the cache
 *   a part of Python                 from the cache if the reader has saved it, else from the network
 *
 * Pages and what they show are cached at installation. Python is not: the page puts it into its cache
 * when the reader asks. A release that follows a saved one is installed only with all of its own Python.
 */
(function () {
  'use strict';

  const worker = /** @type {any} */ (self);
  const { precaching, routing, strategies } = worker.workbox;
  /** @type {{id: string, files: {url: string, revision: string | null, integrity: string}[],
   *   runtime: {name: string, file: string, sha256: string, ways: string[]}[]}} */
  const release = worker.attnRelease;
  const scope = worker.registration.scope;
  const { offlineNames } = worker.attn;
  const names = offlineNames.caches(scope, release.id);

  const TIME_LIMIT_S = 3;
  const NOT_SAVED = `<!doctype html><html lang="ru"><meta charset="utf-8">
    <meta name="viewport" content="width=device-width"><title>Страница не\u00a0сохранена</title>
    <h1>Нет связи, а\u00a0этой страницы нет среди сохранённых</h1>
    <p><a href="${scope}">Главная страница</a></p>`;

  const precache = new precaching.PrecacheController({ cacheName: names.pages });
  precache.addToCacheList(release.files);
  const hashed = new Set(release.files.flatMap(({ url, revision }) => (revision ? [] : new URL(url, scope).href)));
  const runtime = new Map(release.runtime.map((part) => [offlineNames.address(scope, part), part]));

  /* Installation */

  worker.addEventListener('install', (/** @type {any} */ event) => {
    event.waitUntil(install(event).then(() => worker.skipWaiting()));
  });

  worker.addEventListener('activate', (/** @type {any} */ event) => {
    event.waitUntil(dropOlder().then(() => worker.clients.claim()));
  });

  /** What is there already is not fetched again, so an interrupted installation goes on. @param {any} event */
  async function install(event) {
    try {
      const pages = await caches.open(names.pages);
      await inherit(pages, names.pages, [...precache.getURLsToCacheKeys().values()]);
      await precache.install(event);
      await installRuntime();
      await pages.put(names.whole, new Response(''));
      await tell({ type: 'installed', release: release.id });
    } catch (/** @type {any} */ error) {
      const quota = error.name === 'QuotaExceededError';
      await tell({ type: 'install-failed', release: release.id, quota, message: String(error.message) });
      throw error;
    }
  }

  /** A reader who has saved Python with an older release gets the new one with Python, or not at all. */
  async function installRuntime() {
    const older = await olderCaches('runtime');
    if (!older.length) return;
    const saved = await caches.open(names.runtime);
    const kept = [...runtime].filter(([, part]) => offlineNames.isKept(part));
    await inherit(saved, names.runtime, kept.map(([url]) => url));
    const whole = await Promise.all(older.map((name) => caches.match(names.whole, { cacheName: name })));
    if (!whole.some(Boolean)) return;
    for (const [url, { sha256 }] of kept) {
      if (await saved.match(url)) continue;
      const response = await fetch(url, { cache: 'no-cache', integrity: `sha256-${base64(sha256)}` });
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      await saved.put(url, response);
    }
    await saved.put(names.whole, new Response(''));
  }

  /**
   * Copies what has not changed from older releases: the same key means the same content.
   * @param {Cache} cache @param {string} name @param {string[]} keys
   */
  async function inherit(cache, name, keys) {
    const kind = name === names.pages ? 'pages' : 'runtime';
    for (const older of await olderCaches(kind)) {
      for (const key of keys) {
        if (await cache.match(key)) continue;
        const response = await caches.match(key, { cacheName: older });
        if (response) await cache.put(key, response);
      }
    }
  }

  /** @param {'pages' | 'runtime'} kind */
  async function olderCaches(kind) {
    const all = await caches.keys();
    return all.filter((name) => name.startsWith(`${names.own}${kind} `) && name !== names[kind]);
  }

  async function dropOlder() {
    const older = [...(await olderCaches('pages')), ...(await olderCaches('runtime'))];
    await Promise.all(older.map((name) => caches.delete(name)));
  }

  let installed = 0;
  precache.strategy.plugins.push({
    handlerDidComplete: async (/** @type {any} */ { event }) => {
      if (event.type === 'fetch') return;
      installed += 1;
      await tell({ type: 'progress', release: release.id, done: installed, total: release.files.length });
    },
  });

  /** @param {object} message */
  async function tell(message) {
    const all = await worker.clients.matchAll({ includeUncontrolled: true, type: 'window' });
    for (const client of all) client.postMessage(message);
  }

  /* Answers to the page */

  /** @type {Set<string>} clients whose last page came from the cache because the network did not answer */
  const shownKept = new Set();

  worker.addEventListener('message', (/** @type {any} */ event) => {
    if (event.data.type === 'install') {
      installed = 0;
      event.waitUntil(install(event).catch(() => {}));
    } else if (event.data.type === 'origin') {
      event.source.postMessage({ type: 'origin', kept: shownKept.has(event.source.id) });
    }
  });

  const network = {
    limited: new strategies.NetworkOnly({ networkTimeoutSeconds: TIME_LIMIT_S }),
    patient: new strategies.NetworkOnly(),
  };
  const savedPython = new strategies.CacheFirst({
    cacheName: names.runtime,
    plugins: [{ cacheWillUpdate: async () => null }], // only the page fills this cache
  });

  routing.registerRoute(
    (/** @type {any} */ { request, url }) => request.cache !== 'reload' && runtime.has(url.href),
    savedPython,
  );
  routing.registerRoute(
    (/** @type {any} */ { url }) =>
      hashed.has(url.href) && { cacheKey: url.href, integrity: precache.getIntegrityForCacheKey(url.href) },
    precache.strategy,
  );
  routing.registerRoute(
    (/** @type {any} */ { request, url }) =>
      request.mode === 'navigate' || Boolean(precache.getCacheKeyForURL(plain(url))),
    networkFirst,
  );

  /** @param {any} options */
  async function networkFirst({ request, event, url }) {
    const kept = await precache.matchPrecache(plain(url));
    const client = event.resultingClientId || event.clientId;
    const isPage = plain(url).endsWith('/');
    try {
      const response = await network[kept ? 'limited' : 'patient'].handle({ request, event });
      if (response.status < 500 || !kept) {
        if (isPage) shownKept.delete(client);
        return response;
      }
    } catch (error) {
      if (!kept && request.mode !== 'navigate') throw error;
    }
    if (isPage) shownKept.add(client);
    return kept ?? new Response(NOT_SAVED, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
  }

  /** The address under which a page is kept: no state, no anchor, no index.html. @param {URL} url */
  function plain(url) {
    const path = url.pathname.replace(/\/index\.html$/, '/');
    const folder = /\/[^/.]+$/.test(path) ? `${path}/` : path;
    return url.origin + folder;
  }

  /** @param {string} hex */
  function base64(hex) {
    return btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((byte) => parseInt(byte, 16))));
  }
})();
