/* What every interactive part of a page needs: life within in-site navigation, quiet hotkeys,
 * and storage that may be missing. */
(function () {
  'use strict';

  /** Keys that the theme listens to on the whole page. */
  const THEME_KEYS = new Set(['s', 'f', '/', 'n', '.', 'p', ',']);

  /**
   * Calls `mount(root)` for each element that matches, on this page and on every page that in-site
   * navigation brings. What `mount` returns is called when its element has left the page.
   * @param {string} selector
   * @param {(root: HTMLElement) => (() => void) | void} mount
   */
  function onPage(selector, mount) {
    /** @type {Map<HTMLElement, (() => void) | void>} */
    const mounted = new Map();

    function renew() {
      for (const [root, unmount] of mounted) {
        if (root.isConnected) continue;
        mounted.delete(root);
        unmount?.();
      }
      for (const root of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector))) {
        if (!mounted.has(root)) mounted.set(root, mount(root));
      }
    }

    if (self.document$) self.document$.subscribe(renew);
    else if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', renew);
    else renew();
  }

  /**
   * Keeps single-key hotkeys of the theme from firing inside `root`, whatever has the focus there.
   * @param {HTMLElement} root
   */
  function keepHotkeysOut(root) {
    root.addEventListener('keydown', (event) => {
      if (THEME_KEYS.has(event.key)) event.stopPropagation();
    });
  }

  /** A value of this site kept in the browser, or nothing where storage is refused or full. */
  const storage = {
    /** @param {string} key @returns {any} */
    read(key) {
      try {
        return JSON.parse(localStorage.getItem(`attn.${key}`) ?? 'null');
      } catch {
        return null;
      }
    },
    /** @param {string} key @param {any} value @returns {boolean} whether it was kept */
    write(key, value) {
      try {
        if (value === null) localStorage.removeItem(`attn.${key}`);
        else localStorage.setItem(`attn.${key}`, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
  };

  /**
   * An element with attributes and children.
   * @param {string} tag
   * @param {Record<string, string | boolean>} [attributes] `true` sets an empty one, `false` none
   * @param {...(Node | string)} children
   */
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== false) made.setAttribute(name, value === true ? '' : value);
    }
    made.append(...children);
    return made;
  }

  attn.site = { onPage, keepHotkeysOut, storage, element };
  attn.widgets = {};
  attn.lab = /** @type {any} */ ({});
})();
