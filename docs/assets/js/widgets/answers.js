/* Where a frame comes from: the packed file at once, Python in the browser as soon as it is there. */
(function () {
  'use strict';

  const { widgets } = attn;

  /** A live answer that takes longer than this is preceded by the packed one. */
  const PATIENCE_MS = 60;

  /**
   * @typedef {'table' | 'python'} Source
   * @typedef {object} Questions
   * @property {HTMLElement} root
   * @property {() => Record<string, any>} state what the controls say now
   * @property {Record<string, any>} defaults
   * @property {(frame: any, state: Record<string, any>, source: Source, details?: {ms: number, numpy: string}) => void} show
   * @property {(waiting: boolean) => void} wait a live answer is due, or no longer
   * @property {(why: string) => void} missing nothing that is there answers; why, if not because only Python could
   * @property {(message: string) => void} fail Python is there and has no answer
   */

  /** Loading must not cost a reader who pays for each byte. */
  function mayLoadUnasked() {
    const connection = /** @type {any} */ (navigator).connection;
    if (!connection) return true;
    const slow = /^(slow-2g|2g|3g)$/.test(connection.effectiveType ?? '');
    return !connection.saveData && !slow && connection.type !== 'cellular';
  }

  /** @param {Questions} questions */
  function answers({ root, state, defaults, show, wait, missing, fail }) {
    let latest = 0; // number of the newest question; an answer to an older one is dropped
    let answered = 0; // number of the newest question that Python has answered
    let asking = false;
    let closed = false;
    let wanted = defaults; // the state that the newest question is about

    /** @param {boolean} touched by the reader's hand, so Python may be started */
    function ask(touched) {
      const number = ++latest;
      wanted = state();
      if (attn.runtime?.state === 'ready') {
        askPython();
        setTimeout(() => {
          if (asking && number === latest) askTable(number);
        }, PATIENCE_MS);
      } else {
        askTable(number);
        if (touched && attn.runtime?.state === 'idle' && mayLoadUnasked()) startQuietly();
      }
    }

    /** @param {number} number @param {boolean} [last] nobody else will answer */
    async function askTable(number, last = !asking) {
      let frame;
      let why = '';
      try {
        frame = widgets.packed.find(await widgets.packed.load(root), wanted, defaults);
      } catch (error) {
        why = /** @type {Error} */ (error).message;
      }
      if (number !== latest || number === answered || closed) return;
      if (frame) show(frame, wanted, 'table');
      else if (last) missing(why);
    }

    /** One question at a time; those that came meanwhile are one more question, the newest. */
    async function askPython() {
      if (asking) return;
      asking = true;
      const number = latest;
      const timer = setTimeout(() => wait(true), PATIENCE_MS);
      try {
        const widget = root.dataset.widget ?? '';
        const { frame, ms, numpy } = await attn.runtime.ask({ widget, state: wanted });
        if (number !== latest || closed) return;
        answered = number;
        show(frame, wanted, 'python', { ms, numpy });
      } catch (error) {
        if (number === latest && !closed) {
          await askTable(number, true);
          const asked = number === latest && !closed;
          if (asked && attn.runtime.state !== 'error') fail(/** @type {Error} */ (error).message);
        }
      } finally {
        clearTimeout(timer);
        asking = false;
        wait(false);
        if (number !== latest && !closed) {
          if (attn.runtime.state === 'ready') askPython();
          else askTable(latest, true);
        }
      }
    }

    function startQuietly() {
      attn.runtime.start().catch(() => {});
    }

    function close() {
      closed = true;
      latest += 1;
    }

    return { ask, close };
  }

  widgets.answers = answers;
})();
