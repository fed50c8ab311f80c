/**
 * The parts of the runtime by address. The edition for file:// has file/assets.js instead, with
 * the same two functions, so nobody else knows where the bytes come from.
 */
'use strict';

attn.assets = (() => {
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const FOLDER = new URL('../runtime/', src);
  const STALL_MS = 8000;
  const OUTDATED = 'на\u00a0сервере уже новая версия сайта, обновите страницу';

  /**
   * What there is, as written at build time. It comes with the page, not from a request of its own:
   * a page that is older than the site must not get the parts of another release.
   * @returns {Promise<RuntimePart[]>}
   */
  const list = async () => attn.runtimeIndex;

  /**
   * Bytes of a part. The browser's cache is trusted as far as the hash goes: a copy that does not
   * fit is fetched once more past the cache.
   * @param {string} name
   * @param {(count: number) => void} [onBytes] told the size of each piece that arrives, and takes
   *   back (a negative size) what has to come again
   * @returns {Promise<ArrayBuffer>}
   */
  async function load(name, onBytes = (_) => {}) {
    const entry = (await list()).find((one) => one.name === name);
    if (!entry) throw new Error(`нет файла «${name}»`);
    let counted = 0;
    const count = (/** @type {number} */ size) => {
      counted += size;
      onBytes(size);
    };
    try {
      return await attn.integrity.verified(await request(entry.file, { cache: 'force-cache' }, count), entry);
    } catch (error) {
      if (/** @type {RuntimeError} */ (error).stalled) throw error;
      onBytes(-counted);
      try {
        return await attn.integrity.verified(await request(entry.file, { cache: 'reload' }, onBytes), entry);
      } catch (again) {
        if (/** @type {RuntimeError} */ (again).stalled) throw again;
        throw (await attn.offlineSite?.isOutdated()) ? Object.assign(new Error(OUTDATED), { outdated: true }) : again;
      }
    }
  }

  /**
   * A fetch that gives up when nothing arrives for a while.
   * @param {string} file
   * @param {RequestInit} options
   * @param {(count: number) => void} onBytes
   */
  async function request(file, options, onBytes) {
    const stop = new AbortController();
    let timer = 0;
    const wait = () => {
      clearTimeout(timer);
      timer = self.setTimeout(() => stop.abort(), STALL_MS);
    };
    wait();
    try {
      const response = await fetch(new URL(file, FOLDER), { ...options, signal: stop.signal });
      if (!response.ok || !response.body) throw new Error(`файл ${file}: ответ сервера ${response.status}`);
      /** @type {Uint8Array[]} */
      const pieces = [];
      const reader = response.body.getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        wait();
        pieces.push(next.value);
        onBytes(next.value.length);
      }
      return joined(pieces);
    } catch (error) {
      if (stop.signal.aborted) throw Object.assign(new Error('сеть не\u00a0отвечает'), { stalled: true });
      throw error instanceof TypeError ? new Error(`файл ${file} не\u00a0загрузился: нет связи или доступ закрыт`) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Not by a Blob: its bytes would go to the browser's own process and back. @param {Uint8Array[]} pieces */
  function joined(pieces) {
    const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let offset = 0;
    for (const piece of pieces) {
      whole.set(piece, offset);
      offset += piece.length;
    }
    return whole.buffer;
  }

  return { list, load };
})();
