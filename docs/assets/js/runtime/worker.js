/**
 * The worker's side of the conversation. It gets parts of the runtime as buffers, starts Python, and
 * then answers requests one after another. Every request and every answer carries the request's id.
 *
 * page → worker: boot {way, provides, memory}, part {name, buffer | error},
 *                ask {id, widget, state}, run {id, code}, inspect {id}
 * worker → page: alive, stage {stage}, ready {numpy}, failed {message}, need {name}, begin {id},
 *                output {id, text}, answer {id, …}, broken {message}
 */
'use strict';

(() => {
  const { SITE, start, installPack, unpacked } = self.attnDriver;
  const HEARTBEAT_MS = 400;
  const WARM_UP_CALLS = 240;
  const WARM_UP_SLICE = 8;

  /** @typedef {{promise: Promise<ArrayBuffer>, resolve: (part: ArrayBuffer) => void, reject: (error: Error) => void}} Slot */

  /** Parts that were announced, asked for, or both. @type {Map<string, Slot>} */
  const slots = new Map();
  /** @type {StartedPython} */
  let runtime;
  /** The module figures.laboratory.service. @type {any} */
  let service;
  let numpy = '';
  let queue = Promise.resolve();

  const tell = (/** @type {string} */ type, content = {}) => self.postMessage({ type, ...content });

  /** @param {string} name @returns {Slot} */
  function slot(name) {
    const known = slots.get(name);
    if (known) return known;
    const made = /** @type {Slot} */ ({});
    made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
    made.promise.catch(() => {});
    slots.set(name, made);
    return made;
  }
  const part = (/** @type {string} */ name) => slot(name).promise;

  /** @param {{way: Way, provides: Record<string, string[]>, memory?: number}} order */
  async function boot({ way, provides, memory }) {
    tell('alive');
    const heartbeat = setInterval(() => tell('alive'), HEARTBEAT_MS);
    try {
      runtime = await start({ way, part, memory, report: (/** @type {string} */ stage) => tell('stage', { stage }) });
      tell('stage', { stage: 'site' });
      installPack(runtime.M, await unpacked(part('site')), SITE);
      service = runtime.python.pyimport('figures.laboratory.service');
      const send = (/** @type {number} */ id, /** @type {string} */ text) => tell('output', { id, text });
      const connected = await withPacks(() => service.connect(JSON.stringify(provides), send));
      if (connected.error) throw new Error(connected.error.message);
      numpy = connected.numpy;
      slots.clear();
      tell('ready', { numpy });
      warmUp(WARM_UP_CALLS);
    } catch (error) {
      tell('failed', { message: lastLine(error) });
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** The first few hundred calls are slow while the browser optimises; requests go in between. @param {number} calls */
  function warmUp(calls) {
    if (calls <= 0) return;
    queue = queue.then(() => service.warm_up(WARM_UP_SLICE));
    queue.then(() => setTimeout(warmUp, 0, calls - WARM_UP_SLICE));
  }

  /**
   * Repeat a call as long as it says that it lacks a pack: packs come when code imports from them.
   * @param {() => string} call
   */
  async function withPacks(call) {
    for (;;) {
      const answer = JSON.parse(call());
      if (!answer.need) return answer;
      tell('need', { name: answer.need });
      try {
        installPack(runtime.M, await unpacked(part(answer.need)));
      } catch (error) {
        return { ok: false, error: missingPack(/** @type {Error} */ (error)) };
      } finally {
        slots.delete(answer.need);
      }
      service.pack_installed(answer.need);
    }
  }

  const missingPack = (/** @type {Error} */ error) => ({
    type: 'ImportError',
    message: `модуль не\u00a0удалось догрузить: ${error.message}`,
    hint: error.message.includes('обновите') ? '' : 'Проверьте связь и\u00a0выполните ещё раз.',
    line: null,
    traceback: '',
  });

  /** Of a Python traceback only what happened is worth showing. @param {any} error */
  const lastLine = (error) => String(error?.message || error).trim().split('\n').pop();

  /** @type {Record<string, (message: any) => Promise<object>>} */
  const requests = {
    ask: async ({ widget, state }) => ({ numpy, ...(await withPacks(() => service.ask(widget, JSON.stringify(state)))) }),
    run: ({ id, code }) => withPacks(() => service.run(id, code)),
    inspect: async () => ({ heapBytes: runtime.M.HEAPU8.length, references: runtime.M.hiwire.num_keys() }),
  };

  /** @param {any} message */
  async function answer(message) {
    tell('begin', { id: message.id });
    const began = performance.now();
    try {
      const content = await requests[message.type](message);
      tell('answer', { id: message.id, ms: performance.now() - began, ...content });
    } catch (error) {
      tell('broken', { message: lastLine(error) });
    }
  }

  self.onmessage = ({ data }) => {
    if (data.type === 'boot') boot(data);
    else if (data.type === 'part' && data.error) slot(data.name).reject(new Error(data.error));
    else if (data.type === 'part') slot(data.name).resolve(data.buffer);
    else queue = queue.then(() => answer(data));
  };
})();
