/**
 * Runs in a worker beside the driver: starts Python the trimmed way, imports what lessons need, and
 * writes down where memory then differs from that of an engine in which Python has not run.
 * It has to be a browser: Node's engine gives the function table another length.
 */
'use strict';

(() => {
  const { BUILD, start, gather, createEngine } = self.attnDriver;
  const { CHUNK, untouchedHash } = self.attnSnapshot;

  /** Fill what malloc has free with zeros: rubbish of past allocations would be stored otherwise. */
  function clearFreeMemory(M) {
    const size = M.HEAPU8.length;
    const held = [];
    for (let block = 2 ** 22; block >= 32; block >>= 1) {
      for (;;) {
        const address = M._PyMem_RawMalloc(block) >>> 0;
        if (address && address + block <= size) M.HEAPU8.fill(0, address, address + block);
        if (address) held.push(address);
        if (!address || address + block > size) break;
      }
    }
    held.forEach((address) => M._PyMem_RawFree(address));
  }

  /** [[first chunk, count, stored], …] over all chunks that differ from the base. */
  function differences(heap, base) {
    const now = new BigUint64Array(heap.buffer);
    const before = new BigUint64Array(base.buffer);
    const words = CHUNK / 8;
    const runs = [];
    for (let chunk = 0; chunk < heap.length / CHUNK; chunk++) {
      const begin = chunk * words;
      let same = true;
      let zero = true;
      for (let i = begin; i < begin + words; i++) {
        if (now[i] !== before[i]) same = false;
        if (now[i] !== 0n) zero = false;
      }
      if (same) continue;
      const last = runs.at(-1);
      if (last && last[0] + last[1] === chunk && last[2] === Number(!zero)) last[1] += 1;
      else runs.push([chunk, 1, Number(!zero)]);
    }
    return runs;
  }

  function assemble(header, heap) {
    const text = new TextEncoder().encode(JSON.stringify(header));
    const pieces = header.runs.filter(([, , stored]) => stored).map(([first, count]) => heap.subarray(first * CHUNK, (first + count) * CHUNK));
    return new Blob([new Uint32Array([text.length]), text, ...pieces]);
  }

  async function make({ parts, code, upload }) {
    const part = async (name) => parts[name];
    const { python, M, api } = await start({ way: 'trimmed', part, report() {}, makingSnapshot: true });
    const table = M.wasmTable.length;
    python.runPython(code);
    const modules = python.runPython('import json, sys; json.dumps(sorted(m.__file__ for m in list(sys.modules.values()) if getattr(m, "__file__", None)))');
    python.runPython('import gc; gc.collect()');
    clearFreeMemory(M);
    if (M.wasmTable.length !== table) throw new Error('imports made the function table longer');
    const base = await createEngine({ supplies: gather('trimmed', part), memory: M.HEAPU8.length, runPython: false });
    const runs = differences(M.HEAPU8, base.M.HEAPU8);
    const header = {
      build: BUILD,
      size: M.HEAPU8.length,
      table,
      runs,
      untouched: untouchedHash(M.HEAPU8, runs),
      hiwire: api.serializeHiwireState(),
      handles: Object.entries(M.LDSO.loadedLibsByHandle)
        .filter(([, library]) => library.name !== '__main__')
        .map(([handle, library]) => [Number(handle), library.name]),
    };
    await fetch(upload, { method: 'POST', body: assemble(header, M.HEAPU8) });
    return { modules: JSON.parse(modules), size: header.size, runs: runs.length, table };
  }

  self.onmessage = ({ data }) => make(data).then(
    (report) => self.postMessage(report),
    (error) => self.postMessage({ error: `${error.message}\n${error.stack}` }),
  );
})();
