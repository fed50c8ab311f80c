/* The theme's one-letter shortcuts stay outside the widgets, whatever has the focus there. */
(function () {
  'use strict';

  const SHORTCUTS = new Set(['s', 'f', 'n', 'p', '/', ',', '.']);

  document.addEventListener('keydown', (event) => {
    const inWidget = event.target instanceof Element && event.target.closest('[data-widget]');
    if (inWidget && SHORTCUTS.has(event.key)) event.stopPropagation();
  });
})();
