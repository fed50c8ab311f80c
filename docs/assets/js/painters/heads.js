/* Painter of W2: numbers with their heads; a number that is pointed at is marked wherever it went. */
(function () {
  'use strict';

  const attn = self.attn;
  const { setText, fitChildren } = attn.matrix;

  /** @typedef {{text: string[][], head: number[][], moved: number[][], say: string[][]}} Part */

  /** @param {HTMLElement} root @param {any} frame */
  function paint(root, frame) {
    paintTable(tableOf(root, 'x'), frame.x);
    paintTable(tableOf(root, 'merged'), frame.merged);
    const heads = /** @type {HTMLElement} */ (root.querySelector('[data-heads]'));
    fitChildren(heads, frame.heads.length);
    frame.heads.forEach((/** @type {any} */ head, /** @type {number} */ place) => {
      const item = /** @type {HTMLElement} */ (heads.children[place]);
      item.dataset.head = String(place);
      setText(item.querySelector('[data-title]'), head.title);
      setText(item.querySelector('[data-gets]'), head.gets);
      const table = /** @type {HTMLTableElement} */ (item.querySelector('table'));
      table.dataset.matrix = `head-${place}`;
      setText(table.caption, head.title);
      paintTable(table, head);
    });
    const rows = /** @type {HTMLElement} */ (root.querySelector('[data-proj]'));
    fitChildren(rows, frame.proj.length);
    frame.proj.forEach((/** @type {string} */ text, /** @type {number} */ place) => {
      const item = /** @type {HTMLElement} */ (rows.children[place]);
      item.dataset.head = String(place);
      setText(item, text);
    });
    /** @type {HTMLElement} */ (root.querySelector('[data-wrong]')).dataset.wrong = frame.wrong;
  }

  /** @param {HTMLElement} root @param {string} name @returns {HTMLTableElement} */
  function tableOf(root, name) {
    return /** @type {HTMLTableElement} */ (root.querySelector(`table[data-matrix="${name}"]`));
  }

  /** @param {HTMLTableElement} table @param {Part} part */
  function paintTable(table, part) {
    const columns = part.text[0].length;
    table.style.setProperty('--columns', String(columns));
    for (const row of table.rows) fitChildren(row, columns + 1);
    for (const [k, head] of [...table.rows[0].cells].slice(1).entries()) {
      setText(head.querySelector('.aw-index'), String(k + 1));
    }
    part.text.forEach((texts, n) => {
      texts.forEach((text, k) => {
        const cell = table.tBodies[0].rows[n].cells[k + 1];
        Object.assign(cell.dataset, {
          row: n,
          col: k,
          head: part.head[n][k],
          moved: part.moved[n][k],
          short: text,
          long: text,
          say: part.say[n][k],
        });
        setText(cell.firstElementChild, text);
      });
    });
  }

  /** @param {HTMLElement} root @param {any} _ @param {any} place */
  function point(root, _, place) {
    const cell = place && tableOf(root, place.matrix)?.tBodies[0].rows[place.row]?.cells[place.col + 1];
    for (const other of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('td[data-short]'))) {
      other.classList.toggle('is-same', Boolean(cell) && other.dataset.short === cell.dataset.short);
    }
  }

  attn.widgets.register('heads', { paint, point });
})();
