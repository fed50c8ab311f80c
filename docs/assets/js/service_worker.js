/* The service worker of one release. The build puts Workbox, names.js and `self.attnRelease` before it.
 *
 *   an address with a content hash   from this release's cache, else from the network
 *   any other address of the site    from the network, within a time limit; else from the cache
 *   a part of Python                 from the cache if the reader has saved it, else from the network
 *
 * Pages and what they show are cached at installation. Python is not: the page puts it into its cache
 * when the reader asks. A release that follows a saved one is installed only with all of its own Python.
 *
 * A cache is open to every script of the host. So nothing of it is served before its SHA-256 is the one
 * that is written here, in the one script that the browser itself keeps and renews.
 */
(function () {
  'use strict';

  const worker = /** @type {any} */ (self);
  const { precaching, routing, strategies } = worker.workbox;
  /** @type {{id: string, files: {url: string, revision: string | null, integrity: string}[],
   *   runtime: {name: string, file: string, integrity: string, ways: string[]}[]}} */
  const release = worker.attnRelease;
  const scope = worker.registration.scope;
  const { offlineNames } = worker.attn;
  const names = offlineNames.caches(scope, release.id);

  const TIME_LIMIT_S = 3;
  const FILE_LIMIT_MS = 120_000; // at installation: who needs longer for one file does not answer
  /** @type {Record<string, string>} */
  const TYPES = {
    html: 'text/html; charset=utf-8',
    css: 'text/css; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    json: 'application/json',
    webmanifest: 'application/manifest+json',
    xml: 'application/xml',
    svg: 'image/svg+xml',
    png: 'image/png',
    woff2: 'font/woff2',
    py: 'text/plain; charset=utf-8',
  };
  const NOT_SAVED = `<!doctype html><html lang="ru"><meta charset="utf-8">
    <meta name="viewport" content="width=device-width"><title>Страница не\u00a0сохранена</title>
    <h1>Нет связи, а\u00a0этой страницы нет среди сохранённых</h1>
    <p><a href="${scope}">Главная страница</a></p>`;

  const precache = new precaching.PrecacheController({ cacheName: names.pages });
  precache.addToCacheList(release.files);
  const hashed = new Set(release.files.flatMap(({ url, revision }) => (revision ? [] : new URL(url, scope).href)));
  const runtime = new Map(release.runtime.map((part) => [offlineNames.address(scope, part), part]));

  /* Only what fits */

  /** @param {string} key of a cache @returns {string | undefined} */
  const integrityOf = (key) => runtime.get(key)?.integrity ?? precache.getIntegrityForCacheKey(key);

  /**
   * What a cache holds under a key, if it is what this release has there. The headers are made anew:
   * they may have been planted like the content, and a character set makes other text of the same bytes.
   * @param {Response | undefined} response @param {string} key
   */
  async function fitting(response, key) {
    const body = await response?.arrayBuffer().catch(() => undefined);
    if (!body || `sha256-${base64(await crypto.subtle.digest('SHA-256', body))}` !== integrityOf(key)) return undefined;
    const file = new URL(key).pathname;
    const ending = file.endsWith('/') ? 'html' : file.slice(file.lastIndexOf('.') + 1);
    return new Response(body, { headers: { 'content-type': TYPES[ending] ?? 'application/octet-stream' } });
  }

  /**
   * The same from a cache of this release; what does not fit is thrown away, and the cache is not whole.
   * @param {Response | undefined} response @param {string} cacheName @param {string} key
   */
  async function own(response, cacheName, key) {
    const fits = await fitting(response, key);
    if (response && !fits) {
      const cache = await caches.open(cacheName);
      await Promise.all([key, names.whole].map((one) => cache.delete(one, { ignoreVary: true })));
    }
    return fits;
  }

  const onlyFitting = {
    cachedResponseWillBeUsed: (/** @type {any} */ { cachedResponse, cacheName, request }) =>
      own(cachedResponse, cacheName, request.url),
  };
  precache.strategy.plugins.push(onlyFitting);

  /* Installation */

  worker.addEventListener('install', (/** @type {any} */ event) => {
    event.waitUntil(install(event).then(() => worker.skipWaiting()));
  });

  /** Workbox keeps what it fetches for this event alone. @param {any} event @returns {any} */
  const asInstallation = (event) => ({
    type: 'install',
    waitUntil: (/** @type {Promise<any>} */ promise) => event.waitUntil(promise),
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
      const { url = '', status = 0 } = error.details ?? {};
      await tell({ type: 'install-failed', release: release.id, name: error.name, url, status });
      throw error;
    }
  }

  /** A file that does not fit its digest, be it an answer of another status, is no more than a TypeError. */
  async function explained(/** @type {any} */ error, /** @type {string} */ url) {
    const status = error.name === 'TypeError' ? await fetch(url).then((answer) => answer.status, () => 0) : 0;
    return Object.assign(error, { details: { url, status } });
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
    for (const [url, { integrity }] of kept) {
      if (await own(await saved.match(url), names.runtime, url)) continue;
      const signal = AbortSignal.timeout(FILE_LIMIT_MS);
      try {
        await saved.put(url, await fetch(url, { cache: 'no-cache', integrity, signal }));
      } catch (error) {
        throw await explained(error, url);
      }
    }
    await saved.put(names.whole, new Response(''));
  }

  /**
   * Copies what has not changed from older releases.
   * @param {Cache} cache @param {string} name @param {string[]} keys
   */
  async function inherit(cache, name, keys) {
    const kind = name === names.pages ? 'pages' : 'runtime';
    for (const older of await olderCaches(kind)) {
      for (const key of keys) {
        if (await cache.match(key)) continue;
        const response = await fitting(await caches.match(key, { cacheName: older }), key);
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
    requestWillFetch: async (/** @type {any} */ { request, event }) =>
      event.type === 'fetch' ? request : new Request(request, { signal: AbortSignal.timeout(FILE_LIMIT_MS) }),
    fetchDidFail: async (/** @type {any} */ { error, request, event }) => {
      if (event.type !== 'fetch') await explained(error, request.url);
    },
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
      const asked = event.data.release;
      if (asked === release.id) event.waitUntil(install(asInstallation(event)).catch(() => {}));
      else event.source.postMessage({ type: 'install-failed', release: asked, name: 'OtherRelease' });
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
    plugins: [onlyFitting, { cacheWillUpdate: async () => null }], // only the page fills this cache
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

  /** @param {any} options @returns {Promise<Response>} */
  async function networkFirst({ request, event, url }) {
    const stored = await precache.matchPrecache(plain(url));
    const client = event.resultingClientId || event.clientId;
    const isPage = plain(url).endsWith('/');
    try {
      const response = await network[stored ? 'limited' : 'patient'].handle({ request, event });
      if (response.status < 500 || !stored) {
        if (isPage) shownKept.delete(client);
        return response;
      }
    } catch (error) {
      if (!stored && request.mode !== 'navigate') throw error;
    }
    if (isPage) shownKept.add(client);
    if (!stored) return new Response(NOT_SAVED, { status: 503, headers: { 'content-type': TYPES.html } });
    const kept = await own(stored, names.pages, /** @type {string} */ (precache.getCacheKeyForURL(plain(url))));
    return kept ?? networkFirst({ request, event, url }); // thrown away: now without a time limit
  }

  /** The address under which a page is kept: no state, no anchor, no index.html. @param {URL} url */
  function plain(url) {
    const path = url.pathname.replace(/\/index\.html$/, '/');
    const folder = /\/[^/.]+$/.test(path) ? `${path}/` : path;
    return url.origin + folder;
  }

  /** @param {ArrayBuffer} bytes */
  function base64(bytes) {
    return btoa(String.fromCharCode(...new Uint8Array(bytes)));
  }
})();
