/* Code in the fragment of an address: `#code=z.…` (deflated) or `#code=p.…` (plain), base64url.
 * A fragment is not sent to any server. */
(function () {
  'use strict';

  const { lab } = attn;

  /** What browsers and messengers pass on without cutting. */
  const LONGEST_LINK = 8000;
  /** No link of ours is longer; nothing longer is unpacked. */
  const LONGEST_FRAGMENT = 100_000;
  /** More than this is not shown, whatever a link unpacks to. */
  const LONGEST_CODE = 50_000;

  /** @param {Uint8Array} bytes */
  function toBase64(bytes) {
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  }

  /** @param {string} text */
  function fromBase64(text) {
    const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  }

  /**
   * @param {Uint8Array} bytes
   * @param {CompressionStream | DecompressionStream} through
   * @param {number} limit
   */
  async function pass(bytes, through, limit) {
    const reader = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(through).getReader();
    const parts = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      length += value.length;
      if (length > limit) {
        await reader.cancel();
        throw new RangeError('longer than the limit');
      }
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  /**
   * The fragment that carries `code`.
   * @param {string} code
   */
  async function pack(code) {
    const bytes = new TextEncoder().encode(code);
    if (!('CompressionStream' in self)) return `#code=p.${toBase64(bytes)}`;
    const packed = await pass(bytes, new CompressionStream('deflate-raw'), Infinity);
    return `#code=z.${toBase64(packed)}`;
  }

  /**
   * The code that a fragment carries; an Error with a Russian message when it cannot be read.
   * @param {string} fragment without `#code=`
   */
  async function unpack(fragment) {
    try {
      if (fragment.length > LONGEST_FRAGMENT) throw new RangeError('refused');
      const bytes = fromBase64(fragment.slice(2));
      const plain = fragment.startsWith('z.')
        ? await pass(bytes, new DecompressionStream('deflate-raw'), LONGEST_CODE)
        : bytes;
      if (!/^[zp]\./.test(fragment) || plain.length > LONGEST_CODE) throw new RangeError('refused');
      return new TextDecoder('utf-8', { fatal: true }).decode(plain);
    } catch {
      throw new Error('Код из\u00a0ссылки не\u00a0читается: ссылка повреждена или обрезана.');
    }
  }

  /**
   * A link to this page with `code`; an Error with a Russian message when it would be too long.
   * @param {string} code
   */
  async function linkTo(code) {
    const link = location.href.replace(/[?#].*$/, '') + (await pack(code));
    if (link.length > LONGEST_LINK || code.length > LONGEST_CODE) {
      throw new Error(
        `Код слишком велик для ссылки: вышло\u00a0бы ${link.length}\u00a0знаков, а\u00a0надёжно передаются ` +
          `${LONGEST_LINK}. Сократите код или перешлите его файлом.`,
      );
    }
    return link;
  }

  lab.link = { linkTo, unpack };
})();
