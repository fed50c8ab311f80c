/**
 * What workers are made of: their code and the parts of the runtime. The first start fetches it, the
 * page keeps it, and every later worker is made of the same: nothing is fetched or compiled twice.
 */
'use strict';

attn.supply = (() => {
  const CODE = ['engine.js', 'snapshot.js', 'driver.js', 'lockdown.js', 'worker.js'];
  const NEEDED = ['WebAssembly', 'Worker', 'DecompressionStream'];

  /** Throws where no way of starting can work: told before anything is fetched. */
  function check() {
    const lacking = NEEDED.find((name) => !(name in self));
    if (!lacking) return;
    const message = `в\u00a0этом браузере нет или\u00a0выключено то, без\u00a0чего его не\u00a0запустить (${lacking})`;
    throw Object.assign(new Error(message), { hopeless: true });
  }

  /**
   * Each part is fetched once, however many ways of starting and however many workers want it.
   * What still comes for a start that was stopped is not counted for the next one.
   * @param {RuntimePart[]} entries
   * @param {AbortSignal} signal
   * @param {(wanted: number, came: number) => void} count of bytes
   */
  function partStore(entries, signal, count) {
    /** @type {Map<string, Promise<ArrayBuffer | WebAssembly.Module>>} */
    const parts = new Map();
    /** @type {Set<string>} */
    const packs = new Set();

    /** @param {string} name */
    function load(name) {
      const known = parts.get(name);
      if (known) return known;
      const entry = entries.find((one) => one.name === name);
      count(entry?.bytes ?? 0, 0);
      const part = attn.assets.load(name, (/** @type {number} */ came) => {
        if (!signal.aborted) count(0, came);
      });
      parts.set(name, part);
      if (entry?.provides) part.then(() => packs.add(name), () => parts.delete(name));
      else part.catch(() => {});
      return part;
    }

    /** The compiled form takes the place of the bytes. @param {Record<string, WebAssembly.Module>} modules */
    function replace(modules) {
      for (const [name, module] of Object.entries(modules)) parts.set(name, Promise.resolve(module));
    }

    return { load, replace, packs };
  }

  /**
   * A worker made from a Blob obeys the page's content policy; one made from an address would not.
   * @param {(name: string) => Promise<any>} load
   */
  async function workerCode(load) {
    const [engine, ...rest] = await Promise.all(CODE.map(load));
    const inflated = new Response(new Blob([engine]).stream().pipeThrough(new DecompressionStream('gzip')));
    const texts = [await inflated.blob(), ...rest].flatMap((text) => [text, '\n;\n']);
    return new Blob(texts, { type: 'text/javascript' });
  }

  /**
   * The code is asked for first: the worker unpacks what comes while more is coming.
   * @param {AbortSignal} signal
   * @param {(wanted: number, came: number) => void} count
   * @returns {Promise<Supply>}
   */
  async function gather(signal, count) {
    /** @type {RuntimePart[]} */
    const entries = await attn.assets.list();
    signal.throwIfAborted();
    const store = partStore(entries, signal, count);
    const code = workerCode(store.load);
    code.catch(() => {});
    return { entries, store, code };
  }

  return { check, gather };
})();
