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
  const WAYS = ['snapshot', 'trimmed', 'plain'];
  const CODE = ['engine.js', 'driver.js', 'snapshot.js', 'worker.js'];
  const STAGES = {
    download: 'загружаем Python',
    compile: 'готовим движок',
    memory: 'запускаем Python',
    import: 'подключаем NumPy',
    site: 'подключаем attnlib',
    pack: 'догружаем модули',
    ready: 'готово',
  };

  const root = document.documentElement;
  const listeners = { state: new Set(), progress: new Set() };
  let state = 'idle';
  let path = null;
  let reason = '';
  let session = null;
  let starting = null;
  let cancel = new AbortController();
  let stage = 'download';
  let loadedBytes = 0;
  let totalBytes = 0;

  function emit(event, value) {
    for (const listener of listeners[event]) listener(value);
  }

  function enter(next) {
    state = next;
    root.dataset.runtime = next;
    if (path) root.dataset.runtimePath = path;
    else delete root.dataset.runtimePath;
    emit('state', next);
  }

  function progress(nextStage = stage) {
    stage = nextStage;
    emit('progress', { stage: STAGES[stage], loadedBytes, totalBytes });
  }

  /** While Python starts, each part is fetched once, however many ways of starting want it. */
  function partLoader(entries) {
    const kept = new Map();
    let keeping = true;
    function load(name) {
      if (kept.has(name)) return kept.get(name);
      totalBytes += entries.find((one) => one.name === name)?.bytes || 0;
      const part = attn.assets.load(name, (count) => {
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

  async function workerCode(load) {
    const [engine, ...rest] = await Promise.all(CODE.map(load));
    const inflated = new Response(new Blob([engine]).stream().pipeThrough(new DecompressionStream('gzip')));
    const texts = [await inflated.blob(), ...rest].flatMap((text) => [text, '\n;\n']);
    return new Blob(texts, { type: 'text/javascript' });
  }

  /** The one rule: the fastest way first, the next one when it fails, a message when none is left. */
  async function launch(ways, signal) {
    loadedBytes = totalBytes = 0;
    progress('download');
    const entries = await attn.assets.list();
    const { load, keepNoMore } = partLoader(entries);
    const available = ways.filter((way) => entries.some((one) => one.ways.includes(way) && !isShared(one)));
    for (const { name, ways: needed } of entries) if (needed.includes(available[0])) load(name);
    const code = await workerCode(load);
    const failures = [];
    let silences = 0;
    for (const way of available) {
      if (signal.aborted) break;
      try {
        const opened = await attn.openSession({ code, way, entries, load, signal, onStage: progress, onLost: forget });
        progress('ready');
        keepNoMore();
        return { opened, way, why: failures.join('; ') };
      } catch (error) {
        failures.push(`${way}: ${error.message}`);
        if (error.lost) silences += 1;
        if (error.stalled || error.final || silences === 2) break;
      }
    }
    throw new Error(failures.join('; ') || 'запуск остановлен');
  }

  /** A part of every way says nothing about which ways this edition of the site has. */
  const isShared = (entry) => WAYS.every((way) => entry.ways.includes(way));

  function forget(error) {
    if (!session) return;
    session = null;
    starting = null;
    reason = error.message;
    path = null;
    enter('idle');
  }

  /** @param {{ways?: string[]}} [options] which ways to try, in this order @returns {Promise<void>} */
  function start({ ways = WAYS } = {}) {
    if (starting) return starting;
    const { signal } = (cancel = new AbortController());
    path = null;
    reason = '';
    enter('loading');
    starting = launch(ways, signal).then(
      ({ opened, way, why }) => {
        if (signal.aborted) throw new Error('Выполнение остановлено.');
        session = opened;
        path = way;
        reason = why;
        enter('ready');
      },
      (error) => {
        if (signal.aborted) throw new Error('Выполнение остановлено.');
        starting = null;
        reason = error.message;
        const failure = new Error(`Python не запустился: ${error.message}. Всё, что уже на странице, работает; можно повторить.`);
        reason = failure.message;
        enter('error');
        throw failure;
      },
    );
    starting.catch(() => {});
    return starting;
  }

  function stop() {
    cancel.abort();
    session?.close();
    session = starting = path = null;
    if (state !== 'idle') enter('idle');
  }

  function retry() {
    if (state === 'error') starting = null;
    return start();
  }

  async function request(type, content, onOutput) {
    if (state === 'error') throw new Error(reason);
    await start();
    return session.request(type, content, onOutput);
  }

  /**
   * A widget's frame for a state. A worker that dies is replaced and asked once more: frames are pure.
   * @param {{widget: string, state: object, id?: *}} question
   * @returns {Promise<{frame: object, ms: number, numpy: string, id?: *}>}
   */
  async function ask({ widget, state: widgetState, id }) {
    const content = { widget: widget.replaceAll('-', '_'), state: widgetState };
    const answer = await request('ask', content).catch((error) => {
      if (error.lost) return request('ask', content);
      throw error;
    });
    if (!answer.ok) throw new Error(answer.error.message);
    return { frame: answer.frame, ms: answer.ms, numpy: session.numpy, id };
  }

  /**
   * The reader's code in a fresh namespace.
   * @param {{code: string, id?: *, onOutput?: (text: string) => void}} job
   * @returns {Promise<{ok: boolean, output: string, ms: number, id?: *,
   *   error: null|{type: string, message: string, hint: string, line: ?number, traceback: string},
   *   value: null|{repr: string, shape: ?number[], dtype: ?string, heat: ?(?number)[][]}}>}
   */
  async function run({ code, id, onOutput }) {
    return { value: null, error: null, output: '', ...(await request('run', { code }, onOutput)), id };
  }

  /** Size of Python's memory and number of JavaScript objects it holds. */
  const inspect = () => request('inspect', {});

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
