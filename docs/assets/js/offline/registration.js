/* Registers the service worker when the page has loaded and the browser is idle, and keeps one visit
 * within one release: the first page's scripts never run the pages of a newer one. */
(function () {
  'use strict';

  const container = navigator.serviceWorker;
  const SCOPE = new URL('../../../', /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
  const SLOW = ['slow-2g', '2g'];

  const stamp = () => /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="attn-release"]'));
  const release = stamp()?.content; // none in `mkdocs serve`

  /** @type {Set<(message: any) => void>} */
  const listeners = new Set();
  container?.addEventListener('message', ({ data }) => listeners.forEach((listener) => listener(data)));

  const register = () => container.register(`${SCOPE}service-worker.js`, { updateViaCache: 'none' });

  /** @param {ServiceWorker} worker @returns {Promise<void>} */
  function settled(worker) {
    return new Promise((resolve) => {
      const look = () => ['activated', 'redundant'].includes(worker.state) && resolve();
      worker.addEventListener('statechange', look);
      look();
    });
  }

  const names = release ? attn.offlineNames.caches(SCOPE, release) : null;
  const isInstalled = async () => Boolean(await caches.match(names.whole, { cacheName: names.pages }));

  /**
   * Has all pages of this release cached: by a worker that is being installed, else by the one there is.
   * @param {(done: number, total: number) => void} onProgress
   */
  async function install(onProgress) {
    /** @type {any} */
    let failure = null;
    let answered = () => {};
    const heard = (/** @type {any} */ message) => {
      if (message.release !== release) return;
      if (message.type === 'progress') onProgress(message.done, message.total);
      if (message.type === 'install-failed') failure = message;
      if (message.type !== 'progress') answered();
    };
    listeners.add(heard);
    try {
      const registration = await register();
      if (!registration.installing && !(await isInstalled())) await registration.update();
      const coming = registration.installing ?? registration.waiting;
      if (coming) await settled(coming);
      else if (registration.active && !(await isInstalled())) {
        const answer = new Promise((resolve) => { answered = () => resolve(undefined); });
        registration.active.postMessage({ type: 'install', release });
        await answer;
      }
    } finally {
      listeners.delete(heard);
    }
    if (await isInstalled()) return;
    if (failure?.quota) throw new DOMException(failure.message, 'QuotaExceededError');
    throw new Error(failure ? 'нет связи с\u00a0сервером или файл пришёл не\u00a0тем' : 'на\u00a0сервере другая версия сайта, обновите страницу');
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
    available: Boolean(container && self.caches && release),
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
    await register();
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
