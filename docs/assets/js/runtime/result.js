/**
 * What a run answers came out of a worker in which anybody's code ran: it is data of the shape that
 * the page expects, or it is left out. Texts stay texts; nothing of it is ever read as markup.
 */
'use strict';

attn.runResult = (() => {
  const MOST_OUTPUT = 2 * 100_000 + 1000; // Python's own limit, if each sign is of two units, and its note
  const MOST_TEXT = 20_000;
  const MOST_CELLS = 64; // along one side

  /** @param {unknown} value */
  const text = (value, most = MOST_TEXT) => (typeof value === 'string' ? value.slice(0, most) : '');
  /** @param {unknown} value */
  const size = (value) => Number.isInteger(value) && Number(value) >= 0;
  /** @param {any} value @param {(one: unknown) => boolean} fits @param {number} [most] */
  const list = (value, fits, most = MOST_CELLS) =>
    Array.isArray(value) && value.length <= most && value.every(fits) ? value : null;

  /** A matrix of cells, each row as long as the first. @param {any} value @param {(cell: unknown) => boolean} fits */
  function matrix(value, fits) {
    const rows = list(value, (row) => list(row, fits) !== null);
    return rows?.length && rows.every(({ length }) => length === rows[0].length) ? rows : null;
  }

  /** @param {any} value */
  function shownValue(value) {
    const shape = list(value.shape, size);
    const heat = shape && matrix(value.heat, (cell) => cell === null || Number.isFinite(cell));
    const texts = heat && matrix(value.texts, (cell) => typeof cell === 'string' && cell.length < MOST_TEXT);
    const fit = texts?.length === heat?.length && texts?.[0].length === heat?.[0].length;
    return { repr: text(value.repr), shape, dtype: shape && text(value.dtype), heat, texts: fit ? texts : null };
  }

  /** @param {any} error */
  const shownError = (error) => ({
    type: text(error.type),
    message: text(error.message),
    hint: text(error.hint),
    line: size(error.line) ? error.line : null,
    traceback: text(error.traceback),
  });

  /** @param {any} answer */
  function runResult({ ok, ms, output, value, error }) {
    return {
      ok: ok === true,
      ms: Number.isFinite(ms) ? ms : 0,
      output: text(output, MOST_OUTPUT),
      value: value ? shownValue(value) : null,
      error: error ? shownError(error) : null,
    };
  }

  /** Passes on what is printed, as far as the page shows it. @param {(text: string) => void} [listener] */
  function outputTo(listener) {
    let room = MOST_OUTPUT;
    return (/** @type {unknown} */ piece) => {
      const shown = text(piece, room);
      room -= shown.length;
      if (shown) listener?.(shown);
    };
  }

  return Object.assign(runResult, { outputTo });
})();
