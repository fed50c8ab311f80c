/* Signs that Python reads and a screen does not show: marks that turn the order of writing round,
 * letters without width. The highlighting shows each by its code, and a line of text counts them. */
(function () {
  'use strict';

  const { lab } = attn;

  const RUN = /(?:[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]|(?![\t\n])\p{Cc})+/gu;
  const PIECES = new RegExp(`(${RUN.source}|\\n)`, 'u');
  const MOST_NAMED = 8;

  /** @param {string} sign */
  const nameOf = (sign) =>
    `U+${/** @type {number} */ (sign.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`;

  /** @param {string[]} names */
  const listed = (names) =>
    names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ' и\u00a0другие' : '');

  /**
   * Changes the picture of the code alone: a mark where such signs are, their codes after the line.
   * @param {any[]} tokens of the vendored editor
   * @param {string} code
   * @param {new (type: string, content: string, text: string) => any} Token
   */
  function mark(tokens, code, Token) {
    if (code.search(RUN) < 0) return;
    /** @type {string[]} */
    let names = [];
    const endOfLine = () => {
      const label = names.length ? [new Token('invisible-names', names.join(' '), '')] : [];
      names = [];
      return label;
    };
    const marked = (/** @type {string} */ text) =>
      text.split(PIECES).flatMap((piece) => {
        if (piece === '\n') return [...endOfLine(), piece];
        if (!piece || piece.search(RUN) < 0) return piece ? [piece] : [];
        names.push(...[...piece].map(nameOf));
        return [new Token('invisible', '', piece)];
      });
    const walk = (/** @type {any[]} */ list) =>
      list.flatMap((token) => {
        if (typeof token === 'string') return marked(token);
        token.content = typeof token.content === 'string' ? marked(token.content) : walk(token.content);
        return [token];
      });
    tokens.splice(0, tokens.length, ...walk(tokens), ...endOfLine());
  }

  /** What the reader is told of such signs in the code; an empty text when there are none. @param {string} code */
  function report(code) {
    /** @type {Set<string>} */
    const names = new Set();
    /** @type {Set<string>} */
    const lines = new Set();
    let count = 0;
    code.split('\n').forEach((line, index) => {
      for (const [run] of line.matchAll(RUN)) {
        for (const sign of run) names.add(nameOf(sign));
        lines.add(String(index + 1));
        count += [...run].length;
      }
    });
    if (!count) return '';
    const where = lines.size === 1 ? 'в\u00a0строке' : 'в\u00a0строках';
    return (
      `Невидимых знаков в\u00a0коде: ${count}\u00a0— ${where} ${listed([...lines])} (${listed([...names])}). ` +
      'Здесь они отмечены, а\u00a0сами по\u00a0себе не\u00a0видны: строка может выглядеть не\u00a0так, как её\u00a0прочтёт Python.'
    );
  }

  lab.invisible = { mark, report };
})();
