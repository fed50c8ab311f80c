/**
 * One worker from its making to its end: it is started one way, fed with parts, watched and asked.
 * A worker that falls silent is taken for dead; whoever opened the session decides what comes next.
 */
'use strict';

attn.openSession = (() => {
  const TICK_MS = 500;
  // Silence is counted in ticks of this page, so that a laptop's sleep is one tick, not an hour.
  // A device on which even the worker's first word takes long gets up to SLOWEST times as many.
  const SLOWEST = 4;
  const START_TICKS = { snapshot: 12, trimmed: 17, plain: 30 };
  const STEP_TICKS = 60; // alive, all parts there, and no step further for so long
  const BEGIN_TICKS = 12; // until a request is taken up
  const FRAME_TICKS = 20; // until a frame is computed; the reader's own code may run for ever

  /** @param {string} message @param {Partial<RuntimeError>} marks @returns {RuntimeError} */
  const marked = (message, marks) => Object.assign(new Error(message), marks);

  /**
   * @typedef {{type: string, resolve: (answer: any) => void, reject: (error: Error) => void,
   *   onOutput?: (text: string) => void}} Request
   */

  /**
   * @param {{code: Blob, way: Way, entries: RuntimePart[], packs: string[], signal: AbortSignal,
   *   load: (name: string) => Promise<any>, onStage: (stage: string) => void,
   *   onCompiled: (modules: Record<string, WebAssembly.Module>) => void,
   *   onLost: (error: Error) => void}} options packs: there from the start
   * @returns {Promise<RuntimeSession>} once Python is ready
   */
  return async function openSession({ code, way, entries, packs, load, onStage, onCompiled, onLost, signal }) {
    const address = URL.createObjectURL(code);
    const worker = new Worker(address);
    const made = performance.now();
    /** @type {Map<number, Request>} */
    const pending = new Map();
    /** @type {Request | null} */
    let begun = null;
    let number = 0;
    let phase = 'parts'; // then 'start' once all parts are there, then 'ready', at last 'closed'
    let packsOnTheWay = 0;
    let slowness = 0; // unknown until the worker's first word
    let silentTicks = 0;
    let stepTicks = 0;
    /** @type {(numpy: string) => void} */
    let succeed;
    /** @type {(error: Error) => void} */
    let fail;
    const ready = new Promise((resolve, reject) => {
      succeed = resolve;
      fail = reject;
    });

    const abort = () => close();

    function close(error = new Error('Выполнение остановлено.')) {
      if (phase === 'closed') return;
      phase = 'closed';
      signal.removeEventListener('abort', abort);
      clearInterval(watchdog);
      worker.terminate();
      URL.revokeObjectURL(address);
      fail(error);
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    }

    /** @param {string} message */
    function lose(message) {
      const error = marked(message, { lost: true });
      close(error);
      onLost(error);
    }

    /** @param {string} name */
    async function feed(name) {
      try {
        worker.postMessage({ type: 'part', name, content: await load(name) });
      } catch (error) {
        worker.postMessage({ type: 'part', name, error: /** @type {Error} */ (error).message });
        throw error;
      }
    }

    const isPack = (/** @type {string} */ name) => entries.some((one) => one.name === name && one.provides);

    function feedAll() {
      const wanted = entries.filter(({ ways }) => ways.includes(way));
      Promise.all(wanted.map(({ name }) => feed(name))).then(() => {
        if (phase === 'parts') phase = 'start';
        silentTicks = stepTicks = 0;
      }, close);
    }

    /** A pack that Python turned out to need: the worker waits for it, and nobody hurries the worker. */
    async function feedPack(/** @type {string} */ name) {
      if (!isPack(name)) return;
      onStage('pack');
      packsOnTheWay += 1;
      await feed(name).catch(() => {});
      packsOnTheWay -= 1;
      silentTicks = 0;
    }

    /** @param {number} id @param {any} content */
    function finish(id, content) {
      pending.get(id)?.resolve(content);
      pending.delete(id);
      begun = null;
    }

    /**
     * What the worker says (the list of messages is at the top of worker.js). Once it is ready, the
     * reader's code may run in it: of that worker nothing is taken that another one would be made of.
     * @type {Record<string, Record<string, (message: any) => void>>}
     */
    const hear = {
      starting: {
        alive() {},
        stage({ stage }) {
          stepTicks = 0;
          if (stage) onStage(stage);
        },
        compiled: ({ modules }) => onCompiled(modules),
        need: ({ name }) => feedPack(name),
        ready({ numpy }) {
          phase = 'ready';
          succeed(numpy);
        },
        failed: ({ message }) => close(new Error(message)),
      },
      ready: {
        need: ({ name }) => feedPack(name),
        begin: ({ id }) => { begun = pending.get(id) ?? null; },
        output: ({ id, text }) => pending.get(id)?.onOutput?.(text),
        lacks({ id, name }) {
          if (isPack(name)) finish(id, { lacks: name });
        },
        answer: ({ id, ...content }) => finish(id, content),
        broken: ({ message }) => lose(`Python остановился: ${message}`),
      },
    };
    worker.onmessage = ({ data }) => {
      silentTicks = 0;
      slowness ||= Math.min(SLOWEST, 1 + (performance.now() - made) / TICK_MS);
      if (phase === 'closed') return;
      const known = hear[phase === 'ready' ? 'ready' : 'starting'];
      if (Object.hasOwn(known, data?.type)) known[data.type](data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      lose(`рабочий поток не\u00a0запустился: ${event.message || 'причина неизвестна'}`);
    };

    /** How many silent ticks are still normal. */
    function patience() {
      if (packsOnTheWay) return Infinity;
      if (phase === 'start') return START_TICKS[way];
      if (phase !== 'ready' || !pending.size) return Infinity;
      if (!begun) return BEGIN_TICKS;
      return begun.type === 'run' ? Infinity : FRAME_TICKS;
    }

    const watchdog = setInterval(() => {
      silentTicks += 1;
      stepTicks += 1;
      const factor = slowness || SLOWEST / 2;
      if (silentTicks >= patience() * factor) lose('рабочий поток не\u00a0отвечает');
      else if (phase === 'start' && stepTicks >= STEP_TICKS * factor) {
        close(marked('запуск не\u00a0завершился вовремя', { final: true }));
      }
    }, TICK_MS);

    signal.addEventListener('abort', abort);
    const provides = Object.fromEntries(entries.flatMap((one) => (one.provides ? [[one.name, one.provides]] : [])));
    const { memory } = entries.find((one) => one.name === way) ?? {};
    worker.postMessage({ type: 'boot', way, provides, memory, packs });
    feedAll();

    const numpy = await ready;

    /** @type {RuntimeSession['request']} */
    function request(type, content, onOutput) {
      if (phase === 'closed') return Promise.reject(marked('рабочий поток уже остановлен', { lost: true }));
      const id = ++number;
      return new Promise((resolve, reject) => {
        if (!pending.size) silentTicks = 0;
        pending.set(id, { type, resolve, reject, onOutput });
        worker.postMessage({ type, id, ...content });
      });
    }

    return { numpy, close, request };
  };
})();
