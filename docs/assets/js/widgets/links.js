/* A term of a formula and what it stands for light each other: all elements with the same data-k. */
(function () {
  'use strict';

  const LINKED = '[data-k]';

  /** @param {HTMLElement} article */
  function mount(article) {
    const life = new AbortController();
    for (const term of article.querySelectorAll('.katex-html [data-k]')) {
      term.setAttribute('tabindex', '0');
    }

    for (const type of ['pointerover', 'focusin']) {
      article.addEventListener(type, (event) => light(article, linkOf(event.target)), life);
    }
    article.addEventListener('pointerleave', () => light(article, null), life);
    article.addEventListener('focusout', () => light(article, null), life);
    article.addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Escape') light(article, null);
      },
      life,
    );
    return () => life.abort();
  }

  /** @param {EventTarget | null} target @returns {HTMLElement | null} */
  function linkOf(target) {
    return target instanceof Element ? target.closest(LINKED) : null;
  }

  /**
   * Lights every other place of the same term; the cells of one table do not light each other.
   * @param {HTMLElement} article
   * @param {HTMLElement | null} origin
   */
  function light(article, origin) {
    for (const lit of article.querySelectorAll('.is-lit')) lit.classList.remove('is-lit');
    if (!origin) return;
    const home = origin.closest('[data-widget]');
    for (const other of article.querySelectorAll(`[data-k="${CSS.escape(origin.dataset.k ?? '')}"]`)) {
      if (!home || !home.contains(other)) other.classList.add('is-lit');
    }
  }

  attn.site.onPage('article', mount);
})();
