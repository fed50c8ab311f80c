/* What arrives with pasted code and Python cannot read: quotes, dashes and spaces of a word
 * processor, the prompts of a session. Strings and comments stay as they are. */
(function () {
  'use strict';

  const { lab } = attn;

  /** @type {Map<string, string>} a sign and what Python has for it */
  const PLAIN = new Map(
    [
      ['\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000', ' '],
      ['\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff', ''],
      ['“”„‟«»', '"'],
      ['‘’‚‛', "'"],
      ['−‐‑‒–—', '-'],
      ['×∗', '*'],
      ['÷', '/'],
      ['≤', '<='],
      ['≥', '>='],
      ['≠', '!='],
      ['…', '...'],
    ].flatMap(([signs, plain]) => [...signs].map((sign) => /** @type {[string, string]} */ ([sign, plain]))),
  );

  /** The whole set of ASCII in the width of hieroglyphs. */
  const FULL_WIDTH = { from: 0xff01, to: 0xff5e, shift: 0xfee0 };

  const SIGNS = `[${[...PLAIN.keys()].join('')}\uff01-\uff5e]`;
  // Comments and strings, also unfinished ones; what is said in typographic quotes; single signs.
  const PIECE = new RegExp(
    [
      String.raw`(?<text>#[^\n]*|"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?)`,
      String.raw`[“”„‟](?<said>[^“”„‟"\\\n]*)[“”„‟"]`,
      String.raw`«(?<quoted>[^«»"\\\n]*)[»"]`,
      String.raw`[‘’‚‛](?<word>[^‘’‚‛'\\\n]*)[‘’‛']`,
      SIGNS,
    ].join('|'),
    'g',
  );

  const PROMPT = /^[ \t]*(?:>>>|\.\.\.)(?: |$)/;

  /** @param {string} sign */
  function plain(sign) {
    const code = sign.charCodeAt(0);
    const wide = code >= FULL_WIDTH.from && code <= FULL_WIDTH.to;
    return wide ? String.fromCharCode(code - FULL_WIDTH.shift) : /** @type {string} */ (PLAIN.get(sign));
  }

  /**
   * A session becomes a program: without prompts, what it had printed as comments.
   * @param {string} text
   */
  function withoutPrompts(text) {
    const lines = text.split('\n');
    if (!PROMPT.test(lines.find((line) => line.trim()) ?? '')) return text;
    return lines
      .map((line) => {
        if (PROMPT.test(line)) return line.replace(PROMPT, '');
        return line.trim() ? `# ${line.trim()}` : '';
      })
      .join('\n');
  }

  /**
   * Pasted text as Python can read it, given the code around it, and what the reader is told.
   * @param {string} before
   * @param {string} pasted
   * @param {string} after
   */
  lab.repaired = function (before, pasted, after) {
    const text = pasted.replace(/\r\n?/g, '\n');
    const pieces = [...`${before}${text}`.matchAll(PIECE)];
    const last = pieces.find(({ index, 0: piece }) => index < before.length && index + piece.length > before.length);
    const program = last?.groups?.text ? text : withoutPrompts(text);
    const notes = program === text ? [] : ['Приглашения >>> убраны, вывод примера стал примечаниями.'];

    const whole = before + program + after;
    const end = before.length + program.length;
    /** @type {Set<string>} */
    const repaired = new Set();
    const note = (/** @type {string} */ sign) => {
      const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      repaired.add(/[\p{Z}\p{C}]/u.test(sign) ? `U+${code}` : `${sign} (U+${code})`);
      return plain(sign);
    };
    let made = '';
    let done = before.length;
    for (const { 0: piece, index, groups } of whole.matchAll(PIECE)) {
      if (index < before.length || index + piece.length > end || groups?.text !== undefined) continue;
      const said = groups?.said ?? groups?.quoted ?? groups?.word;
      made += whole.slice(done, index);
      if (said === undefined) made += note(piece);
      else {
        const quote = note(piece[0]);
        if (PLAIN.has(piece[piece.length - 1])) note(piece[piece.length - 1]);
        made += quote + said + quote;
      }
      done = index + piece.length;
    }
    made += whole.slice(done, end);
    if (repaired.size) {
      notes.push(`При вставке заменены знаки, которых Python не\u00a0понимает: ${[...repaired].join(', ')}.`);
    }
    return { text: notes.length ? made : pasted, note: notes.join(' ') };
  };
})();
