/* Painter of W1: three tables, the legend of the scores, the selected row. */
(function () {
  'use strict';

  const attn = self.attn;
  const { paint: paintMatrix, setText, fitChildren } = attn.matrix;

  /** @param {HTMLElement} root @param {any} frame */
  function paint(root, frame) {
    const labels = { queries: frame.tokens, keys: frame.tokens };
    paintMatrix(tableOf(root, 'scores'), frame.scores, labels);
    paintMatrix(tableOf(root, 'masked'), frame.scores, { ...labels, blocked: frame.blocked });
    paintMatrix(tableOf(root, 'weights'), frame.weights, labels);
    for (const end of ['low', 'high']) {
      const [q, k] = frame.extremes[end];
      setText(root.querySelector(`[data-legend="${end}"]`), frame.scores.short[q][k]);
    }
    setText(root.querySelector('[data-remark]'), frame.remark);
  }

  /** @param {HTMLElement} root @param {string} name @returns {HTMLTableElement} */
  function tableOf(root, name) {
    return /** @type {HTMLTableElement} */ (root.querySelector(`table[data-matrix="${name}"]`));
  }

  /** Shows the row of the cell that is pointed at. @param {HTMLElement} root @param {any} frame @param {any} place */
  function point(root, frame, place) {
    const panel = /** @type {HTMLElement} */ (root.querySelector('[data-row-panel]'));
    const q = Math.min(place?.row ?? Number(panel.dataset.rowPanel), frame.tokens.length - 1);
    /** @param {string} name @param {string} text */
    const say = (name, text) => setText(panel.querySelector(`[data-row-${name}]`), text);
    say('query', frame.rows.query[q]);
    say('entropy', frame.rows.entropy[q]);
    say('allowed', String(frame.rows.allowed[q]));
    say('ceiling', frame.rows.ceiling[q]);
    const gauge = /** @type {HTMLElement} */ (panel.querySelector('[data-gauge]'));
    gauge.style.setProperty('--e', frame.rows.entropy[q]);
    gauge.style.setProperty('--c', frame.rows.ceiling[q]);
    gauge.style.setProperty('--full', frame.rows.full);

    const bars = /** @type {HTMLElement} */ (panel.querySelector('.aw-bars'));
    fitChildren(bars, frame.rows.key.length);
    const blockedText = /** @type {string} */ (tableOf(root, 'weights').dataset.blockedText);
    frame.rows.key.forEach((/** @type {string} */ key, /** @type {number} */ k) => {
      const bar = /** @type {HTMLElement} */ (bars.children[k]);
      const weight = frame.weights.long[q][k];
      bar.dataset.bar = weight === null ? 'blocked' : 'allowed';
      bar.classList.toggle('is-pointed', place?.col === k);
      bar.style.setProperty('--p', weight ?? '0');
      setText(bar.querySelector('.aw-bar-key'), key);
      setText(bar.querySelector('.aw-bar-value'), weight ?? blockedText);
    });
  }

  attn.widgets.register('attention', { paint, point });
})();
