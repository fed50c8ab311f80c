/**
 * What the parts of this site's scripts offer to each other: one object, one folder of scripts a part.
 * The build joins the folders into one script, so nothing is imported; the checker holds these shapes true.
 */
interface Attn {
  /** site/page.js: the life of a part of a page, and what every part needs. */
  site: {
    /** Calls `mount` for each element that matches, on every page; what it returns is called when it leaves. */
    onPage(selector: string, mount: (root: HTMLElement) => (() => void) | void): void;
    keepHotkeysOut(root: HTMLElement): void;
    storage: { read(key: string): any; write(key: string, value: any): boolean };
    element(tag: string, attributes?: Record<string, string | boolean>, ...children: (Node | string)[]): HTMLElement;
  };

  /** runtime/client.js: Python, for whoever asks. */
  runtime: {
    readonly state: 'idle' | 'loading' | 'ready' | 'error';
    readonly path: Way | null;
    readonly reason: string;
    start(options?: { ways?: Way[] }): Promise<any>;
    stop(): void;
    retry(): Promise<any>;
    ask(question: { widget: string; state: object }): Promise<{ frame: any; ms: number; numpy: string }>;
    run(job: { code: string; onOutput?: (text: string) => void; onRestart?: () => void }): Promise<RunResult>;
    inspect(): Promise<any>;
    on(event: 'state' | 'progress', listener: (value: any) => void): () => void;
  };
  /** runtime/: what the client is made of. */
  supply: { check(): void; gather(signal: AbortSignal, count: (wanted: number, came: number) => void): Promise<Supply> };
  openSession: (options: any) => Promise<RuntimeSession>;
  integrity: { verified(buffer: ArrayBuffer, entry: RuntimePart): Promise<ArrayBuffer> };
  runResult: { (answer: any): RunResult; outputTo(onOutput?: (text: string) => void): (text: unknown) => void };
  /** Written at build time: a page brings its own index, so it never mixes two releases. */
  runtimeIndex: RuntimePart[];
  /** http/assets.js or file/assets.js: the bytes of a part. */
  assets: { list(): Promise<RuntimePart[]>; load(name: string, onBytes?: (count: number) => void): Promise<ArrayBuffer> };
  /** Of the edition for file://: parts as scripts hand them over, the search worker's text. */
  embedded: Record<string, string>;
  searchWorker: string;

  /** widgets/: interactive figures; `packed` are the frames of the build, as their files hand them over. */
  widgets: any;
  packed: Record<string, any>;
  /** lab/: the laboratory, on its own page only. */
  lab: {
    mount(root: HTMLElement): () => void;
    link: { linkTo(code: string): Promise<string>; unpack(text: string): Promise<string> };
    [part: string]: any;
  };

  /** offline/: the copy for reading without a network. */
  offlineNames: {
    caches(scope: string, release: string): { own: string; pages: string; runtime: string; whole: string };
    isKept(part: { ways: string[] }): boolean;
    address(scope: string, part: { file: string }): string;
  };
  offlineCauses: {
    STORAGE: string;
    INSECURE: string;
    explained(error: any, isOutdated: () => Promise<boolean>): Promise<string>;
  };
  offlineSite: {
    SCOPE: string;
    /** None in `mkdocs serve`, which has no release. */
    names: ReturnType<Attn['offlineNames']['caches']>;
    canBe: boolean;
    stamp(): HTMLMetaElement | null;
    install(onProgress: (done: number, total: number) => void): Promise<void>;
    isInstalled(): Promise<boolean>;
    isKeptCopy(): Promise<boolean>;
    isOutdated(): Promise<boolean>;
    obstacle(): Promise<string>;
  };
  offline: any;
}

declare var attn: Attn;

/** Material's stream of pages: emits the document now and after each in-site navigation. */
declare var location$: { subscribe(next: (location: URL) => void): void } | undefined;
declare var document$: { subscribe(next: (document: Document) => void): void } | undefined;
