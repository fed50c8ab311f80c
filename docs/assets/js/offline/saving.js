/* Saves the site for reading without a network: the pages through the service worker, then Python, one
 * file after another, each checked. What is saved stays saved, so an interrupted run goes on.
 *
 *   absent → saving → saved       save()
 *   saving → partial              stop(), or an error: `reason` says which
 *   saved → absent                remove()
 *   impossible                    nothing can be saved here: `reason` says why
 */
(function () {
  'use strict';

  const { offlineSite, offlineNames } = attn;
  const { SCOPE, names } = offlineSite;

  /** @type {Set<() => void>} */
  const listeners = new Set();
  const now = {
    state: /** @type {'unknown' | 'impossible' | 'absent' | 'partial' | 'saving' | 'saved'} */ ('unknown'),
    reason: '',
    stage: '',
    done: 0,
    total: 0,
    missingBytes: 0,
  };
  let stop = new AbortController();

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
    const reason = await offlineSite.obstacle();
    if (isSaving()) return;
    if (reason) return set({ state: 'impossible', reason });
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
    stop = new AbortController();
    set({ state: 'saving', reason: '', stage: 'страницы', done: 0, total: 0 });
    let reason = '';
    try {
      await untilStopped(everything(stop.signal));
    } catch (error) {
      if (!stop.signal.aborted) reason = await attn.offlineCauses.explained(error, offlineSite.isOutdated);
    }
    now.state = 'unknown';
    set({ reason });
    await look();
  }

  /** The reader who stops does not wait: a file that is on its way comes for nothing. @param {Promise<void>} work */
  function untilStopped(work) {
    const { signal } = stop;
    return Promise.race([
      work,
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ]);
  }

  /** @param {AbortSignal} signal */
  async function everything(signal) {
    await offlineSite.install((/** @type {number} */ done, /** @type {number} */ total) => {
      if (!signal.aborted) set({ done, total });
    });
    signal.throwIfAborted();
    navigator.storage?.persist?.().catch(() => {});
    await saveRuntime(signal);
  }

  /** @param {AbortSignal} signal */
  async function saveRuntime(signal) {
    const { all, left } = await missing();
    const sum = (/** @type {{bytes: number}[]} */ list) => list.reduce((total, { bytes }) => total + bytes, 0);
    const total = sum(all);
    let done = total - sum(left);
    const report = (/** @type {Partial<typeof now>} */ news) => { if (!signal.aborted) set(news); };
    report({ stage: 'Python', done, total });
    const cache = await caches.open(names.runtime);
    for (const part of left) {
      const buffer = await attn.assets.load(part.name, (/** @type {number} */ count) => report({ done: (done += count) }));
      signal.throwIfAborted();
      await cache.put(offlineNames.address(SCOPE, part), new Response(buffer));
    }
    if (!(await offlineSite.isInstalled())) {
      await caches.delete(names.runtime);
      throw new Error('часть сохранённых страниц пропала');
    }
    await cache.put(names.whole, new Response(''));
  }

  attn.offline = {
    now,
    look,
    save,
    stop: () => stop.abort(),
    async remove() {
      await caches.delete(names.runtime).catch(() => {}); // the look tells what is left
      await look();
    },
    /** @param {() => void} listener @returns {() => void} */
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
})();
