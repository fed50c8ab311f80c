/* Saves the site for reading without a network: the pages through the service worker, then Python, one
 * file after another, each checked. What is saved stays saved, so an interrupted run goes on.
 *
 *   absent → saving → saved       save()
 *   saving → partial              stop(), or an error: `reason` says which
 *   saved → absent                remove()
 */
(function () {
  'use strict';

  const { offlineSite, offlineNames } = attn;
  const { SCOPE, names } = offlineSite;

  /** @type {Set<() => void>} */
  const listeners = new Set();
  const now = {
    state: /** @type {'unknown' | 'absent' | 'partial' | 'saving' | 'saved'} */ ('unknown'),
    reason: '',
    stage: '',
    done: 0,
    total: 0,
    missingBytes: 0,
  };
  let stopping = false;

  /** @param {Partial<typeof now>} news */
  function set(news) {
    Object.assign(now, news);
    listeners.forEach((listener) => listener());
  }

  const isSaving = () => now.state === 'saving';

  /** @returns {Promise<{name: string, file: string, bytes: number, ways: string[]}[]>} */
  const parts = async () => (await attn.assets.list()).filter(offlineNames.isKept);

  const isSaved = (/** @type {string} */ url) => caches.match(url, { cacheName: names.runtime }).then(Boolean);

  async function missing() {
    const all = await parts();
    const saved = await Promise.all(all.map((part) => isSaved(offlineNames.address(SCOPE, part))));
    return { all, left: all.filter((_, index) => !saved[index]) };
  }

  /** Looks what is there; says nothing about a saving that is under way. */
  async function look() {
    if (isSaving()) return;
    const { all, left } = await missing();
    const pages = await offlineSite.isInstalled();
    const pagesBytes = pages ? 0 : Number(offlineSite.stamp()?.dataset.pages ?? 0);
    const missingBytes = left.reduce((sum, { bytes }) => sum + bytes, pagesBytes);
    const whole = pages && !left.length && (await isSaved(names.whole));
    if (isSaving()) return; // it has begun meanwhile
    set({ state: whole ? 'saved' : left.length < all.length ? 'partial' : 'absent', missingBytes });
  }

  async function save() {
    if (isSaving()) return;
    stopping = false;
    set({ state: 'saving', reason: '', stage: 'страницы', done: 0, total: 0 });
    let reason = '';
    try {
      await offlineSite.install((/** @type {number} */ done, /** @type {number} */ total) => set({ done, total }));
      navigator.storage?.persist?.().catch(() => {});
      await saveRuntime();
    } catch (error) {
      reason = explained(error);
    }
    now.state = 'unknown';
    await look();
    set({ reason });
  }

  async function saveRuntime() {
    const { all, left } = await missing();
    const sum = (/** @type {{bytes: number}[]} */ list) => list.reduce((total, { bytes }) => total + bytes, 0);
    const total = sum(all);
    let done = total - sum(left);
    set({ stage: 'Python', done, total });
    const cache = await caches.open(names.runtime);
    for (const part of left) {
      if (stopping) return;
      const buffer = await attn.assets.load(part.name, (/** @type {number} */ count) => set({ done: (done += count) }));
      await cache.put(offlineNames.address(SCOPE, part), new Response(buffer));
    }
    if (!(await offlineSite.isInstalled())) {
      await caches.delete(names.runtime);
      throw new Error('за\u00a0это время вышла новая версия сайта, обновите страницу');
    }
    await cache.put(names.whole, new Response(''));
  }

  /** @param {any} error */
  function explained(error) {
    if (error.name === 'QuotaExceededError') {
      return 'Браузеру не\u00a0хватило места для сохранения. С\u00a0сетью сайт работает как прежде.';
    }
    if (error.name === 'SecurityError') {
      return 'Браузер не\u00a0разрешает сохранять этот сайт: нет https, окно приватное или сервер отдаёт файлы с\u00a0неверным типом.';
    }
    const cause = error instanceof TypeError ? 'нет связи с\u00a0сервером' : error.message;
    return `Сохранение прервалось: ${cause}. Что уже сохранено, второй раз загружаться не\u00a0будет.`;
  }

  attn.offline = {
    now,
    look,
    save,
    stop: () => { stopping = true; },
    async remove() {
      await caches.delete(names.runtime);
      await look();
    },
    /** @param {() => void} listener @returns {() => void} */
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
})();
