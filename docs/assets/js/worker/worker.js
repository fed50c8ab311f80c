/**
 * The worker's side of the conversation. It gets parts of the runtime as buffers, starts Python, and
 * then answers requests one after another. Every request and every answer carries the request's id.
 * A run is the last of them: the page ends this worker when it has the answer.
 *
 * page → worker: boot {way, provides, memory, packs}, part {name, content | error},
 *                ask {id, widget, state}, run {id, code, packs}, inspect {id}
 * worker → page: alive, stage {stage}, compiled {modules}, ready {numpy}, failed {message},
 *                need {name}, begin {id}, output {id, text}, lacks {id, name}, answer {id, …},
 *                broken {message}
 */
'use strict';

(() => {
  const { SITE, start, installPack, unpacked } = self.attnDriver;
  // The only ways out; nobody but this script has them once the worker is locked.
  const { postMessage, setInterval, clearInterval, setTimeout } = self;
  const lockdown = self.attnLockdown;
  const HEARTBEAT_MS = 400;
  const WARM_UP_CALLS = 240;
  const WARM_UP_SLICE = 8;

  /** @typedef {{promise: Promise<any>, resolve: (part: any) => void, reject: (error: Error) => void}} Slot */

  /** Parts that were announced, asked for, or both. @type {Map<string, Slot>} */
  const slots = new Map();
  /** @type {StartedPython} */
  let runtime;
  /** The module figures.laboratory.service. @type {any} */
  let service;
  let numpy = '';
  let queue = Promise.resolve();
  const installed = new Set();
  /** What the browser did not let go of. @type {string[]} */
  let doors = [];

  const tell = (/** @type {string} */ type, content = {}) => postMessage({ type, ...content });

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

  /** @param {{way: Way, provides: Record<string, string[]>, memory?: number, packs: string[]}} order packs: wanted from the start */
  async function boot({ way, provides, memory, packs }) {
    tell('alive');
    const heartbeat = setInterval(() => tell('alive'), HEARTBEAT_MS);
    try {
      doors = lockdown();
      runtime = await start({ way, part, memory, report: (/** @type {string} */ stage) => tell('stage', { stage }) });
      tell('stage', { stage: 'site' });
      installPack(runtime.M, await unpacked(part('site')), SITE);
      service = runtime.python.pyimport('figures.laboratory.service');
      const send = (/** @type {number} */ id, /** @type {string} */ text) => tell('output', { id, text });
      const lack = (/** @type {number} */ id, /** @type {string} */ name) => tell('lacks', { id, name });
      const connected = await withPacks(() => service.connect(JSON.stringify(provides), send, lack));
      if (connected.error) throw new Error(connected.error.message);
      numpy = connected.numpy;
      for (const name of packs) if (!installed.has(name)) await install(name);
      const fresh = !(await part('engine.wasm') instanceof WebAssembly.Module);
      if (fresh) handOn(runtime.modules);
      slots.clear();
      tell('ready', { numpy });
      warmUp(fresh ? WARM_UP_CALLS : WARM_UP_SLICE);
    } catch (error) {
      tell('failed', { message: lastLine(error) });
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** What is compiled serves the next worker; where it cannot be sent, that one compiles anew. @param {object} modules */
  function handOn(modules) {
    try {
      tell('compiled', { modules });
    } catch { /* not every browser sends a module */ }
  }

  /** The first few hundred calls are slow while the browser optimises; requests go in between. @param {number} calls */
  function warmUp(calls) {
    if (calls <= 0) return;
    let left = calls - WARM_UP_SLICE;
    queue = queue.then(() => service.warm_up(WARM_UP_SLICE)).catch(() => { left = 0; }); // only a favour
    queue.then(() => setTimeout(warmUp, 0, left));
  }

  /**
   * Repeat a call as long as it says that it lacks a pack: packs come when a module imports from them.
   * @param {() => string} call
   */
  async function withPacks(call) {
    for (;;) {
      const answer = JSON.parse(call());
      if (!answer.need) return answer;
      try {
        await install(answer.need);
      } catch (error) {
        return missingPack(error);
      }
    }
  }

  /** @param {string} name of a pack that the page has to bring */
  async function install(name) {
    tell('need', { name });
    try {
      installPack(runtime.M, await unpacked(part(name)));
    } finally {
      slots.delete(name);
    }
    installed.add(name);
    service.pack_installed(name);
  }

  /**
   * What the code names is there before it runs. If a pack that it only seems to need does not come,
   * it runs all the same; the packs it has once stopped for it must have.
   * @param {{id: number, code: string, packs: string[]}} job
   */
  async function run({ id, code, packs }) {
    if (doors.length) return refused();
    for (const name of new Set([...packs, ...JSON.parse(service.needed(code))])) {
      try {
        if (!installed.has(name)) await install(name);
      } catch (error) {
        if (packs.includes(name)) return missingPack(error);
      }
    }
    return JSON.parse(service.run(id, code));
  }

  /** An answer to a run that did not take place. @param {string} type @param {string} message @param {string} hint */
  const notRun = (type, message, hint) => ({ ok: false, error: { type, message, hint, line: null, traceback: '' } });

  const refused = () =>
    notRun(
      'SecurityError',
      `этот браузер не\u00a0даёт закрыть коду доступ к\u00a0${doors.join(', ')}`,
      'Рисунки урока считают как прежде, а\u00a0свой код выполните в\u00a0другом браузере.',
    );

  const missingPack = (/** @type {any} */ { message }) =>
    notRun(
      'ImportError',
      `модуль не\u00a0удалось догрузить: ${message}`,
      message.includes('обновите') ? '' : 'Проверьте связь и\u00a0выполните ещё раз.',
    );

  /** Of a Python traceback only what happened is worth showing. @param {any} error */
  const lastLine = (error) => String(error?.message || error).trim().split('\n').pop();

  /** @type {Record<string, (message: any) => Promise<object>>} */
  const requests = {
    ask: async ({ widget, state }) => ({ numpy, ...(await withPacks(() => service.ask(widget, JSON.stringify(state)))) }),
    run,
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
    else if (data.type === 'part') slot(data.name).resolve(data.content);
    else queue = queue.then(() => answer(data));
  };
})();
