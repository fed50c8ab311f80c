/* Puts a frame of Python into the HTML that Python has made, where figures/widgets/markup.py has left marks:
 *
 *   data-bind="text:rows.first --p:share data-own:own hidden:!own"   its text, variables, attributes
 *   data-each="k:rows.key"                 a child for each item (or so many); in it $k is the item's place
 *   data-cells="weights" data-mask="mask"  the cells of a table
 *
 * A path begins at the frame; `$k` in it stands for what the frame has under that key, `!` for the contrary.
 * What is there already is not written again, what is hidden waits until it is shown.
 */
(function () {
  'use strict';

  const { widgets } = attn;

  const MARKED = '[data-bind], [data-each], [data-cells]';

  /** The last child of a list that is empty now. @type {WeakMap<Element, Element>} */
  const patterns = new WeakMap();

  /** @param {Element} root @param {any} frame */
  function bind(root, frame) {
    /** @type {Element | null} */ let done = null;
    for (const part of [root, ...root.querySelectorAll(MARKED)]) {
      if (done?.contains(part) || !root.contains(part)) continue; // a shorter list has left some out
      if (fill(/** @type {HTMLElement} */ (part), frame)) done = part;
    }
  }

  /** Whether nothing is left to do inside. @param {HTMLElement} part @param {any} frame */
  function fill(part, frame) {
    const { bind: pairs, each, cells } = part.dataset;
    for (const pair of pairs?.split(' ') ?? []) {
      const [target, path] = pair.split(':');
      put(part, target, found(frame, path));
    }
    if (part.hidden) return true;
    if (cells) fillTable(/** @type {HTMLTableElement} */ (part), frame, cells);
    if (each) fillList(part, frame, each);
    return Boolean(each);
  }

  /** @param {any} frame @param {string} path */
  function found(frame, path) {
    const [first, ...rest] = path.replace('!', '').split('.');
    let value = frame[first];
    for (const key of rest.flatMap((key) => (key.startsWith('$') ? frame[key] : key))) value = value?.[key];
    return path.startsWith('!') ? !value : value;
  }

  /** @param {HTMLElement} part @param {string} target @param {any} value */
  function put(part, target, value) {
    const text = value === true ? '' : value === false ? null : (value ?? null);
    if (target === 'text') {
      setText(part, text ?? part.dataset.else ?? '');
    } else if (target.startsWith('--')) {
      if (part.style.getPropertyValue(target) !== String(text ?? '')) part.style.setProperty(target, text ?? '');
    } else if (text === null) {
      part.removeAttribute(target);
    } else if (part.getAttribute(target) !== String(text)) {
      part.setAttribute(target, text);
    }
  }

  /** @param {Element | null} element @param {string | number} text */
  function setText(element, text) {
    if (element && element.textContent !== String(text)) element.textContent = String(text);
  }

  /** @param {HTMLElement} list @param {any} frame @param {string} each */
  function fillList(list, frame, each) {
    const [name, path] = each.split(':');
    const items = found(frame, path);
    fit(list, items.length ?? items);
    [...list.children].forEach((child, place) => bind(child, { ...frame, [`$${name}`]: place }));
  }

  /** @param {HTMLTableElement} table @param {any} frame @param {string} cells */
  function fillTable(table, frame, cells) {
    const { mask, rows, columns, blockedText } = table.dataset;
    const part = found(frame, cells);
    const { short, long = short, shade = part.long, ...more } = Array.isArray(part) ? { short: matrix(part) } : part;
    const allowed = mask && matrix(found(frame, mask));
    const others = Object.entries(more).filter(([, values]) => Array.isArray(values));
    const head = /** @type {HTMLTableRowElement} */ (table.tHead?.rows[0]);
    const body = table.tBodies[0];
    put(table, '--columns', short[0].length);
    for (const row of [head, ...body.rows]) fit(row, short[0].length + 1);
    fit(body, short.length);
    label(head, columns && found(frame, columns));
    short.forEach((/** @type {any[]} */ texts, /** @type {number} */ q) => {
      const [title, ...places] = body.rows[q].cells;
      setText(title.querySelector('.aw-index'), (short[q] === part ? frame.$q : q) + 1);
      setText(title.querySelector('.aw-token'), rows ? found(frame, rows)[q] : '');
      texts.forEach((text, k) => {
        const blocked = text === null || allowed?.[q][k] === 0;
        const [brief, full] = blocked ? [blockedText, blockedText] : [text, long[q][k]];
        const cell = places[k];
        put(cell, 'data-row', q);
        put(cell, 'data-col', k);
        if (blockedText) put(cell, 'data-k', blocked ? 'blocked' : 'allowed');
        put(cell, 'data-short', brief);
        put(cell, 'data-long', full);
        for (const [name, values] of others) put(cell, `data-${name}`, values[q][k]);
        if (shade) put(cell, '--p', blocked ? null : shade[q][k]);
        setText(cell.firstElementChild, cell.classList.contains('is-cell') ? full : brief);
      });
    });
  }

  /** One row is a matrix, too. @param {any[]} values @returns {any[][]} */
  function matrix(values) {
    return Array.isArray(values[0]) ? values : [values];
  }

  /** @param {HTMLTableRowElement} head @param {string[]} [tokens] */
  function label(head, tokens) {
    [...head.cells].slice(1).forEach((cell, k) => {
      setText(cell.querySelector('.aw-index'), k + 1);
      setText(cell.querySelector('.aw-token'), tokens?.[k] ?? '');
    });
  }

  /** Gives an element that many children, by copying or dropping the last ones. @param {Element} parent @param {number} count */
  function fit(parent, count) {
    while (parent.children.length > count) {
      patterns.set(parent, /** @type {Element} */ (parent.lastElementChild));
      parent.lastElementChild?.remove();
    }
    while (parent.children.length < count) {
      const copy = /** @type {Element} */ ((parent.lastElementChild ?? patterns.get(parent))?.cloneNode(true));
      for (const part of [copy, ...copy.querySelectorAll('td')]) {
        part.classList.remove('is-cell', 'is-locked', 'is-row', 'is-column', 'is-same', 'is-lit');
        part.removeAttribute('tabindex');
        part.removeAttribute('aria-label');
      }
      parent.append(copy);
    }
  }

  Object.assign(widgets, { bind, setText });
})();
