/* In-site navigation of the theme keeps listening for parts of the pages that were left, and one
 * kept element keeps its whole page. A page that was left is taken apart, so that no more is kept
 * than the elements themselves that the theme knows. */
(function () {
  'use strict';

  /** @type {Element[]} */
  let parts = [];

  self.document$?.subscribe(() => {
    const left = new Set(parts.filter((part) => !part.isConnected).map((part) => part.getRootNode()));
    parts = [...document.querySelectorAll('[data-md-component]')];
    if (left.size) setTimeout(takeApart, 0, left); // after all who have to take leave of the page
  });

  /** @param {Set<Node>} roots */
  function takeApart(roots) {
    for (const root of roots) {
      if (!(root instanceof Element) || root.isConnected) continue;
      for (const element of root.querySelectorAll('*')) element.remove();
    }
  }
})();
