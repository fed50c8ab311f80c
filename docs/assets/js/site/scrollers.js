/* What is wider than the page scrolls in its own box; the box can then take the focus. */
(function () {
  'use strict';

  const BOXES = '.math-display, .fig-scroll, .md-typeset__scrollwrap, .aw-scroll, pre > code';

  /** @param {HTMLElement} box */
  function update(box) {
    const hasStops = box.querySelector('td[tabindex]') !== null; // its cells take the focus
    const wide = box.scrollWidth > box.clientWidth && !hasStops;
    if (wide === box.hasAttribute('data-wide')) return;
    box.toggleAttribute('data-wide', wide);
    if (wide) {
      box.setAttribute('tabindex', '0');
      box.setAttribute('role', 'group');
      box.setAttribute('aria-label', 'Прокручивается вбок');
    } else {
      for (const name of ['tabindex', 'role', 'aria-label']) box.removeAttribute(name);
    }
  }

  attn.site.onPage(BOXES, (/** @type {HTMLElement} */ box) => {
    const sizes = new ResizeObserver(() => update(box));
    sizes.observe(box);
    return () => sizes.disconnect();
  });
})();
