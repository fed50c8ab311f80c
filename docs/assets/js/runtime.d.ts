/** Shapes that the runtime's scripts share. */

type Way = 'snapshot' | 'trimmed' | 'plain';

/** One part of the runtime, as the index written at build time describes it. */
interface RuntimePart {
  name: string;
  file: string;
  bytes: number;
  sha256: string;
  ways: Way[];
  /** Modules whose import needs this pack. */
  provides?: string[];
  /** Of the snapshot: bytes of memory that an engine must begin with. */
  memory?: number;
}

/** Emscripten's module object and Pyodide's inner API: the parts the driver touches are not typed by them. */
type Engine = any;

interface StartedPython {
  python: any;
  M: Engine;
  api: any;
  /** What was compiled, by the names of its parts. */
  modules: Record<string, WebAssembly.Module>;
}

/** What a way of starting needs, on its way from the page. */
interface Supplies {
  engine: Promise<WebAssembly.Module>;
  libraries: { name: string; path: string; code: Promise<WebAssembly.Module> }[];
  snapshot: Promise<Uint8Array> | null;
  modules: Promise<Uint8Array> | null;
  stdlib: Promise<ArrayBuffer> | null;
  wheels: Promise<ArrayBuffer>[];
}

/** [first chunk, number of chunks, stored (1) or zero (0)] */
type Run = [number, number, number];

interface Snapshot {
  build: string;
  size: number;
  table: number;
  runs: Run[];
  untouched: number;
  hiwire: object;
  handles: [number, string][];
  data: Uint8Array;
}

/** All that one start needs and the next one can use again. */
interface Supply {
  entries: RuntimePart[];
  store: {
    load(name: string): Promise<any>;
    replace(modules: Record<string, WebAssembly.Module>): void;
    /** Packs that have come. */
    packs: Set<string>;
  };
  code: Promise<Blob>;
}

/** A running worker, as session.js hands it to client.js. */
interface RuntimeSession {
  numpy: string;
  close(error?: Error): void;
  request(type: string, content: object, onOutput?: (text: string) => void): Promise<any>;
}

/** Marks on errors that decide what comes next: another try, another way, or a message at once. */
interface RuntimeError extends Error {
  lost?: boolean;
  stalled?: boolean;
  final?: boolean;
  outdated?: boolean;
  hopeless?: boolean;
}

declare var attnDriver: any;
declare var attnSnapshot: any;
declare var attnLockdown: () => string[];
declare function _createPyodideModule(settings: object): Promise<Engine>;

/** What a run of the reader's code came to. */
interface RunResult {
  ok: boolean;
  output: string;
  ms: number;
  error: null | { type: string; message: string; hint: string; line: number | null; traceback: string };
  value: null | {
    repr: string;
    shape: number[] | null;
    dtype: string | null;
    heat: (number | null)[][] | null;
    texts?: string[][] | null;
  };
}
