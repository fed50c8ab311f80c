/**
 * Takes from the worker every way out, before Python starts: network, storage, other workers, script
 * text, messages. What stays is listed here, everything else goes, known or not: from the global
 * object and from the prototypes behind it. Nothing can bring it back, since no object that is left
 * leads to what was removed. The worker's own scripts keep in closures what they took before.
 */
'use strict';

self.attnLockdown = (() => {
  const LANGUAGE = `
    Infinity NaN undefined globalThis Object Boolean Symbol Number BigInt Math Date String RegExp Array Map Set
    WeakMap WeakSet WeakRef FinalizationRegistry ArrayBuffer SharedArrayBuffer DataView Atomics Int8Array Uint8Array
    Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array
    Float32Array Float64Array Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError
    SuppressedError InternalError Promise Proxy Reflect JSON Intl Iterator AsyncIterator DisposableStack
    AsyncDisposableStack isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent
    escape unescape Temporal WebAssembly`;
  const KEPT = new Set(LANGUAGE.trim().split(/\s+/));
  // What Pyodide's engine needs of the browser: text to bytes and back, copies, errors.
  const ENGINE = ['DOMException', 'TextDecoder', 'TextEncoder', 'atob', 'btoa', 'structuredClone', 'clearTimeout', 'clearInterval'];
  const CONSOLE = ['debug', 'error', 'info', 'log', 'warn'];
  const scope = globalThis;

  /** @param {string} name @returns {any} a constructor of functions from text that makes none */
  function refusing(name) {
    const refuse = function () {
      throw new EvalError('здесь нельзя выполнять JavaScript из\u00a0текста');
    };
    return Object.defineProperty(refuse, 'name', { value: name });
  }

  /** What the engine looks at or calls, reduced to just that. @returns {Record<string, any>} */
  function standIns() {
    const { crypto, performance, navigator, console, setTimeout, setInterval } = scope;
    const timer = (/** @type {Function} */ set) =>
      (/** @type {unknown} */ action, /** @type {number} */ ms, /** @type {any[]} */ ...given) => {
        if (typeof action !== 'function') throw new TypeError('таймеру нужна функция');
        return set(action, ms, ...given);
      };
    const Function = refusing('Function');
    Function.prototype = scope.Function.prototype; // for `instanceof`
    return {
      Function,
      self: scope,
      ...Object.fromEntries(ENGINE.map((name) => [name, Reflect.get(scope, name)])),
      // By its presence the engine knows a worker. (A TypeError would make it try `import()`.)
      importScripts() { throw new Error('здесь нельзя загружать скрипты'); },
      location: Object.freeze({ href: '' }),
      navigator: Object.freeze({ userAgent: navigator.userAgent, platform: navigator.platform }),
      performance: Object.freeze({ now: () => performance.now() }),
      crypto: Object.freeze({ getRandomValues: (/** @type {any} */ view) => crypto.getRandomValues(view) }),
      console: Object.freeze(Object.fromEntries(CONSOLE.map((name) => [name, console[/** @type {'log'} */ (name)].bind(console)]))),
      AbortSignal: Object.freeze({}),
      setTimeout: timer(setTimeout),
      setInterval: timer(setInterval),
    };
  }

  /** @param {object} owner @param {string | symbol} name @returns {boolean} whether nothing of it is left */
  function remove(owner, name) {
    if (Reflect.deleteProperty(owner, name)) return true;
    Reflect.set(owner, name, undefined); // a `var` of a script cannot be deleted
    const value = Reflect.get(owner, name);
    return value === scope || (typeof value !== 'object' && typeof value !== 'function');
  }

  /** @param {any} owner @param {string} name @param {any} value */
  const fix = (owner, name, value) => Reflect.defineProperty(owner, name, { value, writable: false, configurable: false });

  /** @returns {string[]} what this browser does not let go of: where it is not empty, nobody's code may run */
  return function lockdown() {
    const given = standIns();
    /** @type {string[]} */
    const left = [];
    for (let owner = scope; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
      for (const name of Reflect.ownKeys(owner)) {
        if (owner !== scope || typeof name !== 'string' || !KEPT.has(name)) {
          if (!remove(owner, name)) left.push(String(name));
        }
      }
    }
    for (const [name, value] of Object.entries(given)) if (!fix(scope, name, value)) left.push(name);
    for (const sample of [async () => {}, function* () {}, async function* () {}]) {
      const prototype = Object.getPrototypeOf(sample);
      const kind = prototype[Symbol.toStringTag];
      if (!fix(prototype, 'constructor', refusing(kind))) left.push(kind);
    }
    if (!fix(scope.Function.prototype, 'constructor', scope.Function)) left.push('Function');
    return left;
  };
})();
