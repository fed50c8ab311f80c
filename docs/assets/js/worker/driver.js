/**
 * Starts Pyodide 0.27.7 with NumPy from buffers, inside a worker, without patching any of its files.
 *
 * Three ways lead to the same running Python:
 *   snapshot  memory as it was after `import numpy, einops, …` is copied over a fresh, empty engine;
 *   trimmed   only the modules that are really imported, as bytecode, then the imports themselves;
 *   plain     the published standard library and wheels, unpacked and compiled as stock Pyodide does.
 * The engine and NumPy's two libraries compile in parallel, while the rest is still on its way.
 */
'use strict';

self.attnDriver = (() => {
  // Taken now: worker.js removes them from the global object before Python starts.
  const { Response, ReadableStream, DecompressionStream, _createPyodideModule, attnSnapshot } = self;
  const BUILD = 'e94377f5ce7dcf67e0417b69a0016733c2cfb6b4622ee8c490a6f17eb58e863b';
  const RELEASE = { version: '0.27.7', python: '3.12.7', arch: 'wasm32', platform: 'emscripten_3_1_58', abi_version: '2024_0' };
  const HOME = '/home/pyodide';
  const SITE = '/lib/python3.12/site-packages/';
  const ENGINE = 'engine.wasm';
  const SHARED_LIBRARIES = [
    ['numpy-core.wasm', SITE + 'numpy/_core/_multiarray_umath.cpython-312-wasm32-emscripten.so'],
    ['numpy-linalg.wasm', SITE + 'numpy/linalg/_umath_linalg.cpython-312-wasm32-emscripten.so'],
  ];
  const PAGE = 65536;
  const SIGN_MS = 100; // the page counts ticks of 500 ms; a sign for each file would cost more than the file
  const FIRST_MEMORY = 20 * 2 ** 20;
  const MEMORY_LIMIT = 384 * 2 ** 20; // beyond it Python gets a MemoryError instead of the reader a dead tab

  // Stack switching would add functions to the table; without it the table is the same in every
  // browser, and addresses stored in a snapshot mean the same functions.
  for (const name of ['Suspending', 'promising']) Reflect.deleteProperty(WebAssembly, name);

  /** @param {ArrayBuffer} buffer @returns {ReadableStream<BufferSource>} */
  const streamOf = (buffer) =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(buffer));
        controller.close();
      },
    });
  /** @param {ArrayBuffer} buffer @param {string} type */
  const inflate = (buffer, type) =>
    new Response(streamOf(buffer).pipeThrough(new DecompressionStream('gzip')), {
      headers: { 'content-type': type },
    });
  /** @param {Promise<any>} part */
  const unpacked = async (part) =>
    new Uint8Array(await inflate(await part, 'application/octet-stream').arrayBuffer());
  /** A part that an earlier worker of this page has compiled comes as it is. @param {Promise<any>} part */
  async function compiled(part) {
    const code = await part;
    return code instanceof WebAssembly.Module ? code : WebAssembly.compileStreaming(inflate(code, 'application/wasm'));
  }

  /** Start a promise now, await it later; its failure is told where it is awaited. @template T @param {Promise<T>} promise */
  function early(promise) {
    promise.catch(() => {});
    return promise;
  }

  /**
   * `report()` without a stage only says that the start goes on.
   * @param {{way: Way, part: (name: string) => Promise<any>, report: (stage?: string) => void,
   *   memory?: number, makingSnapshot?: boolean}} options memory: bytes to begin with, for a snapshot its own size
   * @returns {Promise<StartedPython>}
   */
  async function start({ way, part, report, memory = FIRST_MEMORY, makingSnapshot = false }) {
    const supplies = gather(way, part);
    report('compile');
    const engine = early(createEngine({
      supplies,
      makingSnapshot,
      memory,
      runPython: !supplies.snapshot,
      prepare: (M) => reportOpenedFiles(M, report),
    }));
    /** @type {Snapshot | null} */
    const snapshot = supplies.snapshot && attnSnapshot.open(await supplies.snapshot, BUILD);
    const { M, api } = await engine;

    report('memory');
    if (snapshot) attnSnapshot.restore(M, snapshot);
    const python = api.finalizeBootstrap(snapshot ? snapshot.hiwire : undefined);
    if (!snapshot) api.sys.path.insert(0, '');
    api._pyodide.set_excepthook();
    await api.packageIndexReady;
    api.initializeStreams(undefined, () => {}, () => {});

    report('import');
    for (const wheel of supplies.wheels) python.unpackArchive(await wheel, 'wheel', { extractDir: SITE });
    python.runPython('import numpy, einops');
    // A snapshot froze the state of the generator; numpy.random is not in it and seeds itself.
    python.runPython('import random; random.seed()');
    M.FS.open = M.FS.openUnreported;
    return { python, M, api, modules: await compiledModules(supplies) };
  }

  /**
   * Everything a way needs, unpacked or compiled in parallel while the rest is still arriving.
   * @param {Way} way
   * @param {(name: string) => Promise<any>} part
   * @returns {Supplies}
   */
  function gather(way, part) {
    const plain = way === 'plain';
    return {
      engine: early(compiled(part(ENGINE))),
      libraries: plain ? [] : SHARED_LIBRARIES.map(([name, path]) => ({ name, path, code: early(compiled(part(name))) })),
      snapshot: way === 'snapshot' ? early(unpacked(part('snapshot'))) : null,
      modules: way === 'trimmed' ? early(unpacked(part('modules'))) : null,
      stdlib: plain ? early(part('stdlib.zip')) : null,
      wheels: plain ? ['numpy.whl', 'einops.whl'].map((name) => early(part(name))) : [],
    };
  }

  /** By the names of their parts: the next worker need not compile them. @param {Supplies} supplies */
  async function compiledModules({ engine, libraries }) {
    const named = libraries.map(async ({ name, code }) => [name, await code]);
    return Object.fromEntries([[ENGINE, await engine], ...(await Promise.all(named))]);
  }

  /**
   * An engine whose files and libraries are in place; Python itself runs unless memory will be restored.
   * @param {{supplies: Supplies, memory: number, runPython: boolean, makingSnapshot?: boolean,
   *   prepare?: (M: Engine) => void}} options
   */
  async function createEngine({ supplies, memory, runPython, makingSnapshot = false, prepare = () => {} }) {
    /** @type {any} */
    const api = {
      config: {
        fullStdLib: false, jsglobals: globalThis, args: [], packages: [], env: {}, lockFileURL: '', indexURL: '',
        packageCacheDir: '', enableRunUntilComplete: true, checkAPIVersion: true, BUILD_ID: BUILD, _makeSnapshot: makingSnapshot,
      },
      lockFilePromise: Promise.resolve({ info: RELEASE, packages: {} }),
      sitePackages: SITE.slice(0, -1),
    };
    /** The engine itself would wait for ever for what fails. @type {(reason: any) => void} */
    let fail = () => {};
    const failure = early(new Promise((_, reject) => { fail = reject; }));
    const settings = {
      API: api,
      noImageDecoding: true, noAudioDecoding: true, noWasmDecoding: true,
      noInitialRun: !runPython,
      print() {}, printErr() {},
      arguments: [], thisProgram: '/usr/bin/python',
      wasmMemory: new WebAssembly.Memory({ initial: memory / PAGE, maximum: MEMORY_LIMIT / PAGE }),
      locateFile: (/** @type {string} */ name) => name,
      quit(/** @type {number} */ _, /** @type {Error} */ reason) { fail(reason); throw reason; },
      onAbort: (/** @type {string} */ reason) => fail(new Error(reason)),
      instantiateWasm(/** @type {WebAssembly.Imports} */ imports, /** @type {Function} */ done) {
        supplies.engine
          .then(async (module) => done(await WebAssembly.instantiate(module, imports), module))
          .catch(fail);
        return {};
      },
      preRun: [
        prepare,
        (/** @type {Engine} */ M) => {
          M.addRunDependency('parts');
          installSupplies(M, supplies).then(() => M.removeRunDependency('parts')).catch(fail);
        },
        (/** @type {Engine} */ M) => { M.FS.mkdirTree(HOME); M.FS.chdir(HOME); },
        // These end up in Python's memory: a snapshot fits only if they never change.
        (/** @type {Engine} */ M) => Object.assign(M.ENV, { LANG: 'C.UTF-8', _: '/usr/bin/python', HOME, PYTHONINSPECT: '1' }),
      ],
    };
    const M = await Promise.race([_createPyodideModule(settings), failure]);
    return { M, api };
  }

  /** @param {Engine} M @param {Supplies} supplies */
  async function installSupplies(M, { stdlib, modules, libraries }) {
    M.FS.mkdirTree(SITE);
    if (stdlib) M.FS.writeFile('/lib/python312.zip', new Uint8Array(await stdlib), { canOwn: true });
    if (modules) installPack(M, await modules);
    // Python's import system looks for the files before it asks for what is already loaded.
    for (const { path } of libraries) {
      M.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
      M.FS.writeFile(path, new Uint8Array());
    }
    await loadLibraries(M, libraries);
  }

  /**
   * Always in the same order: addresses and table slots of the libraries then repeat exactly.
   * @param {Engine} M
   * @param {Supplies['libraries']} libraries
   */
  async function loadLibraries(M, libraries) {
    const flags = { loadAsync: true, nodelete: true, allowUndefined: true, global: false, fs: M.FS };
    for (const { path, code } of libraries) {
      M.preloadedWasm[path] = await M.loadWebAssemblyModule(await code, flags, path, {});
      await M.loadDynamicLibrary(path, flags, {});
      M.LDSO.loadedLibsByName[path.slice(path.lastIndexOf('/') + 1)] ??= M.LDSO.loadedLibsByName[path];
    }
  }

  /**
   * Imports block the worker for long on a slow device; the files they open are signs of life.
   * @param {Engine} M
   * @param {() => void} report
   */
  function reportOpenedFiles(M, report) {
    let reported = 0;
    M.FS.openUnreported = M.FS.open;
    M.FS.open = (/** @type {any[]} */ ...request) => {
      const now = performance.now();
      if (now - reported >= SIGN_MS) {
        reported = now;
        report();
      }
      return M.FS.openUnreported(...request);
    };
  }

  /**
   * Put the files of a pack (its format: figures/runtime/packs.py) where Python looks for them.
   * @param {Engine} M
   * @param {Uint8Array} bytes
   */
  function installPack(M, bytes, root = '') {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    const folders = new Set();
    for (const [path, offset, size] of header) {
      const folder = root + path.slice(0, path.lastIndexOf('/'));
      if (!folders.has(folder)) M.FS.mkdirTree(folder);
      folders.add(folder);
      const begin = 4 + length + offset;
      M.FS.writeFile(root + path, bytes.subarray(begin, begin + size), { canOwn: true });
    }
  }

  return { SITE, BUILD, start, gather, createEngine, installPack, unpacked };
})();
