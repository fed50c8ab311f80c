"""What a reader's code can do: nothing outside its own run. Tried on a page without any policy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from figures.browsers.firefox import Firefox
from figures.browsers.server import Reply, StaticServer
from tests.browser.runtime_calls import STATE, in_worker, run, start
from tests.conftest import Evaluate, until


def words(text: str) -> set[str]:
    return set(text.split())


LANGUAGE = words("""
    AggregateError Array ArrayBuffer AsyncDisposableStack AsyncIterator Atomics BigInt BigInt64Array
    BigUint64Array Boolean DataView Date DisposableStack Error EvalError FinalizationRegistry
    Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array
    InternalError Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError
    ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError
    Temporal TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef
    WeakSet WebAssembly decodeURI decodeURIComponent encodeURI encodeURIComponent escape globalThis
    isFinite isNaN parseFloat parseInt undefined unescape
    """)
OF_THE_BROWSER = words("""
    DOMException TextDecoder TextEncoder atob btoa clearInterval clearTimeout setInterval setTimeout
    structuredClone self
    """)
# Nothing but what is written here is left of them.
REDUCED = {
    "AbortSignal": [],
    "console": ["debug", "error", "info", "log", "warn"],
    "crypto": ["getRandomValues"],
    "importScripts": [],
    "location": ["href"],
    "navigator": ["platform", "userAgent"],
    "performance": ["now"],
}
NAMES_WITHOUT_VALUE = {"_createPyodideModule", "PERSISTENT", "TEMPORARY"}  # numbers or undefined

# Before anything is removed: everything that the browser gives to a worker, and a walk that looks
# for it in all that can be reached from somewhere.
WALK = """
{
  const chain = [];
  for (let o = self; o && o !== Object.prototype; o = Object.getPrototypeOf(o)) chain.push(o);
  const doors = new Map();
  const keep = new Set([...KEPT, 'attnWalk']);
  for (const name of chain.flatMap((owner) => Reflect.ownKeys(owner))) {
    if (keep.has(name)) continue;
    let value;
    try { value = self[name]; } catch { continue; }
    if (!value || !/^(object|function)$/.test(typeof value)) continue;
    doors.set(value, String(name));
    const { prototype } = value;
    if (prototype) doors.set(prototype, `${String(name)}.prototype`);
  }
  chain.forEach((owner) => doors.delete(owner)); // what is left in those is looked at by name
  for (const sample of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    doors.set(sample.constructor, `constructor of ${sample.constructor.name}`);
  }
  for (const name of ['eval', 'fetch']) doors.set(self[name], name);
  const { fetch: fetched, setTimeout: later } = self;
  // A door that is left open, and is gone through after everything that was begun before.
  Object.attnPlant = (url, turns = 10) =>
    turns ? later(() => Object.attnPlant(url, turns - 1)) : fetched(url);
  Object.attnWalk = (planted, ...roots) => {
    const seen = new Set();
    const found = [];
    const queue = [self, ...roots, ...(planted ? [{ a: { get b() { return [fetched]; } } }] : [])];
    const add = (value) => {
      if (!value || !/^(object|function)$/.test(typeof value) || seen.has(value)) return;
      seen.add(value);
      if (doors.has(value)) found.push(doors.get(value));
      queue.push(value);
    };
    while (queue.length && seen.size < 400000) {
      const one = queue.pop();
      try {
        add(Object.getPrototypeOf(one));
        if (ArrayBuffer.isView(one)) continue;
        for (const key of Reflect.ownKeys(one)) {
          const property = Reflect.getOwnPropertyDescriptor(one, key);
          [property.value, property.get, property.set].forEach(add);
          if (property.get && key !== 'attnWalk') try { add(one[key]); } catch {}
        }
      } catch {}
    }
    return JSON.stringify({ found, seen: seen.size, doors: doors.size, left: queue.length });
  };
}
""".replace("KEPT", json.dumps(sorted(LANGUAGE | OF_THE_BROWSER)))

IMPORTS = "import js, pyodide_js, _pyodide_core, socket, pyodide.code, pyodide.http"
# Each must fail at once.
SHUT = {
    "caches": "js.caches.open('x')",
    "CacheStorage": "js.CacheStorage",
    "indexedDB": "js.indexedDB.open('x')",
    "IDBFactory": "js.IDBFactory.prototype.open",
    "navigator.storage": "js.navigator.storage.getDirectory()",
    "navigator.serviceWorker": "js.navigator.serviceWorker.ready",
    "navigator.locks": "js.navigator.locks.query()",
    "webkitRequestFileSystem": "js.webkitRequestFileSystemSync(0, 9)",
    "cookieStore": "js.cookieStore.getAll()",
    "importScripts": "js.importScripts(HOST + 'probe.js')",
    "fetch": "js.fetch(HOST + 'probe')",
    "XMLHttpRequest": "js.XMLHttpRequest.new()",
    "WebSocket": "js.WebSocket.new(HOST.replace('http', 'ws') + 'probe')",
    "EventSource": "js.EventSource.new(HOST + 'probe')",
    "WebTransport": "js.WebTransport.new('https://127.0.0.1:1/probe')",
    "BroadcastChannel": "js.BroadcastChannel.new('x').postMessage('x')",
    "MessageChannel": "js.MessageChannel.new()",
    "Worker": "js.Worker.new(HOST + 'probe.js')",
    "SharedWorker": "js.SharedWorker.new(HOST + 'probe.js')",
    "FontFace": "js.FontFace.new('x', f'url({HOST}probe)').load()",
    "createImageBitmap": "js.createImageBitmap(1)",
    "createObjectURL": "js.URL.createObjectURL(js.Blob.new([]))",
    "postMessage": "js.postMessage(1)",
    "self.postMessage": "js.self.postMessage(1)",
    "addEventListener": "js.addEventListener('message', print)",
    "close": "js.close()",
    "eval": "js.eval('1')",
    "run_js": "pyodide.code.run_js('1')",
    "Function": "js.Function.new('return 1')()",
    "constructor": "js.Object.constructor('return 1')()",
    "constructor of a proxy": "js.setTimeout.constructor.constructor('return 1')()",
    "constructor of the global": "js.globalThis.constructor.constructor('return fetch')()",
    "constructor of a coroutine": "pyodide_js.runPythonAsync.constructor('return 1')()",
    "prototype of the global": "js.Object.getPrototypeOf(js.globalThis).fetch",
    "timer with text": "js.setTimeout('1', 0)",
    "open_url": "pyodide.http.open_url(HOST + 'probe')",
    "pyfetch": "pyodide.http.pyfetch(HOST + 'probe').send(None)",
    "socket": "socket.create_connection((HOST.split('/')[2].split(':')[0], 80), 1)",
}
# These answer later: no request may follow, whatever they answer. The last one does get out.
ANSWERED_LATER = """
ASYNC = js.JSON.parse('{"loadAsync": true}')
for attempt in (
    lambda: pyodide_js.loadPackage(HOST + "probe.whl"),
    lambda: pyodide_js._module.loadDynamicLibrary(HOST + "probe.so", ASYNC),
    lambda: pyodide_js._api.loadBinaryFile(HOST + "probe"),
    lambda: pyodide_js._module.asyncLoad(HOST + "probe", print, print),
):
    try:
        attempt()
    except BaseException:
        pass
js.Object.attnPlant(HOST + "planted")
"""


def without_policy(reply: Reply) -> None:
    """Fault: the page of `mkdocs serve`, and of a host that has lost it."""
    assert b"Content-Security-Policy" in reply.body
    reply.body = re.sub(rb"<meta http-equiv=.Content-Security-Policy[^>]*>", b"", reply.body)


@pytest.fixture(params=["Chromium", "Firefox"])
def evaluate(request, bare_server: StaticServer, browser: Browser) -> Iterator[Evaluate]:
    """Of a page that has no policy, whose workers know the walk and go on after their end."""
    bare_server.faults["^/$"] = without_policy
    prepare = f"""(() => {{
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => make(new Blob([{json.dumps(WALK)}, blob]));
      window.ended = [];
      Worker.prototype.terminate = function () {{ ended.push(this); }};
      return 1;
    }})()"""
    if request.param == "Firefox":
        with Firefox() as firefox:
            firefox.open(bare_server.url)
            firefox.evaluate(prepare)
            yield firefox.evaluate
    else:
        context = browser.new_context()
        context.set_default_timeout(120_000)
        page = context.new_page()
        page.goto(bare_server.url)
        page.evaluate(prepare)
        yield page.evaluate
        context.close()


def printed(evaluate: Evaluate, code: str) -> dict:
    """What code prints as JSON."""
    answer = evaluate(f"attn.runtime.run({{code: {json.dumps(code)}}})")
    assert answer["ok"], answer["error"]
    return json.loads(answer["output"])


def test_every_door_is_shut_and_what_is_left_is_known(
    evaluate: Evaluate, bare_server: StaticServer
) -> None:
    left = printed(
        evaluate,
        "import js, pyodide_js, json\n"
        "names = lambda one: [str(x) for x in js.Reflect.ownKeys(one)]\n"
        "chain, one = [], js.Object.getPrototypeOf(js.globalThis)\n"
        "while not getattr(js.Object, 'is')(one, js.Object.prototype):\n"
        "    chain += names(one); one = js.Object.getPrototypeOf(one)\n"
        f"of = {{name: [n for n in names(getattr(js, name)) if n not in ('length', 'name', "
        f"'prototype', 'arguments', 'caller')] for name in {sorted(REDUCED)}}}\n"
        "walks = [json.loads(js.Object.attnWalk(planted, pyodide_js, pyodide_js._module, "
        "pyodide_js._api)) for planted in (False, True)]\n"
        "print(json.dumps({'names': names(js.globalThis), 'chain': chain, 'of': of, "
        "'walks': walks}))",
    )
    allowed = LANGUAGE | OF_THE_BROWSER | set(REDUCED) | NAMES_WITHOUT_VALUE
    assert len(left["names"]) > 60, f"the list of what is left is cut: {left['names']}"
    assert not set(left["names"]) - allowed, "the worker has kept what nobody has allowed"
    assert not set(left["chain"]) - NAMES_WITHOUT_VALUE, "prototypes of the worker kept something"
    assert {name: sorted(keys) for name, keys in left["of"].items()} == REDUCED
    walk, planted = left["walks"]
    assert walk["doors"] > 200 and walk["seen"] > 3000 and not walk["left"], f"no walk: {walk}"
    assert "fetch" in planted["found"], "the walk does not see a door that is there"
    assert not walk["found"], f"reached in {walk['seen']} objects: {walk['found']}"

    outcomes = printed(
        evaluate,
        f"{IMPORTS}\nimport json\nHOST = {bare_server.url!r}\noutcomes = {{}}\n"
        f"for name, attempt in {SHUT!r}.items():\n"
        "    try:\n        outcomes[name] = f'open: {eval(attempt)!r:.60}'\n"
        "    except BaseException as error:\n        outcomes[name] = type(error).__name__\n"
        f"{ANSWERED_LATER}\nprint(json.dumps(outcomes))",
    )
    assert len(outcomes) == len(SHUT), outcomes
    assert not {name: how for name, how in outcomes.items() if how.startswith("open")}
    until(lambda _: "/planted" in bare_server.requests, "a request that gets out is seen")
    lazy_file = (
        "import pyodide_js\npyodide_js.FS.createLazyFile('/', 'x', "
        f"'{bare_server.url}probe', True, False)\nopen('/x').read()"
    )
    evaluate(f"attn.runtime.run({{code: {json.dumps(lazy_file)}}}).catch(() => {{}}).then(() => 1)")
    kept = evaluate(
        "Promise.all([caches.keys(), indexedDB.databases()]).then((kept) => kept.flat().length)"
    )
    assert kept == 0, "code of a run has stored something"
    assert not [path for path in bare_server.requests if "probe" in path], "a request got out"


ALIVE = """
window.alive = window.most = 0;
window.Worker = class extends Worker {
  constructor(...from) { super(...from); most = Math.max(most, ++alive); }
  terminate() { super.terminate(); alive -= 1; }
};
"""
# Whatever a program can reach, it has changed: a library, NumPy, Python, the answer itself, files.
SABOTAGE = """
import builtins, json, sys, js, attnlib, figures.widgets.attention
import figures.laboratory.service as service
attnlib.masks.causal = attnlib.causal = lambda n, n_k=None, **more: np.ones((n, n_k or n), bool)
figures.widgets.attention.frame = lambda state: 'чужое'
np.exp, builtins.sum = np.sin, lambda *of: 0
np.set_printoptions(precision=1)
service.ask = lambda *of: json.dumps({'ok': True, 'frame': 'чужое'})
sys.modules['einops'] = None
open(attnlib.__file__, 'w').write('raise SystemExit')
open('seen', 'w').write('1')
js.Object.seen = 1
js.JSON.parse = js.JSON.stringify
print('сделано')
"""
LOOK = """
import builtins, os, js, attnlib, einops
print(np.exp(1.0), sum([1, 2]), os.path.exists('seen'), hasattr(js.Object, 'seen'))
print(attnlib.masks.causal(2).tolist(), len(open(attnlib.__file__).read()) > 100)
np.array([1.23456])
"""


def test_nothing_outlives_its_run(bare_server: StaticServer, open_bare) -> None:
    page = open_bare(bare_server.url, ALIVE)
    frames, look, states = page.evaluate(
        """async ([sabotage, look, state]) => {
          const frame = () => attn.runtime.ask({ widget: 'attention', state }).then(
            ({ frame }) => JSON.stringify(frame), (error) => error.message);
          const first = await frame();
          const states = [];
          attn.runtime.on('state', (state) => states.push(state));
          const spoilt = attn.runtime.run({ code: sabotage });
          const behind = frame();
          const frames = [first, await behind, await frame()];
          if (!(await spoilt).output.includes('сделано')) throw new Error('nothing was spoilt');
          return [frames, await attn.runtime.run({ code: look }), states];
        }""",
        [SABOTAGE, LOOK, STATE],
    )
    assert "weights" in frames[0], f"no frame of W1: {frames[0][:200]}"
    assert frames[1] == frames[0], "a widget that asked behind a run shows what the run did"
    assert frames[2] == frames[0], "a widget shows what an earlier run did"
    assert look["error"] is None, look["error"]
    shown = "2.718281828459045 3 False False\n[[True, False], [True, True]] True\n"
    assert look["output"] == shown, "a run meets what the run before it left behind"
    assert look["value"]["repr"] == "array([1.23456])", "print options outlived their run"
    assert states == [], f"the page showed a start that is none of the reader's: {states}"
    assert page.evaluate("[most, alive]") == [1, 1], "two Pythons were in memory at once"


@pytest.mark.parametrize("way", ["snapshot", "trimmed"])
def test_the_next_python_needs_no_network(bare_server: StaticServer, open_bare, way: str) -> None:
    page = open_bare(bare_server.url)
    start(page, way)
    rare = run(page, "np.fft.fft(np.ones(4)).real.tolist()")
    page.evaluate("() => { attn.assets.load = async () => { throw new Error('again'); }; }")
    bare_server.stop()
    for code in ("np.fft.fft(np.ones(4)).real.tolist()", "[4.0] + [0.0] * 3"):
        assert run(page, code)["value"] == rare["value"], "without the server a run is another"
    assert page.evaluate("[attn.runtime.state, attn.runtime.path]") == ["ready", way]


FORGED = """
const post = self.postMessage.bind(self);
self.postMessage = (message) => {
  post(message);
  if (message.type !== 'begin') return;
  const { id } = message;
  for (const forged of [
    null, 5, {}, { type: 'toString' }, { type: '__proto__' }, { type: 'begin', id: 'x' },
    { type: 'ready' }, { type: 'failed', message: 'x' }, { type: 'stage', stage: 'x' },
    { type: 'compiled', modules: { 'engine.wasm': 'x', site: 'x' } },
    { type: 'need', name: 'site' }, { type: 'need' }, { type: 'lacks', id, name: 'site' },
    { type: 'output', id: id + 1, text: 'чужое' }, { type: 'output', id, text: { length: 3 } },
    { type: 'output', id, text: '<b>'.repeat(10 ** 6) }, { type: 'answer', id: id + 1, ok: true },
    { type: 'answer', id, ok: 'да', ms: 'x', output: ['x'], error: { message: ['x'], line: '1' },
      value: { repr: {}, shape: '12', dtype: 7, heat: [[{}]], texts: 5 } },
  ]) post(forged);
};
"""


def test_messages_of_a_worker_are_data_of_a_known_shape(
    bare_server: StaticServer, open_bare
) -> None:
    """As if code had found a way to write to the page itself."""
    page = open_bare(bare_server.url, in_worker(FORGED))
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    for attempt in ("first", "in a Python made after the forgery"):
        result = run(page, "1")
        streamed = result.pop("streamed")
        assert "чужое" not in streamed and 0 < len(streamed) <= 201_000, (
            f"{attempt}: {streamed[:9]}"
        )
        assert result == {
            "ok": False,
            "ms": 0,
            "output": "",
            "value": {"repr": "", "shape": None, "dtype": None, "heat": None, "texts": None},
            "error": {"type": "", "message": "", "hint": "", "line": None, "traceback": ""},
        }, attempt
    assert page.evaluate("attn.runtime.path") == "snapshot", page.evaluate("attn.runtime.reason")
    assert not problems, problems


def test_where_a_door_stays_open_no_code_runs_and_figures_do(
    bare_server: StaticServer, open_bare
) -> None:
    """As in a browser that does not let go of one of its interfaces."""
    stuck = "Object.defineProperty(self, 'stuckDoor', { value: { open() {} } });"
    page = open_bare(bare_server.url, in_worker(stuck))
    refused = run(page, "print('выполнено')")
    assert not refused["ok"] and not refused["output"] and not refused["streamed"], refused
    assert "stuckDoor" in refused["error"]["message"], refused["error"]
    asked = {"widget": "attention", "state": STATE}
    answer = page.evaluate("question => attn.runtime.ask(question)", asked)
    assert answer["frame"]["readouts"], "the figures do not answer either"
