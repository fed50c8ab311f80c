/* The value of the last expression: its shape and type, and numbers as colours of the widgets' scale. */
(function () {
  'use strict';

  const { lab } = attn;

  const LEVELS = 21;
  const CANVAS_PX = 384;
  /** Whole numbers are of these types here, and of wider ones on most computers. @type {Record<string, string>} */
  const LARGEST = {
    int32: ', не\u00a0больше 2\u202f147\u202f483\u202f647',
    uint32: ', не\u00a0больше 4\u202f294\u202f967\u202f295',
  };

  /** @typedef {{repr: string, shape: ?number[], dtype: ?string, heat: ?(?number)[][],
   *   texts: ?string[][]}} Value */

  /** Place on the colour scale, or -1 for what has none (nan, ±inf). */
  function levelOf(/** @type {?number} */ number, /** @type {{low: number, high: number}} */ { low, high }) {
    if (number === null || !Number.isFinite(number)) return -1;
    return high > low ? Math.round(((number - low) / (high - low)) * (LEVELS - 1)) : 0;
  }

  const variable = (/** @type {number} */ level) =>
    level < 0 ? '--fig-forbidden' : `--fig-weight-${String(level).padStart(2, '0')}`;

  /** @param {(?number)[][]} heat */
  function rangeOf(heat) {
    const finite = /** @type {number[]} */ (heat.flat().filter((number) => Number.isFinite(number)));
    return { low: Math.min(...finite), high: Math.max(...finite), any: finite.length > 0 };
  }

  /** @param {string[][]} texts @param {(?number)[][]} heat @param {{low: number, high: number}} range */
  function table(texts, heat, range) {
    const { element } = attn.site;
    const head = element('tr', {}, element('td'));
    heat[0].forEach((_, column) => head.append(element('th', { scope: 'col' }, String(column))));
    const body = element('tbody');
    heat.forEach((row, index) => {
      const line = element('tr', {}, element('th', { scope: 'row' }, String(index)));
      row.forEach((number, column) => {
        const level = levelOf(number, range);
        line.append(
          element(
            'td',
            {
              class: level < 0 ? 'lab-heat__none' : level < 12 ? '' : 'lab-heat__high',
              style: `--lab-cell: var(${variable(level)})`,
            },
            texts[index][column],
          ),
        );
      });
      body.append(line);
    });
    const caption = element('caption', {}, 'Строки и\u00a0столбцы считаются от\u00a00, как в\u00a0NumPy');
    return element('table', { class: 'lab-heat' }, caption, element('thead', {}, head), body);
  }

  /** @param {(?number)[][]} heat @param {{low: number, high: number}} range */
  function canvas(heat, range) {
    const { element } = attn.site;
    const [rows, columns] = [heat.length, heat[0].length];
    const side = Math.max(1, Math.floor(CANVAS_PX / Math.max(rows, columns)));
    const board = /** @type {HTMLCanvasElement} */ (
      element('canvas', {
        class: 'lab-heat-canvas',
        role: 'img',
        width: String(columns * side),
        height: String(rows * side),
        'aria-label': `Тепловая карта, строк ${rows}, столбцов ${columns}: чем больше число, тем насыщеннее цвет`,
      })
    );
    const brush = /** @type {CanvasRenderingContext2D} */ (board.getContext('2d'));

    function paint() {
      const style = getComputedStyle(document.body);
      heat.forEach((row, y) =>
        row.forEach((number, x) => {
          const level = levelOf(number, range);
          brush.fillStyle = style.getPropertyValue(variable(level));
          brush.fillRect(x * side, y * side, side, side);
          if (level < 0) cross(x * side, y * side);
        }),
      );
    }

    /** @param {number} x @param {number} y */
    function cross(x, y) {
      brush.strokeStyle = getComputedStyle(document.body).getPropertyValue('--fig-hatch');
      brush.beginPath();
      brush.moveTo(x, y + side);
      brush.lineTo(x + side, y);
      brush.stroke();
    }

    paint();
    const theme = new MutationObserver(() => (board.isConnected ? paint() : theme.disconnect()));
    theme.observe(document.body, { attributeFilter: ['data-md-color-scheme'] });
    return board;
  }

  /** What of a large array the heat map leaves out. @param {number[]} shape @param {(?number)[][]} heat */
  function partShown(shape, heat) {
    const [rows, columns] = [1, 1, ...shape].slice(-2);
    const notes = [];
    if (shape.length > 2) notes.push(`матрица [${shape.slice(0, -2).fill(0).join(', ')}]`);
    if (heat.length < rows || heat[0].length < columns) {
      notes.push(`прорежена с\u00a0${rows} × ${columns} до\u00a0${heat.length} × ${heat[0].length}`);
    }
    return notes.length ? `Цветами показана ${notes.join(', ')}.` : '';
  }

  /** @param {{low: number, high: number}} range */
  function legend({ low, high }) {
    const { element } = attn.site;
    const colours = Array.from({ length: LEVELS }, (_, level) => `var(${variable(level)})`);
    const bar = element('span', {
      class: 'lab-legend__bar',
      style: `background: linear-gradient(to right, ${colours.join(', ')})`,
    });
    return element('p', { class: 'lab-legend' }, `${shown(low)} `, bar, ` ${shown(high)}`);
  }

  const shown = (/** @type {number} */ number) => String(Number(number.toPrecision(4))).replace('-', '−');

  /**
   * @param {HTMLElement} box
   * @param {Value} value
   */
  lab.showValue = function (box, value) {
    const { element } = attn.site;
    const facts = [];
    if (value.shape) facts.push(`форма (${value.shape.join(', ')}${value.shape.length === 1 ? ',' : ''})`);
    if (value.dtype) facts.push(`тип ${value.dtype}${LARGEST[value.dtype] ?? ''}`);
    box.append(element('p', { class: 'lab-value__facts' }, ['Значение последней строки', ...facts].join(' · ')));
    const heat = value.heat;
    if (heat?.length && heat[0].length) {
      const range = rangeOf(heat);
      const part = partShown(/** @type {number[]} */ (value.shape), heat);
      if (part) box.append(element('p', {}, part));
      const map = value.texts ? table(value.texts, heat, range) : canvas(heat, range);
      box.append(element('div', { class: 'lab-value__map', tabindex: '0', role: 'group', 'aria-label': 'Числа массива' }, map));
      if (range.any) box.append(legend(range));
    }
    box.append(element('pre', { class: 'lab-value__repr', tabindex: '0', 'aria-label': 'repr' }, value.repr));
  };
})();
