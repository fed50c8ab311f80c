/* Registers the service worker when the page has loaded and the browser is idle, and keeps one visit
 * within one release: the first page's scripts never run the pages of a newer one. */
(function () {
  'use strict';

  /** What a sandboxed page may not even ask for. @template T @param {() => T} read */
  function reached(read) {
    try {
      return read();
    } catch {
      return undefined;
    }
  }

  const container = /** @type {ServiceWorkerContainer} */ (reached(() => navigator.serviceWorker));
  const hasCaches = Boolean(reached(() => self.caches));
  const SCOPE = new URL('../../', /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
  const SLOW = ['slow-2g', '2g'];
  const SILENCE_MS = 150_000; // longer than the worker waits for one file
  const LOOK_MS = 8000;
  const LAST_WORDS_MS = 2000; // of a worker, which may come after its end

  const stamp = () => /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="attn-release"]'));
  const release = stamp()?.content; // none in `mkdocs serve`

  /** @type {Set<(message: any) => void>} */
  const listeners = new Set();
  container?.addEventListener('message', ({ data }) => listeners.forEach((listener) => listener(data)));

  /** @param {string} name @param {object} [marks] */
  const failure = (name, marks) => Object.assign(new Error(name), { name, ...marks });

  const WORKER = `${SCOPE}service-worker.js`;

  const register = () => container.register(WORKER, { updateViaCache: 'none' }).catch(explainWorker);

  /** Browsers do not say why they have not taken the worker's file. @param {any} error @returns {Promise<never>} */
  async function explainWorker(error) {
    if (await obstacle()) throw error;
    if (error.name === 'SecurityError') throw failure('SpoiltWorker');
    const { ok, status } = await fetch(WORKER, { cache: 'no-store' });
    throw ok ? error : failure('answer', { url: WORKER, status });
  }

  /** Why nothing can be saved here, whatever the reader does; nothing if it can. @returns {Promise<string>} */
  async function obstacle() {
    const { INSECURE, STORAGE } = attn.offlineCauses;
    if (!self.isSecureContext) return INSECURE;
    if (!container || !hasCaches) return STORAGE;
    return caches.keys().then(() => '', () => STORAGE);
  }

  /** @type {Promise<boolean> | null} */
  let looking = null;

  /** Whether the server has another release than the page. Many may ask at once. */
  function isOutdated() {
    return (looking ??= publishedRelease().then((published) => {
      looking = null;
      return Boolean(release && published && published !== release);
    }));
  }

  /** What a server that breaks off or says nothing has published is not known. */
  async function publishedRelease() {
    const home = await fetch(SCOPE, { cache: 'no-store', signal: AbortSignal.timeout(LOOK_MS) })
      .then((answer) => (answer.ok ? answer.text() : ''))
      .catch(() => '');
    return /<meta name="attn-release" content="(\w+)"/.exec(home)?.[1];
  }

  /** @param {ServiceWorker} worker @returns {Promise<void>} */
  function settled(worker) {
    return new Promise((resolve) => {
      const look = () => ['activated', 'redundant'].includes(worker.state) && resolve();
      worker.addEventListener('statechange', look);
      look();
    });
  }

  const names = /** @type {Attn['offlineSite']['names']} */ (release && attn.offlineNames.caches(SCOPE, release));
  const isInstalled = async () => Boolean(await caches.match(names.whole, { cacheName: names.pages }));

  /**
   * What a worker tells of an installation, until it ends or nothing has come for too long.
   * @param {(done: number, total: number) => void} onProgress
   */
  function installationNews(onProgress) {
    let timer = 0;
    let close = () => {};
    let wait = (/** @type {number} */ _ms, /** @type {string} */ _name) => {};
    const end = new Promise((resolve) => {
      wait = (ms, name) => {
        clearTimeout(timer);
        timer = self.setTimeout(() => resolve({ name }), ms);
      };
      const heard = (/** @type {any} */ message) => {
        if (message.release !== release) return;
        if (message.type !== 'progress') return resolve(message);
        wait(SILENCE_MS, 'TimeoutError');
        onProgress(message.done, message.total);
      };
      listeners.add(heard);
      close = () => {
        clearTimeout(timer);
        listeners.delete(heard);
      };
    });
    return { end, wait, close };
  }

  /**
   * Has all pages of this release cached: by a worker that is being installed, else by the one there is.
   * @param {(done: number, total: number) => void} onProgress
   */
  async function install(onProgress) {
    const news = installationNews(onProgress);
    try {
      const registration = await register();
      if (!registration.installing && !(await isInstalled())) {
        await registration.update().catch(explainWorker);
      }
      const coming = registration.installing ?? registration.waiting;
      if (!coming && (await isInstalled())) return;
      news.wait(SILENCE_MS, 'TimeoutError');
      if (coming) settled(coming).then(() => news.wait(LAST_WORDS_MS, 'AbortError'));
      else registration.active?.postMessage({ type: 'install', release });
      const end = await news.end;
      if (!(await isInstalled())) throw failure(end.name ?? 'AbortError', end);
    } finally {
      news.close();
    }
  }

  /** Whether the page that is shown came from the cache because the server did not answer. */
  function isKeptCopy() {
    const controller = container?.controller;
    if (!controller) return Promise.resolve(false);
    return new Promise((resolve) => {
      const heard = (/** @type {any} */ message) => {
        if (message.type !== 'origin') return;
        listeners.delete(heard);
        resolve(message.kept);
      };
      listeners.add(heard);
      controller.postMessage({ type: 'origin' });
    });
  }

  attn.offlineSite = {
    SCOPE,
    names,
    stamp,
    install,
    isInstalled,
    isKeptCopy,
    isOutdated,
    obstacle,
    canBe: Boolean(container && hasCaches && self.isSecureContext), // as far as it is known at once
  };

  async function begin() {
    if (!release) {
      for (const registration of await container.getRegistrations()) {
        if (registration.scope === SCOPE) await registration.unregister();
      }
      return;
    }
    const { saveData = false, effectiveType = '' } = /** @type {any} */ (navigator).connection ?? {};
    const spare = saveData || SLOW.includes(effectiveType);
    if (spare && !(await container.getRegistration(SCOPE))) return;
    const { active } = await register();
    if (active && !(await isInstalled())) active.postMessage({ type: 'install', release }); // what was lost or thrown away
  }

  if (container) {
    const whenIdle = self.requestIdleCallback ?? ((/** @type {() => void} */ call) => setTimeout(call, 1000));
    const later = () => whenIdle(() => begin().catch(() => {}));
    if (document.readyState === 'complete') later();
    else addEventListener('load', later);
  }

  self.document$?.subscribe(() => {
    const shown = stamp()?.content;
    if (release && shown && shown !== release) location.reload();
  });
})();
