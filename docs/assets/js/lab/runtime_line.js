/* Which Python stands behind the laboratory: not started, loading, ready and how, or failed. */
(function () {
  'use strict';

  const { lab } = attn;

  /** @type {Record<string, string>} */
  const PATHS = {
    snapshot: 'запущен из\u00a0снимка памяти',
    trimmed: 'запущен из\u00a0сокращённого набора файлов',
    plain: 'запущен обычным способом',
  };

  const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);

  /**
   * @param {HTMLElement} box
   * @returns {() => void} stops watching
   */
  lab.watchRuntime = function (box) {
    const { element } = attn.site;
    const runtime = attn.runtime;
    const text = element('span');
    const bar = /** @type {HTMLProgressElement} */ (
      element('progress', { hidden: true, 'aria-label': 'Загрузка Python' })
    );
    box.append(text, bar);

    function show() {
      const { state, path, reason } = runtime;
      bar.hidden = state !== 'loading';
      if (state === 'ready') {
        const why = path === 'snapshot' || !reason ? '' : `; быстрее не\u00a0вышло: ${reason}`;
        text.textContent = `Python готов: ${PATHS[path ?? ''] ?? path}${why}.`;
      } else if (state === 'error') text.textContent = reason;
      else if (state === 'idle')
        text.textContent = 'Python запустится вместе с\u00a0кодом и\u00a0останется в\u00a0этой вкладке.';
      else text.textContent = 'Python загружается…';
    }

    /** @param {{stage: string, loadedBytes: number, totalBytes: number}} progress */
    function showProgress({ stage, loadedBytes, totalBytes }) {
      if (runtime.state !== 'loading') return;
      const size = totalBytes ? `: ${megabytes(loadedBytes)} из\u00a0${megabytes(totalBytes)}\u00a0МБ` : '';
      text.textContent = `Python: ${stage}${size}`;
      if (totalBytes) {
        bar.max = totalBytes;
        bar.value = loadedBytes;
      }
    }

    show();
    const watches = [runtime.on('state', show), runtime.on('progress', showProgress)];
    return () => watches.forEach((off) => off());
  };
})();
