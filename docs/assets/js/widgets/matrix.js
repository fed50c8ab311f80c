/* Paints the cells that Python has made into the table that Python has made. */
(function () {
  'use strict';

  const attn = (self.attn ??= {});

  /**
   * @typedef {{short: (string | null)[][], long: (string | null)[][], shade?: string[][]}} Cells
   */

  /**
   * @param {HTMLTableElement} table
   * @param {Cells} cells
   * @param {{queries: string[], keys: string[], blocked?: number[][]}} with_
   */
  function paint(table, cells, { queries, keys, blocked }) {
    fit(table, queries.length, keys.length);
    const heads = /** @type {HTMLTableRowElement} */ (table.tHead?.rows[0]).cells;
    keys.forEach((key, k) => setLabel(heads[k + 1], k, key));
    queries.forEach((query, q) => {
      const row = table.tBodies[0].rows[q];
      setLabel(row.cells[0], q, query);
      keys.forEach((_, k) => {
        const isBlocked = blocked?.[q][k] === 1 || cells.short[q][k] === null;
        const shade = (cells.shade ?? cells.long)[q][k];
        paintCell(row.cells[k + 1], q, k, isBlocked ? null : cells.short[q][k], cells.long[q][k], shade, table);
      });
    });
  }

  /**
   * @param {HTMLTableCellElement} cell
   * @param {number} q
   * @param {number} k
   * @param {string | null} short null for a blocked cell
   * @param {string | null} long
   * @param {string | null} shade
   * @param {HTMLTableElement} table
   */
  function paintCell(cell, q, k, short, long, shade, table) {
    const text = short ?? /** @type {string} */ (table.dataset.blockedText);
    const full = short === null ? text : /** @type {string} */ (long);
    cell.dataset.row = String(q);
    cell.dataset.col = String(k);
    cell.dataset.k = short === null ? 'blocked' : 'allowed';
    cell.dataset.short = text;
    cell.dataset.long = full;
    if (short === null) cell.removeAttribute('style');
    else cell.style.setProperty('--p', shade);
    setText(cell.firstElementChild, cell.classList.contains('is-cell') ? full : text);
  }

  /** @param {Element} head @param {number} place @param {string} token */
  function setLabel(head, place, token) {
    setText(head.querySelector('.aw-index'), String(place + 1));
    setText(head.querySelector('.aw-token'), token);
  }

  /** @param {Element | null} element @param {string} text */
  function setText(element, text) {
    if (element && element.textContent !== text) element.textContent = text;
  }

  /**
   * Gives the table that many rows and columns, by copying or dropping the last ones.
   * @param {HTMLTableElement} table
   * @param {number} rows
   * @param {number} columns
   */
  function fit(table, rows, columns) {
    const body = table.tBodies[0];
    table.style.setProperty('--columns', String(columns));
    for (const row of [table.tHead?.rows[0], ...body.rows]) {
      if (row) fitChildren(row, columns + 1);
    }
    fitChildren(body, rows);
  }

  /** @param {HTMLElement} parent @param {number} count */
  function fitChildren(parent, count) {
    while (parent.children.length > count) parent.lastElementChild?.remove();
    while (parent.children.length < count) {
      const copy = /** @type {Element} */ (parent.lastElementChild?.cloneNode(true));
      for (const part of [copy, ...copy.querySelectorAll('td')]) {
        part.classList.remove('is-cell', 'is-locked', 'is-row', 'is-column');
        part.removeAttribute('tabindex');
      }
      parent.append(copy);
    }
  }

  /** The cells that a canvas shows in place of a table too large to be one. @type {WeakMap<Element, string[][]>} */
  const painted = new WeakMap();

  attn.matrix = { paint, setText, fitChildren, painted };
})();
