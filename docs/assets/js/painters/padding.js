/* Painter of the padding demonstration: its three tables. */
(function () {
  'use strict';

  const attn = self.attn;

  /** @param {HTMLElement} root @param {any} frame */
  function paint(root, frame) {
    const queries = frame.keys.slice(0, frame.out.short.length);
    const channels = frame.out.short[0].map(() => '');
    for (const name of ['weights', 'out', 'alone']) {
      const table = /** @type {HTMLTableElement} */ (root.querySelector(`[data-matrix="${name}"]`));
      const keys = name === 'weights' ? frame.keys : channels;
      attn.matrix.paint(table, frame[name], { queries, keys });
    }
  }

  attn.widgets.register('padding', { paint });
})();
