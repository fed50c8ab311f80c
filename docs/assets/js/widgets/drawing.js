/* What is on the screen as an SVG: boxes, hatching and text of the elements, at their places. */
(function () {
  'use strict';

  const widgets = ((self.attn ??= {}).widgets ??= {});

  const SVG = 'http://www.w3.org/2000/svg';
  const UNSEEN = '.katex-mathml, .aw-hidden, .aw-tip, caption, noscript';
  const HATCH =
    '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
    '<path d="M0 0V6" stroke="#888" stroke-width="1.6"/></pattern>';

  /** @param {HTMLElement} figure @returns {string} */
  function drawing(figure) {
    const frame = figure.getBoundingClientRect();
    /** @type {string[]} */
    const parts = [];
    const paper = paperOf(figure);
    parts.push(rect(frame, frame, paper, 0));
    walk(figure, frame, parts);
    const size = `width="${round(frame.width)}" height="${round(frame.height)}"`;
    return (
      `<svg xmlns="${SVG}" ${size} viewBox="0 0 ${round(frame.width)} ${round(frame.height)}">` +
      `<defs>${HATCH}</defs>${parts.join('')}</svg>`
    );
  }

  /** @param {Element} element @param {DOMRect} frame @param {string[]} parts */
  function walk(element, frame, parts) {
    if (element.matches(UNSEEN)) return;
    const style = getComputedStyle(element);
    if (style.display === 'none' || style.visibility === 'hidden' || style.opacity === '0') return;
    const box = element.getBoundingClientRect();
    if (element instanceof SVGSVGElement) {
      parts.push(nested(element, box, frame));
      return;
    }
    if (element instanceof HTMLCanvasElement) {
      parts.push(`<image ${place(box, frame)} href="${element.toDataURL()}"/>`);
      return;
    }
    drawBox(element, style, box, frame, parts);
    for (const child of element.childNodes) {
      if (child instanceof Element) walk(child, frame, parts);
      else if (child instanceof Text) drawText(child, style, frame, parts);
    }
  }

  /**
   * @param {Element} element
   * @param {CSSStyleDeclaration} style
   * @param {DOMRect} box
   * @param {DOMRect} frame
   * @param {string[]} parts
   */
  function drawBox(element, style, box, frame, parts) {
    const radius = parseFloat(style.borderTopLeftRadius) || 0;
    const fill = toHex(style.backgroundColor);
    if (fill && !element.matches('[data-figure]')) parts.push(rect(box, frame, fill, radius));
    if (style.backgroundImage.startsWith('repeating-linear-gradient')) {
      parts.push(rect(box, frame, 'url(#hatch)', radius));
    } else if (style.backgroundImage.startsWith('linear-gradient')) {
      parts.push(gradient(style.backgroundImage, box, frame, parts.length));
    }
    for (const side of /** @type {const} */ (['Top', 'Bottom'])) {
      const edge = toHex(style[`border${side}Color`]);
      const width = parseFloat(style[`border${side}Width`]);
      if (!edge || !width || style[`border${side}Style`] === 'none') continue;
      const y = round(side === 'Top' ? box.top - frame.top + width / 2 : box.bottom - frame.top - width / 2);
      const [x1, x2] = [round(box.left - frame.left), round(box.right - frame.left)];
      parts.push(`<path d="M${x1} ${y}H${x2}" stroke="${edge}" stroke-width="${width}"/>`);
    }
  }

  /**
   * @param {Text} node
   * @param {CSSStyleDeclaration} style
   * @param {DOMRect} frame
   * @param {string[]} parts
   */
  function drawText(node, style, frame, parts) {
    const fill = toHex(style.color);
    const size = parseFloat(style.fontSize);
    for (const { text, box } of linesOf(node)) {
      const x = round(box.left - frame.left);
      const y = round(box.top - frame.top + box.height / 2);
      parts.push(
        `<text x="${x}" y="${y}" textLength="${round(box.width)}" lengthAdjust="spacingAndGlyphs" ` +
          `style="white-space:pre" dominant-baseline="central" ` +
          `font-family="${escape(style.fontFamily)}" font-size="${size}" font-weight="${style.fontWeight}" ` +
          `font-style="${style.fontStyle}" fill="${fill}">${escape(text)}</text>`,
      );
    }
  }

  /** The lines into which a text is broken. @param {Text} node */
  function linesOf(node) {
    /** @type {{text: string, box: DOMRect}[]} */
    const lines = [];
    const range = document.createRange();
    for (let at = 0; at < node.data.length; at += 1) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const box = range.getBoundingClientRect();
      const last = lines.at(-1);
      if (!box.width) continue;
      if (last && Math.abs(last.box.top - box.top) < 1) {
        last.text += node.data[at];
        last.box = new DOMRect(last.box.x, last.box.y, box.right - last.box.x, last.box.height);
      } else if (node.data[at].trim()) {
        lines.push({ text: node.data[at], box });
      }
    }
    return lines;
  }

  /** An inline SVG with the colours that it has here. @param {SVGSVGElement} svg @param {DOMRect} box @param {DOMRect} frame */
  function nested(svg, box, frame) {
    const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
    const originals = [svg, ...svg.querySelectorAll('*')];
    [copy, ...copy.querySelectorAll('*')].forEach((element, index) => {
      const style = getComputedStyle(originals[index]);
      element.removeAttribute('class');
      element.setAttribute(
        'style',
        `fill:${toHex(style.fill) ?? 'none'};stroke:${toHex(style.stroke) ?? 'none'};` +
          `stroke-width:${style.strokeWidth};opacity:${style.opacity};` +
          `font:${style.font.replaceAll('"', "'")};text-anchor:${style.textAnchor}`,
      );
    });
    copy.setAttribute('xmlns', SVG);
    copy.setAttribute('x', String(round(box.left - frame.left)));
    copy.setAttribute('y', String(round(box.top - frame.top)));
    copy.setAttribute('width', String(round(box.width)));
    copy.setAttribute('height', String(round(box.height)));
    return new XMLSerializer().serializeToString(copy);
  }

  /** @param {string} image @param {DOMRect} box @param {DOMRect} frame @param {number} number */
  function gradient(image, box, frame, number) {
    const colours = image.match(/(?:rgba?|oklch|oklab|color)\([^()]*\)/g) ?? [];
    const stops = colours.map(
      (colour, place) => `<stop offset="${place / (colours.length - 1)}" stop-color="${toHex(colour)}"/>`,
    );
    return (
      `<linearGradient id="scale-${number}">${stops.join('')}</linearGradient>` +
      rect(box, frame, `url(#scale-${number})`, 2)
    );
  }

  /** @param {DOMRect} box @param {DOMRect} frame @param {string} fill @param {number} radius */
  function rect(box, frame, fill, radius) {
    return box.width && box.height ? `<rect ${place(box, frame)} rx="${radius}" fill="${fill}"/>` : '';
  }

  /** @param {DOMRect} box @param {DOMRect} frame */
  function place(box, frame) {
    return (
      `x="${round(box.left - frame.left)}" y="${round(box.top - frame.top)}" ` +
      `width="${round(box.width)}" height="${round(box.height)}"`
    );
  }

  /** Colour behind the figure. @param {Element | null} element @returns {string} */
  function paperOf(element) {
    for (let here = element; here; here = here.parentElement) {
      const colour = toHex(getComputedStyle(here).backgroundColor);
      if (colour) return colour;
    }
    return '#ffffff';
  }

  const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

  /** Any CSS colour as #rrggbb; null when nothing would be seen. @param {string} colour */
  function toHex(colour) {
    if (!probe || colour === 'none') return null;
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = probe.getImageData(0, 0, 1, 1).data;
    if (alpha < 8) return null;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  }

  /** @param {number} length */
  function round(length) {
    return Math.round(length * 10) / 10;
  }

  /** @param {string} text */
  function escape(text) {
    return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
  }

  widgets.drawing = drawing;
})();
