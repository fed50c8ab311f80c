/* Painter of W3: the marks at their places, the row of the table; the paths are Python's. */
(function () {
  'use strict';

  const attn = self.attn;

  /** @param {HTMLElement} root @param {any} frame */
  function paint(root, frame) {
    root.querySelector('[data-drawing="row"]')?.setAttribute('viewBox', frame.row.box);
    const places = { ...frame.marks, first: frame.row.first, winner: frame.row.winner };
    for (const mark of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-mark]'))) {
      mark.style.setProperty('--x', places[/** @type {string} */ (mark.dataset.mark)]);
    }
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-size]'))) {
      row.toggleAttribute('data-current', row.dataset.size === frame.d);
    }
  }

  attn.widgets.register('noise', { paint });
})();
