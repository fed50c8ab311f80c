/**
 * The page's door to Python: one runtime per tab, whatever happens to its worker.
 *
 *   idle → loading → ready          start(), or the first ask() or run()
 *   loading → error → loading       nothing helped; retry() begins again without a reload
 *   loading | ready → idle          stop(): the worker is thrown away, the next request starts another
 *
 * The state is also `document.documentElement.dataset.runtime`, and the way Python was started
 * (snapshot, trimmed, plain) is `dataset.runtimePath`; `attn.runtime.reason` says why not a faster one.
 */
'use strict';

self.attn ??= {};

attn.runtime = (() => {
  /** @type {Way[]} */
  const WAYS = ['snapshot', 'trimmed', 'plain'];
  const CODE = ['engine.js', 'driver.js', 'snapshot.js', 'worker.js'];
  /** @type {Record<string, string>} */
  const STAGES = {
    download: 'загружаем Python',
    compile: 'готовим движок',
    memory: 'запускаем Python',
    import: 'подключаем NumPy',
    site: 'подключаем attnlib',
    pack: 'догружаем модули',
    ready: 'готово',
  };
  const STOPPED = 'Выполнение остановлено.';

  const root = document.documentElement;
  /** @type {Record<string, Set<(value: any) => void>>} */
  const listeners = { state: new Set(), progress: new Set() };
  /** @type {'idle' | 'loading' | 'ready' | 'error'} */
  let state = 'idle';
  /** @type {Way | null} */
  let path = null;
  let reason = '';
  /** @type {RuntimeSession | null} */
  let session = null;
  /** @type {Promise<void> | null} */
  let starting = null;
  let cancel = new AbortController();
  let stage = 'download';
  let loadedBytes = 0;
  let totalBytes = 0;

  /** @param {typeof state} next @param {Way | null} [way] */
  function enter(next, way = null) {
    state = next;
    path = way;
    root.dataset.runtime = next;
    if (way) root.dataset.runtimePath = way;
    else delete root.dataset.runtimePath;
    for (const listener of listeners.state) listener(next);
  }

  function progress(nextStage = stage) {
    stage = nextStage;
    for (const listener of listeners.progress) listener({ stage: STAGES[stage], loadedBytes, totalBytes });
  }

  /**
   * While Python starts, each part is fetched once, however many ways of starting want it.
   * What still comes for a start that was stopped is not counted for the next one.
   * @param {RuntimePart[]} entries
   * @param {AbortSignal} signal
   */
  function partLoader(entries, signal) {
    /** @type {Map<string, Promise<ArrayBuffer>>} */
    const kept = new Map();
    let keeping = true;

    /** @param {string} name @returns {Promise<ArrayBuffer>} */
    function load(name) {
      const known = kept.get(name);
      if (known) return known;
      totalBytes += entries.find((one) => one.name === name)?.bytes ?? 0;
      const part = attn.assets.load(name, (/** @type {number} */ count) => {
        if (signal.aborted) return;
        loadedBytes += count;
        progress();
      });
      part.catch(() => {});
      if (keeping) kept.set(name, part);
      return part;
    }

    function keepNoMore() {
      keeping = false;
      kept.clear();
      loadedBytes = totalBytes = 0;
    }

    return { load, keepNoMore };
  }

  /**
   * A worker made from a Blob obeys the page's content policy; one made from an address would not.
   * @param {(name: string) => Promise<ArrayBuffer>} load
   */
  async function workerCode(load) {
    const [engine, ...rest] = await Promise.all(CODE.map(load));
    const inflated = new Response(new Blob([engine]).stream().pipeThrough(new DecompressionStream('gzip')));
    const texts = [await inflated.blob(), ...rest].flatMap((text) => [text, '\n;\n']);
    return new Blob(texts, { type: 'text/javascript' });
  }

  /**
   * The one rule: the fastest way first, the next one when it fails, a message when none is left.
   * @param {Way[]} ways
   * @param {AbortSignal} signal
   */
  async function launch(ways, signal) {
    loadedBytes = totalBytes = 0;
    progress('download');
    /** @type {RuntimePart[]} */
    const entries = await attn.assets.list();
    signal.throwIfAborted();
    const { load, keepNoMore } = partLoader(entries, signal);
    const [first, ...others] = ways.filter((way) => entries.some((part) => isOwn(part) && part.ways.includes(way)));
    if (!first) throw new Error(`здесь нет ни\u00a0одного из\u00a0способов: ${ways.join(', ')}`);
    const ownCode = workerCode(load); // asked for first: the worker unpacks what comes while more is coming
    for (const { name, ways: needed } of entries) if (needed.includes(first)) load(name);
    const code = await ownCode;
    signal.throwIfAborted(); // a session hears only of a stop that comes after its beginning
    /** @type {{way: Way, error: RuntimeError}[]} */
    const failures = [];
    let silences = 0;
    for (const way of [first, ...others]) {
      try {
        const opened = await attn.openSession({ code, way, entries, load, signal, onStage: progress, onLost: forget });
        progress('ready');
        keepNoMore();
        return { opened, way, why: failures.map((one) => `${one.way}: ${one.error.message}`).join('; ') };
      } catch (caught) {
        const error = /** @type {RuntimeError} */ (caught);
        failures.push({ way, error });
        if (error.lost) silences += 1;
        if (signal.aborted || error.stalled || error.final || error.outdated || silences === 2) break;
      }
    }
    const causes = new Set(failures.map(({ error }) => told(error)));
    throw Object.assign(new Error([...causes].join('; ')), { outdated: failures.some(({ error }) => error.outdated) });
  }

  /** What the engine or the browser says of itself is English. @param {Error} error */
  const told = ({ message }) => (/[а-яё]/i.test(message) ? message : 'браузер не\u00a0смог выполнить Python');

  /** A part that every way needs says nothing about which ways this edition of the site has. @param {RuntimePart} part */
  const isOwn = (part) => !WAYS.every((way) => part.ways.includes(way));

  /** A worker that had started is gone: the next request starts another. @param {Error} error */
  function forget(error) {
    if (!session) return;
    session = starting = null;
    reason = error.message;
    enter('idle');
  }

  /** @param {{ways?: Way[]}} [options] which ways to try, in this order @returns {Promise<void>} */
  function start({ ways = WAYS } = {}) {
    if (starting) return starting;
    const { signal } = (cancel = new AbortController());
    reason = '';
    enter('loading');
    starting = launch(ways, signal).then(
      ({ opened, way, why }) => {
        if (signal.aborted) throw new Error(STOPPED);
        session = opened;
        reason = why;
        enter('ready', way);
      },
      (error) => {
        if (signal.aborted) throw new Error(STOPPED);
        starting = null;
        const again = error.outdated ? '' : '; можно повторить';
        reason = `Python не\u00a0запустился: ${error.message}. Всё, что уже на\u00a0странице, работает${again}.`;
        enter('error');
        throw new Error(reason);
      },
    );
    starting.catch(() => {});
    return starting;
  }

  function stop() {
    cancel.abort();
    session?.close();
    session = starting = null;
    if (state !== 'idle') enter('idle');
  }

  const retry = () => start();

  /** @type {RuntimeSession['request']} */
  async function request(type, content, onOutput) {
    if (state === 'error') throw new Error(reason);
    await start();
    if (!session) throw new Error(STOPPED);
    return session.request(type, content, onOutput);
  }

  /**
   * A widget's frame for a state. A worker that dies is replaced and asked once more: frames are pure.
   * @param {{widget: string, state: object, id?: any}} question
   * @returns {Promise<{frame: any, ms: number, numpy: string, id?: any}>}
   */
  async function ask({ widget, state: widgetState, id }) {
    const content = { widget: widget.replaceAll('-', '_'), state: widgetState };
    const answer = await request('ask', content).catch((/** @type {RuntimeError} */ error) => {
      if (error.lost) return request('ask', content);
      throw error;
    });
    if (!answer.ok) throw new Error(answer.error.message);
    return { frame: answer.frame, ms: answer.ms, numpy: answer.numpy, id };
  }

  /**
   * The reader's code in a fresh namespace.
   * @param {{code: string, id?: any, onOutput?: (text: string) => void}} job
   * @returns {Promise<{ok: boolean, output: string, ms: number, id?: any,
   *   error: null | {type: string, message: string, hint: string, line: number | null, traceback: string},
   *   value: null | {repr: string, shape: number[] | null, dtype: string | null, heat: (number | null)[][] | null}}>}
   */
  async function run({ code, id, onOutput }) {
    return { value: null, error: null, output: '', ...(await request('run', { code }, onOutput)), id };
  }

  /** Bytes of Python's memory and the number of JavaScript objects it holds. */
  const inspect = () => request('inspect', {});

  /** @param {'state' | 'progress'} event @param {(value: any) => void} listener */
  function on(event, listener) {
    listeners[event].add(listener);
    return () => listeners[event].delete(listener);
  }

  addEventListener('pagehide', stop);
  root.dataset.runtime = state;

  return {
    start, stop, retry, ask, run, inspect, on,
    get state() { return state; },
    get path() { return path; },
    get reason() { return reason; },
  };
})();
