/**
 * One worker from its making to its end: it is started one way, fed with parts, watched and asked.
 * A worker that falls silent is taken for dead; whoever opened the session decides what comes next.
 */
'use strict';

self.attn ??= {};

attn.openSession = (() => {
  const TICK_MS = 500;
  // Silence is counted in ticks of this page, so that a laptop's sleep is one tick, not an hour.
  // A device on which even the worker's first word takes long gets up to SLOWEST times as many.
  const SLOWEST = 4;
  const SILENT_TICKS = { snapshot: 12, trimmed: 17, plain: 30 };
  const STAGE_TICKS = 60; // alive, all parts there, and no step further for so long
  const BEGIN_TICKS = 12;
  const FRAME_TICKS = 20;

  const lost = (message) => Object.assign(new Error(message), { lost: true });

  /**
   * @param {{code: Blob, way: string, entries: object[], load: (name: string) => Promise<ArrayBuffer>,
   *   onStage: (stage: string) => void, onLost: (error: Error) => void, signal: AbortSignal}} options
   * @returns {Promise<{numpy: string, request: Function, close: Function}>} once Python is ready
   */
  return async function openSession({ code, way, entries, load, onStage, onLost, signal }) {
    const address = URL.createObjectURL(code);
    const worker = new Worker(address);
    const pending = new Map();
    let number = 0;
    let begun = null;
    const made = performance.now();
    let slowness = SLOWEST / 2;
    let heard = false;
    let silent = 0;
    let inStage = -Infinity;
    let packsOnTheWay = 0;
    let closed = false;
    let settle;
    const ready = new Promise((resolve, reject) => { settle = { resolve, reject }; });

    function close(error = new Error('Выполнение остановлено.')) {
      if (closed) return;
      closed = true;
      clearInterval(watchdog);
      worker.terminate();
      URL.revokeObjectURL(address);
      settle.reject(error);
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    }

    function lose(message) {
      const error = lost(message);
      close(error);
      onLost(error);
    }

    async function feed(name) {
      try {
        const buffer = await load(name);
        if (!closed) worker.postMessage({ type: 'part', name, buffer });
      } catch (error) {
        if (!closed) worker.postMessage({ type: 'part', name, error: error.message });
        throw error;
      }
    }

    function finish(id, act) {
      const request = pending.get(id);
      pending.delete(id);
      begun = null;
      if (request) act(request);
    }

    const hear = {
      alive() {},
      stage({ stage }) {
        if (inStage > 0) inStage = 0;
        if (stage) onStage(stage);
      },
      ready: ({ numpy }) => settle.resolve(numpy),
      failed: ({ message }) => close(new Error(message)),
      need({ name }) {
        onStage('pack');
        packsOnTheWay += 1;
        feed(name).catch(() => {}).finally(() => {
          packsOnTheWay -= 1;
          silent = 0;
        });
      },
      begin({ id }) { begun = pending.get(id) || null; },
      output({ id, text }) { pending.get(id)?.onOutput?.(text); },
      answer: ({ id, type, ...content }) => finish(id, ({ resolve }) => resolve(content)),
      broken: ({ message }) => lose(`Python остановился: ${message}`),
    };
    worker.onmessage = ({ data }) => {
      silent = 0;
      if (!heard) slowness = Math.min(SLOWEST, 1 + (performance.now() - made) / TICK_MS);
      heard = true;
      if (!closed) hear[data.type](data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      lose(`рабочий поток не запустился: ${event.message || 'неизвестная причина'}`);
    };

    /** How long silence is still normal now. */
    function patience() {
      if (!session) return inStage < 0 || packsOnTheWay ? Infinity : SILENT_TICKS[way] * slowness;
      if (!pending.size || packsOnTheWay) return Infinity;
      if (!begun) return BEGIN_TICKS * slowness;
      return begun.type === 'run' ? Infinity : FRAME_TICKS * slowness;
    }

    const watchdog = setInterval(() => {
      silent += 1;
      inStage += 1;
      if (silent >= patience()) lose('рабочий поток не отвечает');
      else if (!session && inStage >= STAGE_TICKS * slowness) close(Object.assign(new Error('запуск не завершился вовремя'), { final: true }));
    }, TICK_MS);
    let session = null;

    signal.addEventListener('abort', () => close());
    const provides = Object.fromEntries(entries.filter((one) => one.provides).map((one) => [one.name, one.provides]));
    worker.postMessage({ type: 'boot', way, provides });
    Promise.all(entries.filter((one) => one.ways.includes(way)).map((one) => feed(one.name))).then(
      () => { inStage = 0; silent = 0; },
      close,
    );

    const numpy = await ready;
    session = {
      numpy,
      close,
      /** @returns {Promise<object>} the worker's answer to one request */
      request(type, content, onOutput) {
        if (closed) return Promise.reject(lost('рабочий поток уже остановлен'));
        const id = ++number;
        return new Promise((resolve, reject) => {
          if (!pending.size) silent = 0;
          pending.set(id, { type, resolve, reject, onOutput });
          worker.postMessage({ type, id, ...content });
        });
      },
    };
    return session;
  };
})();
