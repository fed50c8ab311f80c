/* What CSS paints of one box, as SVG: its ground, gradients, border, outline, the ring of its shadow. */
(function () {
  'use strict';

  const { widgets } = attn;

  const SHADES = 12; // stops for a gradient between two colours of a space that SVG does not know
  const SIDES = /** @type {const} */ (['Top', 'Right', 'Bottom', 'Left']);

  /** @typedef {{x: number, y: number, width: number, height: number}} Box */

  const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

  /** Any CSS colour as #rrggbb and its opacity; null when nothing would be seen. @param {string} colour */
  function seen(colour) {
    if (!probe || !colour || colour === 'none') return null;
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = 'transparent';
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = probe.getImageData(0, 0, 1, 1).data;
    if (alpha < 8) return null;
    const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('');
    return { hex: `#${hex}`, opacity: round(alpha / 255) };
  }

  /** `fill="#rrggbb"`, or nothing. @param {'fill' | 'stroke' | 'stop'} name @param {string} colour */
  function paint(name, colour) {
    const made = seen(colour);
    if (!made) return '';
    const opacity = made.opacity < 1 ? ` ${name}-opacity="${made.opacity}"` : '';
    return `${name}${name === 'stop' ? '-color' : ''}="${made.hex}"${opacity}`;
  }

  /**
   * Ground and edges of an element.
   * @param {CSSStyleDeclaration} style
   * @param {Box} box
   * @param {(markup: string) => string} define puts a definition into the file, gives its id
   */
  function ground(style, box, define) {
    const radius = parseFloat(style.borderTopLeftRadius) || 0;
    const parts = [ring(style.boxShadow, box, radius)];
    const fill = paint('fill', style.backgroundColor);
    if (fill) parts.push(rect(box, radius, fill));
    const layers = style.backgroundImage === 'none' ? [] : split(style.backgroundImage);
    for (const layer of layers.reverse()) parts.push(gradient(layer, box, radius, define));
    parts.push(edges(style, box, radius));
    return parts.join('');
  }

  /** The outline, which lies over the neighbours. @param {CSSStyleDeclaration} style @param {Box} box */
  function outline(style, box) {
    const width = parseFloat(style.outlineWidth);
    if (style.outlineStyle === 'none' || !width) return '';
    const radius = parseFloat(style.borderTopLeftRadius) || 0;
    return frame(box, parseFloat(style.outlineOffset) + width / 2, radius, width, style.outlineColor);
  }

  /** A shadow that is a ring: neither moved nor blurred. @param {string} shadow @param {Box} box @param {number} radius */
  function ring(shadow, box, radius) {
    const lengths = /^(.+?) 0px 0px 0px ([\d.]+)px$/.exec(shadow);
    return lengths ? frame(box, Number(lengths[2]) / 2, radius, Number(lengths[2]), lengths[1]) : '';
  }

  /** @param {Box} box @param {number} out @param {number} radius @param {number} width @param {string} colour */
  function frame({ x, y, width: w, height: h }, out, radius, width, colour, dash = '') {
    const stroke = paint('stroke', colour);
    if (!stroke) return '';
    const around = { x: x - out, y: y - out, width: w + 2 * out, height: h + 2 * out };
    return rect(around, radius && radius + out, `fill="none" ${stroke} stroke-width="${width}"${dash}`);
  }

  /** @param {CSSStyleDeclaration} style @param {Box} box @param {number} radius */
  function edges(style, box, radius) {
    const sides = SIDES.map((side) => ({
      width: parseFloat(style[`border${side}Width`]),
      kind: style[`border${side}Style`],
      colour: style[`border${side}Color`],
    }));
    const [{ width, kind, colour }] = sides;
    const alike = sides.every((side) => side.width === width && side.kind === kind && side.colour === colour);
    if (alike && kind === 'solid' && width) return frame(box, -width / 2, radius, width, colour);
    const { x, y } = box;
    const [right, bottom] = [x + box.width, y + box.height];
    return sides
      .map((side, place) => {
        const half = side.width / 2;
        const stroke = paint('stroke', side.colour);
        if (!side.width || side.kind === 'none' || !stroke) return '';
        const line = [
          `M${round(x)} ${round(y + half)}H${round(right)}`,
          `M${round(right - half)} ${round(y)}V${round(bottom)}`,
          `M${round(x)} ${round(bottom - half)}H${round(right)}`,
          `M${round(x + half)} ${round(y)}V${round(bottom)}`,
        ][place];
        const dashes = dashed(side.kind, side.width, place % 2 ? box.height : box.width);
        return `<path d="${line}" fill="none" ${stroke} stroke-width="${side.width}"${dashes}/>`;
      })
      .join('');
  }

  /** A line of whole dashes, as browsers draw it. @param {string} kind @param {number} width @param {number} length */
  function dashed(kind, width, length) {
    const dash = { dashed: width * (width * devicePixelRatio < 3 ? 3 : 2), dotted: width }[kind];
    if (!dash) return '';
    const gaps = Math.max(1, Math.round((length - dash) / (2 * dash)));
    return ` stroke-dasharray="${round(dash)} ${round(Math.max((length - dash) / gaps - dash, 0.1))}"`;
  }

  /**
   * @param {string} image
   * @param {Box} box
   * @param {number} radius
   * @param {(markup: string) => string} define
   */
  function gradient(image, box, radius, define) {
    const [, repeats, inside] = /^(repeating-)?linear-gradient\((.*)\)$/.exec(image) ?? [];
    if (!inside) return '';
    const parts = split(inside);
    const way = /^(to |[\d.-]+deg|in )/.test(parts[0]) ? /** @type {string} */ (parts.shift()) : '';
    const turn = (angleOf(way) * Math.PI) / 180;
    const [dx, dy] = [Math.sin(turn), -Math.cos(turn)];
    const length = Math.abs(box.width * dx) + Math.abs(box.height * dy);
    const stops = stopsOf(parts, length, / ?in (.+)$/.exec(way)?.[1]);
    const [from, to] = repeats ? [stops[0].at, /** @type {any} */ (stops.at(-1)).at] : [0, length];
    /** @param {number} at */
    const point = (at) => [box.width / 2 + dx * (at - length / 2), box.height / 2 + dy * (at - length / 2)].map(finely);
    const [[x1, y1], [x2, y2]] = [point(from), point(to)];
    const marks = stops.map(
      ({ at, colour }) => `<stop offset="${round((at - from) / (to - from))}" ${paint('stop', colour) || 'stop-opacity="0"'}/>`,
    );
    const id = define(
      `<linearGradient gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"` +
        `${repeats ? ' spreadMethod="repeat"' : ''}>${marks.join('')}</linearGradient>`,
    );
    const place = `transform="translate(${round(box.x)} ${round(box.y)})"`; // so that boxes of one size share it
    return rect({ x: 0, y: 0, width: box.width, height: box.height }, radius, `${place} fill="url(#${id})"`);
  }

  /** Degrees from «up», clockwise. @param {string} way */
  function angleOf(way) {
    const degrees = /^(-?[\d.]+)deg/.exec(way);
    if (degrees) return Number(degrees[1]);
    const side = /^to (top|right|bottom|left)/.exec(way)?.[1] ?? 'bottom';
    return ['top', 'right', 'bottom', 'left'].indexOf(side) * 90;
  }

  /**
   * Colours with their places; between two of them the browser mixes, if it does so in a space of its own.
   * @param {string[]} texts
   * @param {number} length
   * @param {string} [space]
   */
  function stopsOf(texts, length, space) {
    const stops = texts.flatMap((text, place) => {
      const [, colour, places] = /** @type {string[]} */ (/^(.+?)((?: -?[\d.]+(?:px|%))*)$/.exec(text));
      const given = places.trim() ? places.trim().split(' ') : [`${(100 * place) / (texts.length - 1)}%`];
      return given.map((at) => ({ colour, at: parseFloat(at) * (at.endsWith('%') ? length / 100 : 1) }));
    });
    if (!space) return stops;
    return stops.flatMap((stop, place) => {
      const next = stops[place + 1];
      if (!next) return [stop];
      return Array.from({ length: SHADES }, (_, step) => ({
        colour: `color-mix(in ${space}, ${next.colour} ${(100 * step) / SHADES}%, ${stop.colour})`,
        at: stop.at + ((next.at - stop.at) * step) / SHADES,
      }));
    });
  }

  /** Parts between the commas that no bracket holds. @param {string} text */
  function split(text) {
    const parts = [''];
    let depth = 0;
    for (const sign of text) {
      depth += Number(sign === '(') - Number(sign === ')');
      if (sign === ',' && !depth) parts.push('');
      else parts[parts.length - 1] += sign;
    }
    return parts.map((part) => part.trim());
  }

  /** @param {Box} box @param {number} radius @param {string} look */
  function rect(box, radius, look) {
    return box.width > 0 && box.height > 0 ? `<rect ${place(box)}${radius ? ` rx="${round(radius)}"` : ''} ${look}/>` : '';
  }

  /** @param {Box} box */
  function place({ x, y, width, height }) {
    return `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
  }

  /** @param {number} length */
  function round(length) {
    return Math.round(length * 100) / 100;
  }

  /** The ends of a hatch count a hundred times over a wide box. @param {number} length */
  function finely(length) {
    return Math.round(length * 1e5) / 1e5;
  }

  widgets.paints = { seen, paint, ground, outline, rect, place, round };
})();
