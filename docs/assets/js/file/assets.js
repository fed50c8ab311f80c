/**
 * The parts of the runtime from scripts beside the page: the edition for file://, where nothing can be
 * fetched. The same two functions as in http/assets.js, so nobody else knows where the bytes come from.
 */
'use strict';

attn.assets = (() => {
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const FOLDER = new URL('../runtime/', src);
  const SLICE = 2 ** 20; // characters; a multiple of 4, so that each slice is base64 of its own

  const list = async () => attn.runtimeIndex;

  /**
   * @param {string} name
   * @param {(count: number) => void} [onBytes] called with the size of each piece that is there
   * @returns {Promise<ArrayBuffer>}
   */
  async function load(name, onBytes = (_) => {}) {
    const entry = attn.runtimeIndex.find((/** @type {RuntimePart} */ one) => one.name === name);
    if (!entry) throw new Error(`нет файла «${name}»`);
    await run(new URL(entry.file, FOLDER).href, entry.file);
    const text = attn.embedded[name];
    delete attn.embedded[name];
    return attn.integrity.verified(await decoded(text, onBytes), entry);
  }

  /** @param {string} address @param {string} file @returns {Promise<void>} */
  function run(address, file) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = address;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(`в\u00a0папке урока нет файла ${file}`));
      document.head.append(script);
      script.addEventListener('load', () => script.remove());
    });
  }

  /**
   * In slices, so that the page stays responsive.
   * @param {string} text
   * @param {(count: number) => void} onBytes
   */
  async function decoded(text, onBytes) {
    const pieces = [];
    for (let begin = 0; begin < text.length; begin += SLICE) {
      const piece = bytes(text.slice(begin, begin + SLICE));
      pieces.push(piece);
      onBytes(piece.length);
      await new Promise((resolve) => setTimeout(resolve));
    }
    return new Blob(pieces).arrayBuffer();
  }

  /** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
  function bytes(text) {
    const { fromBase64 } = /** @type {any} */ (Uint8Array);
    if (fromBase64) return fromBase64.call(Uint8Array, text);
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  }

  return { list, load };
})();
