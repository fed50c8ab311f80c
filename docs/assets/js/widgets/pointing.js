/* One way to point at a cell, for all widgets: hover = focus = tap; a click locks, Esc releases.
 * The same place is marked in every table of a widget; in tables with data-apart the same number is. */
(function () {
  'use strict';

  const { widgets } = attn;

  const CELL = 'table[data-matrix] td[data-row]';

  /** @typedef {{matrix: string, row: number, col: number}} Place */

  /**
   * @param {HTMLElement} root
   * @param {(place: Place | null) => void} changed
   * @param {AbortSignal} signal ends the listening
   */
  function pointing(root, changed, signal) {
    /** @type {Place | null} */ let hovered = null;
    /** @type {Place | null} */ let focused = null;
    /** @type {Place | null} */ let locked = null;

    const current = () => hovered ?? focused ?? locked;

    /** @param {EventTarget | null} target @returns {HTMLElement | null} */
    const cellOf = (target) => (target instanceof Element ? target.closest(CELL) : null);

    /** @param {string} type @param {(event: any) => void} react */
    const listen = (type, react) => root.addEventListener(type, react, { signal });

    listen('pointerover', (event) => {
      if (event.pointerType === 'touch') return;
      hovered = placeOf(cellOf(event.target));
      show();
    });
    listen('pointerleave', () => {
      hovered = null;
      show();
    });
    listen('focusin', (event) => {
      const cell = cellOf(event.target);
      focused = placeOf(cell);
      if (cell) rove(cell);
      show();
    });
    listen('focusout', (event) => {
      if (cellOf(event.relatedTarget)) return;
      focused = null;
      show();
    });
    listen('click', (event) => {
      const cell = cellOf(event.target);
      if (cell) toggleLock(cell);
    });
    listen('keydown', (event) => {
      const cell = cellOf(event.target);
      if (event.key === 'Escape') release();
      else if (cell && !event.altKey && !event.ctrlKey && !event.metaKey) onKey(event, cell);
    });

    letTabIn();

    /** @param {KeyboardEvent} event @param {HTMLElement} cell */
    function onKey(event, cell) {
      const table = /** @type {HTMLTableElement} */ (cell.closest('table'));
      const { row, col } = /** @type {Place} */ (placeOf(cell));
      const rows = table.tBodies[0].rows;
      const lastCol = rows[row].cells.length - 2;
      const target = {
        ArrowUp: [row - 1, col],
        ArrowDown: [row + 1, col],
        ArrowLeft: [row, col - 1],
        ArrowRight: [row, col + 1],
        Home: [row, 0],
        End: [row, lastCol],
      }[event.key];
      if (target) {
        event.preventDefault();
        rows[target[0]]?.cells[Math.min(Math.max(target[1], 0), lastCol) + 1]?.focus();
      } else if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        toggleLock(cell);
      }
    }

    /** @param {HTMLElement} cell */
    function toggleLock(cell) {
      const place = placeOf(cell);
      locked = same(locked, place) ? null : place;
      show();
    }

    /** Every cell takes the focus, one of each table is in the tab order. */
    function letTabIn() {
      for (const table of root.querySelectorAll('table[data-matrix]')) {
        for (const cell of table.querySelectorAll('td[data-row]:not([tabindex])')) {
          cell.setAttribute('tabindex', '-1');
        }
        if (table.querySelector('td[tabindex="0"]')) continue;
        table.querySelector('td[data-row]')?.setAttribute('tabindex', '0');
      }
    }

    function release() {
      hovered = focused = locked = null;
      show();
    }

    /** One cell of a table is in the tab order. @param {HTMLElement} cell */
    function rove(cell) {
      const table = /** @type {Element} */ (cell.closest('table'));
      for (const old of table.querySelectorAll('td[tabindex="0"]')) old.setAttribute('tabindex', '-1');
      cell.tabIndex = 0;
    }

    function show() {
      const place = current();
      for (const table of root.querySelectorAll('table[data-matrix]')) {
        const { dataset } = /** @type {HTMLTableElement} */ (table);
        const own = dataset.apart === undefined || dataset.matrix === place?.matrix;
        mark(/** @type {HTMLTableElement} */ (table), own ? place : null, locked);
      }
      tell(root, place);
      changed(place);
    }

    return {
      current,
      /** Marks again after the tables have been painted. */
      refresh() {
        letTabIn();
        const place = current();
        if (place && !root.querySelector(cellSelector(place))) release();
        else tell(root, place);
      },
    };
  }

  /** @param {HTMLElement | null} cell @returns {Place | null} */
  function placeOf(cell) {
    if (!cell) return null;
    const table = /** @type {HTMLElement} */ (cell.closest('table'));
    return {
      matrix: /** @type {string} */ (table.dataset.matrix),
      row: Number(cell.dataset.row),
      col: Number(cell.dataset.col),
    };
  }

  /** @param {Place | null} one @param {Place | null} other */
  function same(one, other) {
    return one?.matrix === other?.matrix && one?.row === other?.row && one?.col === other?.col;
  }

  /** @param {Place} place */
  function cellSelector({ matrix, row, col }) {
    return `table[data-matrix="${matrix}"] td[data-row="${row}"][data-col="${col}"]`;
  }

  /**
   * @param {HTMLTableElement} table
   * @param {Place | null} place
   * @param {Place | null} locked
   */
  function mark(table, place, locked) {
    for (const old of table.querySelectorAll('.is-cell, .is-row, .is-column, .is-locked')) {
      old.classList.remove('is-cell', 'is-row', 'is-column', 'is-locked');
      old.removeAttribute('aria-label');
      if (old instanceof HTMLElement && old.dataset.short) showText(old, old.dataset.short);
    }
    if (!place) return;
    const row = table.tBodies[0].rows[place.row];
    const cell = row?.cells[place.col + 1];
    if (!cell) return;
    row.classList.add('is-row');
    table.tHead?.rows[0].cells[place.col + 1].classList.add('is-column');
    cell.classList.add('is-cell');
    cell.classList.toggle('is-locked', same(place, locked));
    showText(cell, /** @type {string} */ (cell.dataset.long));
  }

  /** @param {HTMLElement} cell @param {string} text */
  function showText(cell, text) {
    widgets.setText(cell.firstElementChild, text);
  }

  /** Marks the number wherever it is, says which cell it is, in words. @param {HTMLElement} root @param {Place | null} place */
  function tell(root, place) {
    const line = /** @type {HTMLElement | null} */ (root.querySelector('[data-cell]'));
    if (!line) return;
    line.dataset.rest ??= line.textContent ?? '';
    const cell = place && /** @type {HTMLTableCellElement | null} */ (root.querySelector(cellSelector(place)));
    for (const other of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-apart] td[data-row]'))) {
      other.classList.toggle('is-same', other.dataset.short === cell?.dataset.short);
    }
    widgets.setText(line, cell ? describe(cell) : line.dataset.rest);
    line.classList.toggle('is-resting', !cell);
    if (cell) cell.setAttribute('aria-label', describe(cell));
  }

  /** @param {HTMLTableCellElement} cell */
  function describe(cell) {
    const table = /** @type {HTMLTableElement} */ (cell.closest('table'));
    const row = /** @type {HTMLTableRowElement} */ (cell.parentElement);
    const column = /** @type {HTMLTableRowElement} */ (table.tHead?.rows[0]).cells[cell.cellIndex];
    /** @type {Record<string, string | undefined>} */
    const words = {
      q: row.cells[0].querySelector('.aw-index')?.textContent ?? '',
      query: row.cells[0].querySelector('.aw-token')?.textContent ?? '',
      k: column.querySelector('.aw-index')?.textContent ?? '',
      key: column.querySelector('.aw-token')?.textContent ?? '',
      value: cell.dataset.say ?? cell.dataset.long,
    };
    const template =
      (cell.dataset.k === 'blocked' && table.dataset.blockedCellText) || table.dataset.cellText || '{value}';
    return template.replace(/\{(\w+)\}/g, (_, name) => words[name] ?? '');
  }

  widgets.pointing = pointing;
})();
