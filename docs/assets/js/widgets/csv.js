/* What is shown as comma-separated values: whose numbers they are, the readouts, live texts, tables. */
(function () {
  'use strict';

  const { widgets } = attn;

  /** The cells that a canvas shows in place of a table too large to be one. @type {WeakMap<Element, number[][]>} */
  const painted = new WeakMap();

  const OUTDATED = 'Числа устарели: они от\u00a0прежнего положения регуляторов, не\u00a0от\u00a0названного здесь';
  const BESIDE = 'table, .aw-legend, [data-pointed]'; // texts that are no sentences, or of one row only
  const SOURCES = {
    build: 'Рассчитано при сборке сайта',
    table: 'Рассчитано при сборке сайта',
    python: 'Посчитал NumPy в\u00a0браузере',
  };

  /**
   * What a file has to say of its numbers: the state of the controls, who computed, whether they belong together.
   * @param {HTMLElement} root
   */
  function origin(root) {
    return {
      title: root.querySelector('.aw-title')?.textContent ?? '',
      state: widgets.controls(root).said(),
      source: SOURCES[/** @type {keyof typeof SOURCES} */ (root.dataset.source)],
      outdated: root.hasAttribute('data-outdated') ? OUTDATED : '',
    };
  }

  /** @param {HTMLElement} root @returns {string} */
  function csv(root) {
    const { title, state, source, outdated } = origin(root);
    const about = [[title], ...state, ['источник', source], ...(outdated ? [[outdated]] : [])];
    const figure = /** @type {HTMLElement} */ (root.querySelector('[data-figure]'));
    const rows = [...about, [], ...readouts(figure), ...sentences(figure), ...tables(figure)];
    return rows.map((row) => row.map(field).join(',')).join('\r\n');
  }

  /** Label, value and note of each. @param {HTMLElement} figure */
  function readouts(figure) {
    return shown(figure, '[data-readout]').map((output) => {
      const label = document.getElementById(output.getAttribute('aria-labelledby') ?? '')?.textContent ?? '';
      const note = output.parentElement?.querySelector('.aw-note')?.textContent;
      return [label, output.innerText, ...(note ? [note] : [])];
    });
  }

  /** Lines of text that change with the state. @param {HTMLElement} figure */
  function sentences(figure) {
    const lines = shown(figure, '[data-bind^="text:"]').map((text) => text.closest('p, li, i'));
    const outside = [...new Set(lines)].filter((line) => line instanceof HTMLElement && !line.closest(BESIDE));
    return outside.map((line) => [/** @type {HTMLElement} */ (line).innerText]).filter(([text]) => text.trim());
  }

  /** Each table with its caption, numbered like it; a canvas has a table too. @param {HTMLElement} figure */
  function tables(figure) {
    return shown(figure, 'table, canvas').flatMap((element) => {
      if (!(element instanceof HTMLTableElement)) {
        const cells = painted.get(element);
        if (!cells) return [];
        const numbers = cells[0].map((_, k) => String(k + 1));
        const rows = cells.map((row, q) => [String(q + 1), ...row.map(String)]);
        return [[], [element.dataset.caption ?? ''], ['', ...numbers], ...rows];
      }
      const rows = [...element.rows].map((row) => [...row.cells].map((cell) => cell.dataset.long ?? cell.innerText));
      return [[], [element.caption?.textContent ?? ''], ...rows];
    });
  }

  /** @param {HTMLElement} figure @param {string} selector @returns {HTMLElement[]} */
  function shown(figure, selector) {
    const all = /** @type {HTMLElement[]} */ ([...figure.querySelectorAll(selector)]);
    return all.filter((element) => element.getClientRects().length && !element.closest('details:not([open])'));
  }

  /** A spreadsheet must neither split a text nor take it for a formula. @param {string} text */
  function field(text) {
    const plain = text.replace(/\s+/g, ' ').trim().replace(/^−(?=\d)/, '-');
    const number = /^-?\d[\d\s.,]*(?:e[+-]?\d+)?\s*%?$/i.test(plain);
    const safe = /^[=+@-]/.test(plain) && !number ? `'${plain}` : plain;
    return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  Object.assign(widgets, { csv, origin, readouts, painted });
})();
