/**
 * The memory of a started Python as a file: opened, checked and copied over a fresh engine.
 * figures/runtime/make_snapshot.js writes such files.
 *
 * Layout: length of the header (32 bits, little-endian), header (JSON), then chunks of memory.
 * header.runs = [[first chunk, count, stored], …] lists the chunks that differ from the memory of an
 * engine that has not run Python yet: stored ones follow in order, the others are zero.
 */
'use strict';

self.attnSnapshot = (() => {
  const CHUNK = 1024;

  /** @param {Uint8Array} bytes @param {string} build @returns {Snapshot} */
  function open(bytes, build) {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    if (length > bytes.length) throw new Error('снимок памяти обрезан');
    /** @type {Snapshot} */
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    const stored = header.runs.reduce((sum, [, count, kept]) => sum + (kept ? count * CHUNK : 0), 0);
    if (header.build !== build) throw new Error('снимок памяти сделан для другой сборки');
    if (bytes.length !== 4 + length + stored) throw new Error('снимок памяти другой длины');
    return { ...header, data: bytes.subarray(4 + length) };
  }

  /** The engine must be exactly the one the snapshot was taken over, or addresses would lie. @param {Engine} M @param {Snapshot} snapshot */
  function check(M, snapshot) {
    if (M.HEAPU8.length !== snapshot.size) throw new Error('память этого браузера другого размера');
    if (M.wasmTable.length !== snapshot.table) throw new Error('таблица функций этого браузера другой длины');
    if (untouchedHash(M.HEAPU8, snapshot.runs) !== snapshot.untouched) throw new Error('память до\u00a0запуска отличается от\u00a0той, что при снимке');
  }

  /** @param {Engine} M @param {Snapshot} snapshot */
  function restore(M, snapshot) {
    check(M, snapshot);
    let offset = 0;
    for (const [first, count, stored] of snapshot.runs) {
      const begin = first * CHUNK;
      const size = count * CHUNK;
      if (stored) M.HEAPU8.set(snapshot.data.subarray(offset, (offset += size)), begin);
      else M.HEAPU8.fill(0, begin, begin + size);
    }
    for (const [handle, name] of snapshot.handles) {
      M.LDSO.loadedLibsByHandle[handle] = M.LDSO.loadedLibsByName[name];
    }
  }

  /** FNV-1a over the words of all memory that a restore leaves as it is. @param {Uint8Array} heap @param {Run[]} runs */
  function untouchedHash(heap, runs) {
    const words = new Uint32Array(heap.buffer);
    const perChunk = CHUNK / 4;
    let hash = 0x811c9dc5;
    let next = 0;
    for (const [first, count] of [...runs, [words.length / perChunk, 0]]) {
      for (let i = next * perChunk; i < first * perChunk; i++) hash = Math.imul(hash ^ words[i], 0x01000193);
      next = first + count;
    }
    return hash >>> 0;
  }

  return { CHUNK, open, restore, untouchedHash };
})();
