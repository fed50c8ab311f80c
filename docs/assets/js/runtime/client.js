/**
 * The page's door to Python: one runtime per tab, whatever happens to its worker.
 *
 *   idle → loading → ready          start(), or the first ask() or run()
 *   loading → error → loading       nothing helped; retry() begins again without a reload
 *   loading | ready → idle          stop(): the worker is thrown away, the next request starts another
 *
 * A run is the last act of its worker: once it is answered, the worker is ended and a fresh one takes
 * its place, made of what this page has kept of the first start. So no code of a reader meets what an
 * earlier one left behind, and no widget is answered by a Python in which such code has run. The
 * state stays `ready` meanwhile: whoever asks waits a little longer.
 *
 * The state is also `document.documentElement.dataset.runtime`, and the way Python was started
 * (snapshot, trimmed, plain) is `dataset.runtimePath`; `attn.runtime.reason` says why not a faster one.
 */
'use strict';

attn.runtime = (() => {
  /** @type {Way[]} */
  const WAYS = ['snapshot', 'trimmed', 'plain'];
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
  /** @type {Way[]} */
  let tried = WAYS;
  /** A worker in which no reader's code has run. @type {RuntimeSession | null} */
  let session = null;
  /** @type {Promise<void> | null} */
  let starting = null;
  let cancel = new AbortController();
  /** What a start has brought together, for the next worker. @type {Supply | null} */
  let kept = null;
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

  /** @param {number} wanted @param {number} came bytes */
  function count(wanted, came) {
    totalBytes += wanted;
    loadedBytes += came;
    if (came) progress();
  }

  /**
   * The one rule: the fastest way first, the next one when it fails, a message when none is left.
   * @param {Way[]} ways
   * @param {AbortSignal} signal
   */
  async function launch(ways, signal) {
    attn.supply.check();
    loadedBytes = totalBytes = 0;
    if (!kept) progress('download');
    /** @type {Supply} */
    const supply = kept ?? (await attn.supply.gather(signal, count));
    const { entries, store } = supply;
    const [first, ...others] = ways.filter((way) => entries.some((part) => isOwn(part) && part.ways.includes(way)));
    if (!first) throw new Error(`здесь нет ни\u00a0одного из\u00a0способов: ${ways.join(', ')}`);
    for (const { name, ways: needed } of entries) if (needed.includes(first)) store.load(name);
    const code = await supply.code;
    signal.throwIfAborted(); // a session hears only of a stop that comes after its beginning
    /** @type {{way: Way, error: RuntimeError}[]} */
    const failures = [];
    let silences = 0;
    for (const way of [first, ...others]) {
      try {
        const opened = await openOne(way, code, supply, signal);
        progress('ready');
        kept = supply;
        return { opened, way, why: failures.map((one) => `${one.way}: ${one.error.message}`).join('; ') };
      } catch (caught) {
        const error = /** @type {RuntimeError} */ (caught);
        failures.push({ way, error });
        if (error.lost) silences += 1;
        if (signal.aborted || error.stalled || error.final || error.outdated || silences === 2) break;
      }
    }
    if (!signal.aborted) kept = null;
    const causes = new Set(failures.map(({ error }) => told(error)));
    throw Object.assign(new Error([...causes].join('; ')), { outdated: failures.some(({ error }) => error.outdated) });
  }

  /** What the engine or the browser says of itself is English. @param {Error} error */
  const told = ({ message }) => (/[а-яё]/i.test(message) ? message : 'браузер не\u00a0смог выполнить Python');

  /** @param {Way} way @param {Blob} code @param {Supply} supply @param {AbortSignal} signal @returns {Promise<RuntimeSession>} */
  async function openOne(way, code, { entries, store }, signal) {
    /** @type {RuntimeSession | null} */
    let opened = null;
    opened = await attn.openSession({
      code, way, entries, signal,
      load: store.load,
      packs: [...store.packs],
      onStage: progress,
      onCompiled: store.replace,
      onLost: (/** @type {Error} */ error) => forget(opened, error),
    });
    return /** @type {RuntimeSession} */ (opened);
  }

  /** A part that every way needs says nothing about which ways this edition of the site has. @param {RuntimePart} part */
  const isOwn = (part) => !WAYS.every((way) => part.ways.includes(way));

  /** A worker that waited for requests is gone: the next request starts another. @param {RuntimeSession | null} lost @param {Error} error */
  function forget(lost, error) {
    if (!lost || lost !== session) return;
    session = starting = null;
    reason = error.message;
    enter('idle');
  }

  /** @param {{ways?: Way[]}} [options] which ways to try, in this order @returns {Promise<void>} */
  function start({ ways = WAYS } = {}) {
    if (starting) return starting;
    const { signal } = (cancel = new AbortController());
    reason = '';
    tried = ways;
    enter('loading');
    return settle(launch(ways, signal), signal);
  }

  /** A fresh Python after a run, by the way that has worked; if what is kept no longer serves, from the beginning. @param {Promise<void>} over */
  function renew(over) {
    const { signal } = cancel;
    const ways = tried.slice(tried.indexOf(/** @type {Way} */ (path)));
    const again = () => {
      signal.throwIfAborted();
      return launch(ways, signal);
    };
    settle(over.then(again).catch(again), signal);
  }

  /**
   * @param {Promise<{opened: RuntimeSession, way: Way, why: string}>} launched
   * @param {AbortSignal} signal
   */
  function settle(launched, signal) {
    starting = launched.then(
      ({ opened, way, why }) => {
        if (signal.aborted) throw new Error(STOPPED);
        session = opened;
        if (why) reason = reason ? `${reason}; ${why}` : why;
        if (state !== 'ready' || path !== way) enter('ready', way);
      },
      (error) => {
        if (signal.aborted) throw new Error(STOPPED);
        starting = null;
        const again = error.outdated || error.hopeless ? '' : '; можно повторить';
        reason = `Python не\u00a0запустился: ${error.message}. Всё, что уже на\u00a0странице, работает${again}.`;
        enter('error');
        throw new Error(reason);
      },
    );
    starting.catch(() => {});
    return starting;
  }

  function stop() {
    cancel.abort(); // which closes every worker of this start
    session = starting = null;
    if (state !== 'idle') enter('idle');
  }

  const retry = () => start();

  /** @type {RuntimeSession['request']} */
  async function request(type, content, onOutput) {
    if (state === 'error') throw new Error(reason);
    while (!session) {
      const started = start();
      const { signal } = cancel;
      await started;
      if (signal.aborted) throw new Error(STOPPED);
    }
    const own = session;
    const answer = own.request(type, content, onOutput);
    if (type === 'run') {
      session = null;
      renew(answer.then(() => own.close(), () => own.close()));
    }
    return answer;
  }

  /**
   * A widget's frame for a state. A worker that dies is replaced and asked once more: frames are pure.
   * @param {{widget: string, state: object}} question
   * @returns {Promise<{frame: any, ms: number, numpy: string}>}
   */
  async function ask({ widget, state: widgetState }) {
    const content = { widget: widget.replaceAll('-', '_'), state: widgetState };
    const answer = await request('ask', content).catch((/** @type {RuntimeError} */ error) => {
      if (error.lost) return request('ask', content);
      throw error;
    });
    if (!answer.ok) throw new Error(answer.error.message);
    return { frame: answer.frame, ms: answer.ms, numpy: answer.numpy };
  }

  /**
   * The reader's code in a fresh namespace.
   * It may ask for a pack in its midst that its text did not tell of: then it begins anew in a Python
   * that has the pack, and what it printed is void.
   * @param {{code: string, onOutput?: (text: string) => void, onRestart?: () => void}} job
   * @returns {Promise<RunResult>}
   */
  async function run({ code, onOutput, onRestart }) {
    /** @type {string[]} */
    const packs = [];
    for (;;) {
      const answer = await request('run', { code, packs }, attn.runResult.outputTo(onOutput));
      if (!answer.lacks) return attn.runResult(answer);
      if (packs.includes(answer.lacks)) throw new Error(`модули «${answer.lacks}» не\u00a0нашлись там, где они должны быть`);
      packs.push(answer.lacks);
      onRestart?.();
    }
  }

  /** Bytes of Python's memory and the number of JavaScript objects it holds. */
  const inspect = () => request('inspect', {});

  /** @param {'state' | 'progress'} event @param {(value: any) => void} listener */
  function on(event, listener) {
    listeners[event].add(listener);
    return () => listeners[event].delete(listener);
  }

  addEventListener('pagehide', () => {
    stop();
    kept = null;
  });
  root.dataset.runtime = state;

  return {
    start, stop, retry, ask, run, inspect, on,
    get state() { return state; },
    get path() { return path; },
    get reason() { return reason; },
  };
})();
