/* What the theme's in-site navigation needs to work on any host, and without losing a page's styles.
 * Runs just before the theme's script. */
(function () {
  'use strict';

  const HERE = new URL('../../', /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
  const PLACE = /<loc>([^<]*)<\/loc>/g;

  /* It takes the pages that sitemap.xml lists, and the sitemap, which crawlers read, names them as they are
   * on the host that the site was built for. On any other host, port or folder it is read as if the site
   * had been built for that place. */

  /** The shortest address of all is that of the site's root. @param {string} sitemap */
  function moved(sitemap) {
    const places = Array.from(sitemap.matchAll(PLACE), ([, place]) => place);
    const root = places.reduce((a, b) => (b.length < a.length ? b : a), places[0] ?? '');
    const here = HERE.replaceAll('&', '&amp;');
    return sitemap.replaceAll(`<loc>${root}`, () => `<loc>${here}`);
  }

  /* A page without an origin (a sandboxed frame) may fetch nothing: there links are only links, and what
   * searches in a file that cannot come is not offered. */
  if (self.origin === 'null') {
    const config = /** @type {HTMLElement} */ (document.getElementById('__config'));
    const settings = JSON.parse(config.textContent ?? '');
    settings.features = settings.features.filter((/** @type {string} */ name) => name !== 'navigation.instant');
    config.textContent = JSON.stringify(settings);
    document.querySelectorAll('.md-search, label[for="__search"]').forEach((element) => element.remove());
  }

  const parse = DOMParser.prototype.parseFromString;

  /** @type {typeof parse} */
  DOMParser.prototype.parseFromString = function (text, type) {
    const isSitemap = type === 'text/xml' && String(text).includes('<urlset');
    return parse.call(this, isSitemap ? moved(String(text)) : text, type);
  };

  /* It compares the heads of two pages by the text of their elements, and to that end writes the whole
   * address over each relative one. A browser may then ask for all styles again, and has none meanwhile.
   * So the elements of the first page look as if it had been done. */
  for (const name of /** @type {const} */ (['href', 'src'])) {
    for (const part of document.head.querySelectorAll(`[${name}]`)) {
      const whole = /** @type {HTMLElement} */ (part.cloneNode());
      const address = /** @type {any} */ (part)[name];
      whole.setAttribute(name, address);
      Object.defineProperties(part, {
        [name]: { get: () => address, set() {} },
        outerHTML: { get: () => whole.outerHTML },
      });
    }
  }
})();
