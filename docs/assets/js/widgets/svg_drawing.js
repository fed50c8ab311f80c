/* What is on the screen as an SVG: boxes, drawings and text of the elements, at their places. */
(function () {
  'use strict';

  const { widgets } = attn;
  const { seen, paint, ground, outline, rect, place, round } = widgets.paints;

  const PIXEL = 0.5; // of the PNG, which is twice as fine as the page
  const SVG = 'http://www.w3.org/2000/svg';
  const UNSEEN = '.aw-tip, .is-resting, noscript, input'; // what only a screen can use
  const PSEUDO = ['::before', '::after'];
  const LETTERING = ['font-family', 'font-size', 'font-weight', 'font-style', 'font-variant-numeric'];

  // The presentation attributes of SVG 2: of its text, its shapes, their paint.
  const PRESENTATION = (
    'clip-rule display dominant-baseline fill fill-rule font-family font-size font-stretch font-style font-variant ' +
    'font-weight letter-spacing marker-end marker-mid marker-start opacity overflow paint-order shape-rendering ' +
    'stop-color stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit ' +
    'stroke-width text-anchor text-rendering transform vector-effect visibility word-spacing'
  ).split(' ');
  const COLOURS = ['fill', 'stroke', 'stop-color'];

  /**
   * @typedef {object} Sheet
   * @property {DOMRect} frame what of the window it holds
   * @property {Map<string, string>} defs definitions and their ids
   * @property {string[]} over what lies over all the rest
   */

  /**
   * The elements, one below the other, on the paper that is behind them.
   * @param {HTMLElement[]} elements
   * @param {{title: string, description: string}} about
   * @returns {string}
   */
  function drawing(elements, { title, description }) {
    const boxes = elements.map((element) => element.getBoundingClientRect());
    const [first, last] = [boxes[0], boxes[boxes.length - 1]];
    const frame = new DOMRect(snap(first.x), snap(first.y), first.width, last.bottom - first.top);
    /** @type {Sheet} */
    const sheet = { frame, defs: new Map(), over: [] };
    const paper = rect(new DOMRect(0, 0, frame.width, frame.height), 0, paperOf(elements[0]));
    const parts = withStandIns(elements, () => elements.map((element) => walk(element, sheet, '')));
    const size = `width="${round(frame.width)}" height="${round(frame.height)}"`;
    return (
      `<svg xmlns="${SVG}" ${size} viewBox="0 0 ${round(frame.width)} ${round(frame.height)}">` +
      `<title>${escape(title)}</title><desc>${escape(description)}</desc>` +
      `<defs>${[...sheet.defs].map(([markup, id]) => markup.replace(' ', ` id="${id}" `)).join('')}</defs>` +
      `${paper}${parts.join('')}${sheet.over.join('')}</svg>`
    );
  }

  /** @param {Element} element @param {Sheet} sheet @param {string} clip of the boxes around @returns {string} */
  function walk(element, sheet, clip) {
    if (element.matches(UNSEEN)) return '';
    const style = getComputedStyle(element);
    if (style.display === 'none' || style.visibility !== 'visible' || style.opacity === '0') return '';
    if (style.clipPath === 'inset(50%)' || style.clip !== 'auto') return ''; // for screen readers
    const box = placeOf(element.getBoundingClientRect(), sheet);
    const lines = style.display === 'inline' ? [...element.getClientRects()].map((line) => placeOf(line, sheet)) : [box];
    const base = lines.map((line) => ground(style, line, definer(sheet))).join('');
    const pale = style.opacity !== '1';
    const inside = pale ? { ...sheet, over: [] } : sheet;
    const made = base + within(element, style, box, inside, clip);
    const whole = pale ? `<g opacity="${style.opacity}">${made}${inside.over.join('')}</g>` : made;
    const lifted = Number(style.zIndex) > 0 ? whole : '';
    const over = lifted + outline(style, box);
    if (over) sheet.over.push(`<g${clip}>${over}</g>`);
    return lifted ? '' : whole;
  }

  /**
   * @param {Element} element
   * @param {CSSStyleDeclaration} style
   * @param {DOMRect} box
   * @param {Sheet} sheet
   * @param {string} clip
   */
  function within(element, style, box, sheet, clip) {
    const [top, right, bottom, left] = ['top', 'right', 'bottom', 'left'].map((side) =>
      parseFloat(style.getPropertyValue(`border-${side}-width`)),
    );
    const inner = new DOMRect(box.x + left, box.y + top, box.width - left - right, box.height - top - bottom);
    if (element instanceof SVGSVGElement) return nested(element, inner);
    if (element instanceof HTMLCanvasElement) {
      return `<image ${place(inner)} preserveAspectRatio="none" href="${element.toDataURL()}"/>`;
    }
    const cut = style.display !== 'inline' && style.overflow !== 'visible' && isFull(element);
    const own = cut ? clipped(inner, sheet) : '';
    const parts = [...element.childNodes].map((child) => {
      if (child instanceof Element) return walk(child, sheet, own || clip);
      return child instanceof Text ? drawText(child, style, sheet) : '';
    });
    return own ? `<g${own}>${parts.join('')}</g>` : parts.join('');
  }

  /** More is inside than the box shows. @param {Element} element */
  function isFull(element) {
    return element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
  }

  /** @param {DOMRect} box @param {Sheet} sheet */
  function clipped(box, sheet) {
    const id = definer(sheet)(`<clipPath clipPathUnits="userSpaceOnUse">${rect(box, 0, '')}</clipPath>`);
    return ` clip-path="url(#${id})"`;
  }

  /** @param {Sheet} sheet @returns {(markup: string) => string} */
  function definer({ defs }) {
    return (markup) => {
      const id = defs.get(markup) ?? `part-${defs.size + 1}`;
      defs.set(markup, id);
      return id;
    };
  }

  /** @param {Text} node @param {CSSStyleDeclaration} style @param {Sheet} sheet */
  function drawText(node, style, sheet) {
    const lettering = LETTERING.map((name) => `${name}="${escape(style.getPropertyValue(name))}"`).join(' ');
    const fill = paint('fill', style.color);
    if (!fill || !node.data.trim()) return '';
    return linesOf(node)
      .map(({ text, box: { left, right, top, bottom } }) => {
        const box = new DOMRect(left - sheet.frame.x, top - sheet.frame.y, right - left, bottom - top);
        const baseline = box.y + box.height * ascentOf(style);
        return (
          `<text x="${round(box.x)}" y="${round(baseline)}" textLength="${round(box.width)}" ` +
          `lengthAdjust="spacingAndGlyphs" style="white-space:pre" ${lettering} ${fill}>${escape(text)}</text>` +
          underline(style, box, baseline)
        );
      })
      .join('');
  }

  /** @param {CSSStyleDeclaration} style @param {DOMRect} box @param {number} baseline */
  function underline(style, { x, width }, baseline) {
    const stroke = paint('stroke', style.textDecorationColor);
    const asks = style.textDecorationStyle === 'dotted'; // «point at me»: a picture does not answer
    if (!style.textDecorationLine.includes('underline') || !stroke || asks) return '';
    const thick = parseFloat(style.textDecorationThickness) || 1;
    const wavy = style.textDecorationStyle === 'wavy';
    const below = (parseFloat(style.textUnderlineOffset) || 2) + (wavy ? 1.5 * thick + 1 : thick / 2);
    const y = round(baseline + below);
    const [half, swing] = [2.75 * thick, 3.75 * thick]; // of a wave, as Chromium draws it
    const wave = `c${half} ${swing} ${half} ${-swing} ${2 * half} 0`;
    const path = wavy ? wave.repeat(Math.max(1, Math.round(width / (2 * half)))) : `h${round(width)}`;
    return `<path d="M${round(x)} ${y}${path}" fill="none" ${stroke} stroke-width="${thick}"/>`;
  }

  const measure = document.createElement('canvas').getContext('2d');

  /** What share of a line of letters is above their baseline. @param {CSSStyleDeclaration} style */
  function ascentOf({ fontStyle, fontWeight, fontSize, fontFamily }) {
    if (!measure) return 0.8;
    measure.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    const { fontBoundingBoxAscent: up = 0.8, fontBoundingBoxDescent: down = 0.2 } = measure.measureText('x');
    return up / (up + down);
  }

  /** The lines into which a text is broken. @param {Text} node */
  function linesOf(node) {
    /** @type {{text: string, box: {left: number, right: number, top: number, bottom: number}}[]} */
    const lines = [];
    const range = document.createRange();
    let at = 0;
    for (const letter of node.data) {
      range.setStart(node, at);
      range.setEnd(node, (at += letter.length));
      const { left, right, top, bottom, width } = range.getBoundingClientRect();
      const last = lines.at(-1);
      const blank = !letter.trim();
      if (!width) {
        if (last && !blank) last.text += letter; // an accent takes no place of its own
      } else if (last && Math.abs(last.box.top - top) < 1) {
        last.text += blank && !/[\u00a0\u202f]/.test(letter) ? ' ' : letter;
        last.box.left = Math.min(last.box.left, left);
        last.box.right = Math.max(last.box.right, right);
      } else if (!blank) {
        lines.push({ text: letter, box: { left, right, top, bottom } });
      }
    }
    return lines;
  }

  /** An inline SVG with all that style sheets say of it here. @param {SVGSVGElement} svg @param {DOMRect} box */
  function nested(svg, box) {
    const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
    const originals = [svg, ...svg.querySelectorAll('*')];
    [copy, ...copy.querySelectorAll('*')].forEach((element, index) => {
      const style = getComputedStyle(originals[index]);
      element.removeAttribute('class');
      element.removeAttribute('style');
      for (const name of PRESENTATION) {
        const value = style.getPropertyValue(name);
        if (value && !(name === 'transform' && (value === 'none' || !index))) element.setAttribute(name, value);
      }
      for (const name of COLOURS) {
        const value = style.getPropertyValue(name);
        if (value.startsWith('url(')) continue;
        const colour = seen(value);
        const share = `${name.replace('-color', '')}-opacity`;
        element.setAttribute(name, colour?.hex ?? 'none');
        element.setAttribute(share, String(round((colour?.opacity ?? 0) * Number(style.getPropertyValue(share)))));
      }
    });
    for (const [name, value] of Object.entries({ x: box.x, y: box.y, width: box.width, height: box.height })) {
      copy.setAttribute(name, String(round(value)));
    }
    copy.setAttribute('xmlns', SVG);
    return new XMLSerializer().serializeToString(copy);
  }

  /**
   * Runs with a real element in the place of each that only a style sheet makes: those have no box to ask for.
   * @template T
   * @param {HTMLElement[]} elements
   * @param {() => T} draw
   */
  function withStandIns(elements, draw) {
    const made = elements
      .flatMap((element) => [...element.querySelectorAll(':not(:is(.katex, svg) *)')])
      .flatMap((owner) => PSEUDO.map((side) => ({ owner, side, style: getComputedStyle(owner, side) })))
      .filter(({ style }) => !['none', 'normal', ''].includes(style.content) && style.display !== 'none')
      .map(({ owner, side, style }) => ({ owner, side, stand: standIn(style) }));
    for (const { owner, side, stand } of made) {
      owner.setAttribute('data-drawn', '');
      if (side === '::before') owner.prepend(stand);
      else owner.append(stand);
    }
    try {
      return draw();
    } finally {
      for (const { owner, stand } of made) {
        stand.remove();
        owner.removeAttribute('data-drawn');
      }
    }
  }

  /** @param {CSSStyleDeclaration} style */
  function standIn(style) {
    const stand = document.createElement('span');
    for (const name of style) stand.style.setProperty(name, style.getPropertyValue(name));
    stand.textContent = /^"((?:[^"\\]|\\.)*)"/.exec(style.content)?.[1] ?? '';
    return stand;
  }

  /** @param {number} length */
  const snap = (length) => Math.round(length / PIXEL) * PIXEL;

  /** Where a box is in the picture, its edges on pixels as the screen has them. @param {DOMRect} box @param {Sheet} sheet */
  function placeOf({ left, top, right, bottom }, { frame }) {
    const [x, y] = [snap(left) - frame.x, snap(top) - frame.y];
    return new DOMRect(x, y, snap(right) - frame.x - x, snap(bottom) - frame.y - y);
  }

  /** Colour behind an element. @param {Element | null} element @returns {string} */
  function paperOf(element) {
    for (let here = element; here; here = here.parentElement) {
      const fill = paint('fill', getComputedStyle(here).backgroundColor);
      if (fill) return fill;
    }
    return 'fill="#ffffff"';
  }

  /** @param {string} text */
  function escape(text) {
    const known = text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/\p{Surrogate}/gu, '\ufffd');
    return known.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
  }

  widgets.drawing = drawing;
})();
