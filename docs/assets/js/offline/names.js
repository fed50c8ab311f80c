/* What the page and its service worker agree on: names of caches, and which parts of Python are kept. */
(function () {
  'use strict';

  /** Alone in the service worker. */
  const attn = /** @type {Attn} */ (self.attn ??= /** @type {any} */ ({}));

  attn.offlineNames = {
    /**
     * Every release of every site of a host has caches of its own.
     * @param {string} scope address of the site's root
     * @param {string} release
     */
    caches(scope, release) {
      const own = `attn ${scope} `;
      return {
        own,
        pages: `${own}pages ${release}`,
        runtime: `${own}runtime ${release}`,
        whole: `${scope}~whole`, // an entry of either cache: nothing is missing in it
      };
    },

    /**
     * Parts of the plain start alone are left out: a last resort, and as large as all the others.
     * @param {{ways: string[]}} part
     */
    isKept: (part) => part.ways.join() !== 'plain',

    /** @param {string} scope @param {{file: string}} part */
    address: (scope, part) => new URL(part.file, `${scope}assets/runtime/`).href,
  };
})();
