/* Packed frames: every state of the listed controls, computed by Python at build, looked up here. */
(function () {
  'use strict';

  const { widgets } = attn;

  /**
   * @typedef {{path: string[], axes: number[], values: any[], at?: number[]}} Part
   * @typedef {{axes: [string, any[]][], parts: Part[]}} Packed
   */

  /** @type {Map<string, Promise<Packed>>} by address of the file */
  const loading = new Map();

  /**
   * Loads the packed file of a widget, once per page however often it is asked for.
   * @param {HTMLElement} root
   * @returns {Promise<Packed>}
   */
  function load(root) {
    const name = /** @type {string} */ (root.dataset.widget);
    const address = new URL(/** @type {string} */ (root.dataset.frames), document.baseURI).href;
    if (!loading.has(address)) {
      const arrival = new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = address;
        script.onload = () => resolve(attn.packed[name]);
        script.onerror = () => {
          loading.delete(address);
          reject(new Error('Не\u00a0удалось загрузить заранее рассчитанные состояния.'));
        };
        document.head.append(script);
      });
      loading.set(address, arrival);
    }
    return /** @type {Promise<Packed>} */ (loading.get(address));
  }

  /**
   * The frame of a state, or null when the state is not among the listed ones.
   * @param {Packed} packed
   * @param {Record<string, any>} state
   * @param {Record<string, any>} defaults
   */
  function find(packed, state, defaults) {
    const listed = new Set(packed.axes.map(([name]) => name));
    if (Object.keys(state).some((name) => !listed.has(name) && state[name] !== defaults[name])) {
      return null;
    }
    const places = packed.axes.map(([name, values]) => values.indexOf(state[name]));
    if (places.includes(-1)) return null;
    const frame = {};
    for (const part of packed.parts) {
      let index = 0;
      for (const axis of part.axes) index = index * packed.axes[axis][1].length + places[axis];
      const value = part.values[part.at ? part.at[index] : index];
      const path = part.path.slice(0, -1);
      const last = part.path[path.length];
      if (last === 'cells') Object.assign(branch(frame, path), cells(value));
      else if (last === 'bits') put(frame, path, bits(value));
      else put(frame, part.path, value);
    }
    return frame;
  }

  /** @param {any} frame @param {string[]} path @param {any} value */
  function put(frame, path, value) {
    branch(frame, path.slice(0, -1))[path[path.length - 1]] = value;
  }

  /** @param {any} frame @param {string[]} path */
  function branch(frame, path) {
    for (const key of path) frame = frame[key] ??= {};
    return frame;
  }

  /** @param {string} text rows by `;`, cells by `,`, each as written by frames.fixed_point */
  function cells(text) {
    const pairs = text.split(';').map((row) => row.split(',').map(unpackCell));
    return {
      short: pairs.map((row) => row.map((pair) => pair.short)),
      long: pairs.map((row) => row.map((pair) => pair.long)),
    };
  }

  /** @param {string} text rows by `/`, the cells of each as one hexadecimal number */
  function bits(text) {
    const rows = text.split('/');
    return rows.map((row) => [...BigInt(`0x${row}`).toString(2).padStart(rows.length, '0')].map(Number));
  }

  /** Both texts of a cell, written as a whole number of ten-thousandths. @param {string} text */
  function unpackCell(text) {
    if (!text) return { short: null, long: null };
    const [number, short] = text.split('=');
    return {
      short: short ?? decimal(Math.floor(Number(number) / 100 + 0.5), 2),
      long: decimal(Number(number), 4),
    };
  }

  /** @param {number} whole @param {number} digits */
  function decimal(whole, digits) {
    const text = String(Math.abs(whole)).padStart(digits + 1, '0');
    return `${whole < 0 ? '−' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
  }

  widgets.packed = { load, find };
})();
