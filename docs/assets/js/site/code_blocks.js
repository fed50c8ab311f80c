/* The theme puts its copy button, in a <nav> without a name, into a code block that comes into view.
 * One button is no navigation: screen readers are spared a landmark for each block. */
(function () {
  'use strict';

  attn.site.onPage('.md-typeset pre', (/** @type {HTMLElement} */ block) => {
    const quieten = () =>
      block.querySelector(':scope > .md-code__nav')?.setAttribute('role', 'none');
    const watcher = new MutationObserver(quieten);
    watcher.observe(block, { childList: true });
    quieten();
    return () => watcher.disconnect();
  });
})();
