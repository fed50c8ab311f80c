/* Painter of W5: bars of the three schemes, who reads whose keys. */
(function () {
  'use strict';

  const attn = self.attn;

  /** @param {HTMLElement} root @param {any} frame */
  function paint(root, frame) {
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-scheme]'))) {
      const scheme = frame.schemes[/** @type {string} */ (row.dataset.scheme)];
      row.toggleAttribute('data-own', scheme.own);
      row.querySelector('i')?.style.setProperty('--p', scheme.share);
    }
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-length]'))) {
      row.toggleAttribute('data-current', row.dataset.length === frame.n);
    }
    paintGroups(/** @type {HTMLElement} */ (root.querySelector('[data-groups]')), frame.groups);
  }

  /** @param {HTMLElement} list @param {number[]} groups */
  function paintGroups(list, groups) {
    list.replaceChildren(
      ...groups.map((size) => {
        const item = document.createElement('span');
        item.append(...Array.from({ length: size }, () => document.createElement('i')));
        return item;
      }),
    );
  }

  attn.widgets.register('kv-cache', { paint });
})();
