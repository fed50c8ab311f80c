/**
 * The worker's side of the conversation. It gets parts of the runtime as buffers, starts Python, and
 * then answers requests one after another. Every request and every answer carries the request's id.
 *
 * page → worker: boot {way, provides}, part {name, buffer | error}, ask {id, widget, state},
 *                run {id, code}, inspect {id}, ping
 * worker → page: alive, stage {stage}, ready {numpy}, failed {message}, need {name}, begin {id},
 *                output {id, text}, answer {id, …}, broken {id, message}
 */
'use strict';

(() => {
  const { SITE, start, installPack, unpacked } = self.attnDriver;
  const HEARTBEAT_MS = 400;
  const WARM_UP_CALLS = 240;
  const WARM_UP_SLICE = 8;

  /** @type {Map<string, {promise: Promise<ArrayBuffer>, resolve: Function, reject: Function}>} */
  const parts = new Map();
  let runtime = null;
  let service = null;
  let queue = Promise.resolve();

  const tell = (type, content = {}) => self.postMessage({ type, ...content });

  function slot(name) {
    if (!parts.has(name)) {
      const made = {};
      made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
      made.promise.catch(() => {});
      parts.set(name, made);
    }
    return parts.get(name);
  }
  const part = (name) => slot(name).promise;

  async function boot({ way, provides }) {
    tell('alive');
    const heartbeat = setInterval(() => tell('alive'), HEARTBEAT_MS);
    try {
      runtime = await start({ way, part, report: (stage) => tell('stage', { stage }) });
      tell('stage', { stage: 'site' });
      installPack(runtime.M, await unpacked(part('site')), SITE);
      service = runtime.python.pyimport('figures.laboratory.service');
      const send = (id, text) => tell('output', { id, text });
      const { numpy } = await withPacks(() => service.connect(JSON.stringify(provides), send));
      parts.clear();
      tell('ready', { numpy });
      warmUp(WARM_UP_CALLS);
    } catch (error) {
      tell('failed', { message: lastLine(error) });
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** The first few hundred calls are slow while the browser optimises; requests go in between. */
  function warmUp(calls) {
    if (calls <= 0) return;
    queue = queue.then(() => service.warm_up(WARM_UP_SLICE));
    queue.then(() => setTimeout(warmUp, 0, calls - WARM_UP_SLICE));
  }

  /** Repeat a call as long as it says that it lacks a pack: packs come when code imports from them. */
  async function withPacks(call) {
    for (;;) {
      const answer = JSON.parse(call());
      if (!answer.need) return answer;
      tell('need', { name: answer.need });
      try {
        installPack(runtime.M, await unpacked(part(answer.need)));
      } catch (error) {
        return { ok: false, error: missingPack(error) };
      } finally {
        parts.delete(answer.need);
      }
      service.pack_installed(answer.need);
    }
  }

  /** Of a Python traceback only what happened is worth showing. */
  const lastLine = (error) => String((error && error.message) || error).trim().split('\n').pop();

  const missingPack = (error) => ({
    type: 'ImportError',
    message: `модуль не удалось догрузить: ${error.message}`,
    hint: 'Проверьте связь и выполните ещё раз.',
    line: null,
    traceback: '',
  });

  const requests = {
    ask: ({ widget, state }) => withPacks(() => service.ask(widget, JSON.stringify(state))),
    run: ({ id, code }) => withPacks(() => service.run(id, code)),
    async inspect() {
      return { ok: true, heapBytes: runtime.M.HEAPU8.length, references: runtime.M.hiwire.num_keys() };
    },
  };

  async function answer(message) {
    tell('begin', { id: message.id });
    const began = performance.now();
    try {
      const content = await requests[message.type](message);
      tell('answer', { id: message.id, ms: performance.now() - began, ...content });
    } catch (error) {
      tell('broken', { id: message.id, message: lastLine(error) });
    }
  }

  self.onmessage = ({ data }) => {
    if (data.type === 'boot') boot(data);
    else if (data.type === 'ping') tell('alive');
    else if (data.type === 'part' && data.error) slot(data.name).reject(new Error(data.error));
    else if (data.type === 'part') slot(data.name).resolve(data.buffer);
    else queue = queue.then(() => answer(data));
  };
})();
