/* The line under a widget: who computed what is shown, and the buttons of the runtime. */
(function () {
  'use strict';

  const { widgets } = attn;

  const MEGABYTE = 1e6;
  /** An answer that takes longer than this is said to be on its way. */
  const SOON_MS = 100;
  const COMING = 'ответ ещё не\u00a0пришёл, показано прежнее';
  const NOT_STARTED = 'Python не\u00a0запустился, для этого он\u00a0и\u00a0не\u00a0нужен';

  /**
   * @param {HTMLElement} root
   * @param {() => void} wanted the reader has asked for Python
   */
  function status(root, wanted) {
    /** @param {string} name @returns {any} */
    const part = (name) => root.querySelector(`[data-${name}]`);
    const line = part('status');
    const bar = part('progress');
    const buttons = { start: part('start'), stop: part('stop'), retry: part('retry') };
    const runtime = attn.runtime;
    let told = line.textContent ?? '';
    let waiting = false;
    let alone = false; // nobody but Python knows the state of the controls
    let coming = false;
    /** @type {number | undefined} */ let soon;
    let progress = '';
    let interested = false; // the reader has touched this widget
    let asked = false; // the reader has pressed its button

    buttons.start.addEventListener('click', () => begin('start'));
    buttons.retry.addEventListener('click', () => begin('retry'));
    buttons.stop.addEventListener('click', () => runtime.stop());

    const off = runtime
      ? [runtime.on('state', refresh), runtime.on('progress', showProgress)]
      : [];
    refresh();

    /** @param {'start' | 'retry'} how */
    function begin(how) {
      interested = asked = true;
      wanted();
      runtime[how]().catch(() => {});
    }

    /** @param {string} text @param {boolean} [onlyPython] nobody else answers */
    function say(text, onlyPython = false) {
      clearTimeout(soon);
      told = text;
      coming = false;
      alone = onlyPython;
      refresh();
    }

    /** @param {boolean} yes */
    function setComing(yes) {
      if (coming === yes) return;
      coming = yes;
      refresh();
    }

    function refresh() {
      const state = runtime?.state;
      const loading = state === 'loading' && interested;
      // A failure is told aloud only to a reader who needs Python: who asked, or whose state nothing else answers.
      const failed = state === 'error' && (asked || alone);
      const hint = state === 'error' && interested ? `; ${NOT_STARTED}` : '';
      if (!loading) progress = '';
      keepFocus(() => {
        buttons.start.hidden = !runtime || state === 'ready' || loading || failed;
        buttons.retry.hidden = !failed;
        buttons.stop.hidden = !(loading || (waiting && state === 'ready'));
      });
      bar.hidden = !loading;
      root.toggleAttribute('data-failed', failed);
      line.textContent = failed ? runtime.reason : progress || (waiting ? 'Python считает…' : coming ? COMING : told + hint);
    }

    /** @param {{stage: string, loadedBytes: number, totalBytes: number}} progress */
    function showProgress({ stage, loadedBytes, totalBytes }) {
      if (!interested || runtime.state !== 'loading') return;
      if (totalBytes) {
        bar.max = totalBytes;
        bar.value = Math.min(loadedBytes, totalBytes);
      } else {
        bar.removeAttribute('value');
      }
      progress = totalBytes
        ? `${stage}: ${megabytes(loadedBytes)} из\u00a0${megabytes(totalBytes)}\u00a0МБ`
        : `${stage}…`;
      line.textContent = progress;
    }

    /** A button that vanishes hands its focus to the widget, not to the page. @param {() => void} change */
    function keepFocus(change) {
      const held = document.activeElement;
      change();
      if (held instanceof HTMLElement && held.hidden && root.contains(held)) root.focus();
    }

    return {
      say,
      /** @param {boolean} due a live answer is due */
      wait(due) {
        waiting = due;
        refresh();
      },
      /** What is shown is of another state than the controls. @param {boolean} yes */
      expect(yes) {
        clearTimeout(soon);
        if (yes) soon = setTimeout(() => setComing(true), SOON_MS);
        else setComing(false);
      },
      /** The reader has touched this widget: news of the runtime concern it. */
      touch() {
        interested = true;
        refresh();
      },
      close() {
        clearTimeout(soon);
        off.forEach((stop) => stop());
      },
    };
  }

  /** @param {number} bytes */
  function megabytes(bytes) {
    return (bytes / MEGABYTE).toFixed(1);
  }

  widgets.status = status;
})();
