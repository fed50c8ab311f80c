/* What is wider than the page scrolls in its own box; the box can then take the focus. */
(function () {
  'use strict';

  const BOXES = '.math-display, .fig-scroll, .md-typeset__table';

  function update(box) {
    const wide = box.scrollWidth > box.clientWidth;
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

  const sizes = new ResizeObserver((entries) => entries.forEach(({target}) => update(target)));

  function watch() {
    sizes.disconnect();
    document.querySelectorAll(BOXES).forEach((box) => sizes.observe(box));
  }

  if (typeof document$ !== 'undefined') document$.subscribe(watch);
  else document.addEventListener('DOMContentLoaded', watch);
})();
