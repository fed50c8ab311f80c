/* Painter of W4: a table of a small mask, a canvas and one row of a large one, the box of the tiles. */
(function () {
  'use strict';

  const attn = self.attn;
  const { paint: paintMatrix, setText, painted } = attn.matrix;

  const PIXELS = 1024;
  const HATCH_STEP = 12;

  /** What each canvas shows, to paint it again in another theme. @type {WeakMap<Element, any>} */
  const shown = new WeakMap();

  new MutationObserver(() => {
    for (const root of document.querySelectorAll('section[data-widget="masks"]')) repaint(root);
  }).observe(document.body, { attributes: true, attributeFilter: ['data-md-color-scheme'] });

  /** @param {HTMLElement} root @param {any} frame */
  function paint(root, frame) {
    const rows = rowsOf(frame);
    const small = part(root, '[data-small]');
    const large = part(root, '[data-large]');
    small.hidden = frame.n > Number(small.dataset.small);
    large.hidden = !small.hidden;
    part(root, '.masks-tiles').setAttribute('viewBox', frame.box);
    shown.set(root, frame);
    if (large.hidden) {
      paintRows(part(root, 'table[data-matrix="mask"]'), rows);
    } else {
      listen(root);
      part(root, '[type="range"]#masks-line').max = String(frame.n);
      repaint(root);
    }
  }

  /** @param {Element} root @param {string} selector @returns {any} */
  const part = (root, selector) => root.querySelector(selector);

  /** The marks of each row, which come as one hexadecimal number. @param {any} frame @returns {string[]} */
  function rowsOf({ rows, n }) {
    return rows.split('/').map((/** @type {string} */ row) => BigInt(`0x${row}`).toString(2).padStart(n, '0'));
  }

  /** @param {HTMLTableElement} table @param {string[]} rows marks of the allowed cells */
  function paintRows(table, rows) {
    const marks = rows.map((row) => [...row].map((mark) => (mark === '1' ? '1' : null)));
    const [queries, keys] = [rows, [...rows[0]]].map((list) => list.map(() => ''));
    paintMatrix(table, { short: marks, long: marks }, { queries, keys });
  }

  /** The canvas, and the row that is chosen on it. @param {Element} root */
  function repaint(root) {
    const frame = shown.get(root);
    if (!frame || part(root, '[data-large]').hidden) return;
    const range = part(root, '#masks-line');
    const chosen = Number(range.value);
    range.setAttribute('aria-valuetext', String(chosen));
    setText(part(root, '.masks-line output'), String(chosen));
    const table = part(root, 'table[data-matrix="line"]');
    const rows = rowsOf(frame);
    paintRows(table, [rows[chosen - 1]]);
    setText(table.querySelector('tbody .aw-index'), String(chosen));

    const canvas = part(root, 'canvas');
    painted.set(canvas, rows.map((row) => [...row]));
    canvas.width = canvas.height = PIXELS;
    const context = canvas.getContext('2d');
    const style = getComputedStyle(canvas);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--fig-${name}`);
    context.fillStyle = colour('forbidden');
    context.fillRect(0, 0, PIXELS, PIXELS);
    context.strokeStyle = colour('hatch');
    context.lineWidth = 2;
    context.beginPath();
    for (let at = 0; at < 2 * PIXELS; at += HATCH_STEP) {
      context.moveTo(at, 0);
      context.lineTo(0, at);
    }
    context.stroke();
    context.scale(PIXELS / frame.n, PIXELS / frame.n);
    context.fillStyle = colour('blue');
    context.fill(new Path2D(frame.allowed));
    context.lineWidth = 0.25;
    context.strokeStyle = colour('ink');
    context.strokeRect(0, chosen - 1, frame.n, 1);
  }

  /** @param {HTMLElement} root */
  function listen(root) {
    const range = part(root, '#masks-line');
    if (range.dataset.heard) return;
    range.dataset.heard = 'true';
    range.addEventListener('input', (/** @type {Event} */ event) => {
      event.stopPropagation(); // it chooses what is shown, it asks Python nothing
      repaint(root);
    });
    const canvas = part(root, 'canvas');
    for (const type of ['pointermove', 'pointerdown']) {
      canvas.addEventListener(type, (/** @type {PointerEvent} */ event) => {
        range.value = String(1 + Math.floor((event.offsetY / canvas.clientHeight) * Number(range.max)));
        repaint(root);
      });
    }
  }

  attn.widgets.register('masks', { paint });
})();
