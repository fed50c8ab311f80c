/** Nothing is used before its length and its SHA-256 are the ones written at build time. */
'use strict';

attn.integrity = (() => {
  /**
   * @param {ArrayBuffer} buffer
   * @param {RuntimePart} entry
   * @returns {Promise<ArrayBuffer>} the same buffer, or a rejection
   */
  async function verified(buffer, entry) {
    if (buffer.byteLength !== entry.bytes) {
      throw new Error(`файл «${entry.name}» повреждён: ${buffer.byteLength}\u00a0байт вместо ${entry.bytes}`);
    }
    if ((await sha256(buffer)) !== entry.sha256) throw new Error(`файл «${entry.name}» повреждён: не\u00a0та\u00a0контрольная сумма`);
    return buffer;
  }

  /** @param {ArrayBuffer} buffer */
  async function sha256(buffer) {
    // Pages of a plain http:// host other than localhost have no crypto.subtle.
    const digest = self.crypto?.subtle
      ? new Uint8Array(await crypto.subtle.digest('SHA-256', buffer))
      : await inPlainScript(buffer);
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  /** FIPS 180-4 in short slices, so that the page stays responsive. @param {ArrayBuffer} buffer */
  async function inPlainScript(buffer) {
    const { K, H } = constants();
    const bitLength = buffer.byteLength * 8;
    const padded = new Uint8Array(((buffer.byteLength + 8) >> 6 << 6) + 64);
    padded.set(new Uint8Array(buffer));
    padded[buffer.byteLength] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(bitLength / 2 ** 32));
    view.setUint32(padded.length - 4, bitLength >>> 0);
    const SLICE = 2 ** 18;
    for (let begin = 0; begin < padded.length; begin += SLICE) {
      for (let at = begin; at < Math.min(begin + SLICE, padded.length); at += 64) block(view, at, H, K);
      await new Promise((resolve) => setTimeout(resolve));
    }
    const digest = new DataView(new ArrayBuffer(32));
    H.forEach((word, i) => digest.setUint32(4 * i, word));
    return new Uint8Array(digest.buffer);
  }

  /** @param {number} word @param {number} by */
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  const W = new Int32Array(64);

  /** @param {DataView} view @param {number} at @param {Int32Array} H @param {Int32Array} K */
  function block(view, at, H, K) {
    for (let t = 0; t < 64; t++) {
      if (t < 16) W[t] = view.getInt32(at + 4 * t);
      else {
        const x = W[t - 15];
        const y = W[t - 2];
        W[t] = W[t - 16] + W[t - 7] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      }
    }
    let [a, b, c, d, e, f, g, h] = H;
    for (let t = 0; t < 64; t++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[t] + W[t]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { H[i] = (H[i] + word) | 0; });
  }

  /** Fractional parts of the roots of the first primes, as the standard defines them. */
  function constants() {
    /** @type {number[]} */
    const primes = [];
    for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
    const fraction = (/** @type {number} */ x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
    return {
      K: Int32Array.from(primes, (p) => fraction(Math.cbrt(p))),
      H: Int32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p))),
    };
  }

  return { verified, sha256, inPlainScript };
})();
