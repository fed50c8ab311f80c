/* Painter of W4: a large mask on a canvas, with the row that is chosen on it. */
(function () {
  'use strict';

  const { widgets } = attn;

  const PIXELS = 1024;
  const HATCH_STEP = 12;

  /** What each canvas shows, to paint it again in another theme. @type {WeakMap<Element, any>} */
  const shown = new WeakMap();

  new MutationObserver(() => {
    for (const root of document.querySelectorAll('section[data-widget="masks"]')) repaint(root);
  }).observe(document.body, { attributes: true, attributeFilter: ['data-md-color-scheme'] });

  /** @param {HTMLElement} root @param {any} frame */
  function paint(root, frame) {
    shown.set(root, frame);
    listen(root);
    repaint(root);
  }

  /** @param {Element} root @param {string} selector @returns {any} */
  const part = (root, selector) => root.querySelector(selector);

  /** The canvas, and the row that is chosen on it. @param {Element} root */
  function repaint(root) {
    const frame = shown.get(root);
    if (!frame?.large) return;
    const $q = Number(part(root, '#masks-line').value) - 1;
    widgets.bind(part(root, '[data-large]'), { ...frame, $q });

    const canvas = part(root, 'canvas');
    widgets.painted.set(canvas, frame.mask);
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
    context.strokeRect(0, $q, frame.n, 1);
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

  widgets.painters.masks = paint;
})();
