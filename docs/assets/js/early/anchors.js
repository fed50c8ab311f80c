/* A step to another place of the same page is the browser's own. In-site navigation of the theme
 * would fetch the page anew for the first one: widgets would forget a computation that goes on, the
 * laboratory would change under the reader's hands, and without a network the link would be dead.
 * This runs before the theme's script, so that its listener for steps comes first. */
(function () {
  'use strict';

  let shownPath = location.pathname;
  /** How far the reader had scrolled the page that a step back or forward brings. */
  let scrolled = 0;

  document.addEventListener('DOMContentLoaded', () => {
    self.location$?.subscribe(({ pathname }) => {
      if (pathname !== shownPath) [shownPath, scrolled] = [pathname, 0];
    });
    // After the theme, which scrolls before the parts of a page have taken their sizes.
    self.document$?.subscribe(() => {
      if (scrolled) scrollTo(0, scrolled);
      scrolled = 0;
    });
  });

  document.addEventListener(
    'click',
    ({ target }) => {
      const link = target instanceof Element && target.closest('a[href]');
      if (!(link instanceof HTMLAnchorElement)) return;
      if (link.origin !== location.origin || link.pathname !== location.pathname) return;
      // The address carries the state of the widgets; a search result adds its words to it.
      const words = new URLSearchParams(link.search).get('h');
      const query = new URLSearchParams(location.search);
      if (words !== null) {
        query.set('h', words);
        link.search = String(query);
      } else if (link.hash) {
        link.search = location.search;
        link.target = '_self'; // what it is without: the theme leaves links with a target alone
      }
    },
    { capture: true },
  );

  addEventListener('popstate', (event) => {
    if (location.pathname !== shownPath) {
      shownPath = location.pathname;
      scrolled = history.state?.y ?? 0;
      return;
    }
    event.stopImmediatePropagation();
    if (history.scrollRestoration === 'auto') return;
    // The theme notes in each step how far the reader has scrolled, a moment later.
    if (history.state) scrollTo(0, history.state.y);
    else requestAnimationFrame(() => document.querySelector(':target')?.scrollIntoView());
  });
})();
