/* One run at a time: start, stop, and what the reader sees of the result. */
(function () {
  'use strict';

  const { lab } = attn;

  /** Ends that Python cannot tell of, by the engine's words for them. */
  const BREAKS = [
    {
      sign: /Maximum call stack|too much recursion/,
      type: 'RecursionError',
      hint: 'Функция слишком глубоко вызывает саму себя: проверьте условие остановки.',
    },
    { sign: /terminated with exit/, type: 'SystemExit', hint: 'Программа сама завершила работу.' },
    {
      sign: /Aborted\(|memory access out of bounds|unreachable/,
      type: 'Аварийная остановка',
      hint: 'Программа нарушила работу Python: уберите обращения к\u00a0ctypes, os.abort и\u00a0подобному.',
    },
  ];

  /**
   * @param {{output: HTMLElement, value: HTMLElement, error: HTMLElement, status: HTMLElement,
   *   onRunning: (running: boolean) => void}} view
   */
  lab.createRunner = function (view) {
    const { element } = attn.site;
    const output = lab.createOutput(view.output);
    let running = false;
    let stopped = false;
    let closed = false;

    /** @param {boolean} on */
    function setRunning(on) {
      running = on;
      view.onRunning(on);
    }

    /** @param {{hint: string, message: string, type: string, line: ?number, traceback: string}} error */
    function showError({ hint, message, type, line, traceback }) {
      const where = line ? ` (строка ${line})` : '';
      const told = message ? `: ${message}` : '';
      view.error.append(element('p', {}, element('strong', {}, `${type}${where}`), told));
      if (hint) view.error.append(element('p', { class: 'lab-error__hint' }, hint));
      if (traceback) {
        view.error.append(
          element(
            'details',
            {},
            element('summary', {}, 'Как до\u00a0этого дошло (traceback)'),
            element('pre', { tabindex: '0' }, traceback),
          ),
        );
      }
    }

    /** What stopped Python itself, so that it could say nothing. @param {string} message */
    function showBreak(message) {
      const known = BREAKS.find(({ sign }) => sign.test(message));
      if (known) showError({ message: '', line: null, traceback: '', ...known });
      view.status.textContent = known
        ? 'Код остановил работу Python. При следующем запуске он\u00a0начнёт заново.'
        : message;
    }

    /** @param {string} code */
    async function run(code) {
      if (running) return;
      stopped = false;
      setRunning(true);
      output.clear();
      view.value.replaceChildren();
      view.error.replaceChildren();
      view.status.textContent = '';
      try {
        if (attn.runtime.state === 'error') await attn.runtime.retry();
        const result = await attn.runtime.run({ code, onOutput: output.append, onRestart: output.clear });
        if (closed) return;
        output.flush();
        if (result.value) lab.showValue(view.value, result.value);
        if (result.error) showError(result.error);
        view.status.textContent = result.ok ? summary(result) : 'Код остановился с\u00a0ошибкой.';
      } catch (error) {
        output.flush();
        if (!closed) showBreak(/** @type {Error} */ (error).message);
      } finally {
        if (stopped && !closed) view.status.textContent = 'Остановлено. Python начнёт заново при следующем запуске.';
        setRunning(false);
      }
    }

    /** @param {{ms: number, output: string, value: any}} result */
    function summary({ ms, value }) {
      const quiet = view.output.hidden && !value ? ' Код ничего не\u00a0напечатал, а\u00a0последняя строка\u00a0— не\u00a0выражение.' : '';
      return `Готово за\u00a0${Math.max(1, Math.round(ms))}\u00a0мс.${quiet}`;
    }

    function stop() {
      if (!running) return;
      stopped = true;
      attn.runtime.stop();
    }

    return {
      run,
      stop,
      close() {
        closed = true;
        stop();
      },
    };
  };
})();
