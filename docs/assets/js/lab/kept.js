/* The reader's code that the browser keeps: of this tab over a reload, and of all tabs together for
 * the next visit. Tabs write at the same time, so what another one left is moved aside, not lost. */
(function () {
  'use strict';

  const { lab } = attn;

  const KEY = 'lab.code';

  /** @typedef {{own: ?string, before: ?string}} Kept the last code, and the one before it */

  /** @param {any} found @returns {Kept} what was put there, if it is */
  const checked = (found) => ({
    own: typeof found?.own === 'string' ? found.own : null,
    before: typeof found?.before === 'string' ? found.before : null,
  });

  function readTab() {
    try {
      return checked(JSON.parse(sessionStorage.getItem(`attn.${KEY}`) ?? 'null'));
    } catch {
      return checked(null);
    }
  }

  /** @param {Kept} code */
  function writeTab(code) {
    try {
      sessionStorage.setItem(`attn.${KEY}`, JSON.stringify(code));
    } catch {
      // a reload then shows what all tabs keep
    }
  }

  lab.openKept = function () {
    const { storage } = attn.site;
    const readAll = () => checked(storage.read(KEY));
    const tab = readTab();
    let known = readAll().own;
    /** Code of another tab that was found in the place of this one's. @type {?string} */
    let aside = null;
    const start = tab.own === null ? readAll() : tab;

    return {
      start,

      /** Everything that is kept, the nearest first. @returns {string[]} */
      all() {
        const [mine, all] = [readTab(), readAll()];
        return /** @type {string[]} */ (
          [mine.own, mine.before, all.own, all.before].filter((code) => code !== null)
        );
      },

      /** @param {Kept} code @returns {boolean} whether the next visit will find it */
      write(code) {
        writeTab(code);
        const last = readAll();
        if (last.own !== known && last.own !== code.own) aside = last.own;
        known = code.own;
        return storage.write(KEY, aside === null ? code : { own: code.own, before: aside });
      },
    };
  };
})();
