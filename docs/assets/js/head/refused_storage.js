/* Where a page may not keep anything (storage is blocked, the frame is sandboxed), even naming
 * localStorage throws: the theme's script would stop there, and with it search and in-site navigation.
 * In its place stands a storage that is empty and takes nothing. Runs before all other scripts. */
(function () {
  'use strict';

  const refused = {
    length: 0,
    key: () => null,
    getItem: () => null,
    removeItem() {},
    clear() {},
    setItem() {
      throw new DOMException('storage is refused', 'QuotaExceededError');
    },
  };

  for (const name of /** @type {const} */ (['localStorage', 'sessionStorage'])) {
    try {
      if (self[name].length >= 0) continue;
    } catch {
      Object.defineProperty(self, name, { value: refused });
    }
  }
})();
