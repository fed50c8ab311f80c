/* The theme searches when a key is let go. Pasting, dictation and some keyboards of phones change the
 * query without one. */
(function () {
  'use strict';

  document.addEventListener('input', ({ target }) => {
    if (target instanceof Element && target.matches('.md-search__input')) {
      target.dispatchEvent(new Event('keyup'));
    }
  });
})();
