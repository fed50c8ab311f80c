"""Starting Python in a real browser: each way, what the page sees of it, and how it ends."""

from __future__ import annotations

import threading

import pytest

from figures.browsers.firefox import Firefox
from figures.browsers.server import StaticServer, as_text
from figures.runtime import bytecode
from figures.runtime.bare_page import ROOT, lay_out
from figures.widgets import attention
from tests.browser.runtime_calls import NUMBER, STATE, is_russian, number, run, start
from tests.conftest import until

WORKERS = """
window.workers = [];
window.Worker = class extends Worker {
  constructor(...from) { super(...from); workers.push(this); this.ended = false; }
  terminate() { this.ended = true; super.terminate(); }
};
"""


@pytest.mark.parametrize("way", ["snapshot", "trimmed", "plain"])
def test_every_way_gives_the_same_number_and_is_shown(bare_server, open_bare, way):
    page = open_bare(bare_server.url)
    begun = start(page, way)
    assert begun["path"] == way, f"asked for {way}, started as {begun}"
    assert begun["shown"] == {"runtime": "ready", "runtimePath": way}, "the page shows another way"
    assert number(page) == NUMBER, f"{way} computes another number"


def test_fastest_way_comes_first_and_needs_only_its_own_parts(bare_server, open_bare):
    page = open_bare(bare_server.url)
    assert not [path for path in bare_server.requests if path.endswith(".bin")], (
        "the runtime was fetched before anyone asked for it"
    )
    begun = start(page)
    assert (begun["path"], begun["reason"]) == ("snapshot", ""), "the snapshot was not taken first"
    fetched = {path.rsplit("/", 1)[1].split(".")[0] for path in bare_server.requests}
    unneeded = {"modules", "stdlib-zip", "numpy-whl", "einops-whl", "numpy-rest", "stdlib-rest"}
    assert not fetched & unneeded, "a start from the snapshot fetched parts of other ways"


def test_progress_has_russian_stages_and_reaches_its_end(bare_server, open_bare):
    page = open_bare(bare_server.url)
    seen = page.evaluate(
        """async () => {
          const seen = [];
          attn.runtime.on('progress', (progress) => seen.push(progress));
          await attn.runtime.start();
          return seen;
        }"""
    )
    assert all(is_russian(one["stage"]) for one in seen), "a stage has no Russian name"
    loaded = [one["loadedBytes"] for one in seen if one["totalBytes"]]
    assert loaded == sorted(loaded), "progress went backwards without a fault"
    last = seen[-1]
    assert last["loadedBytes"] == last["totalBytes"] > 5_000_000, (
        "progress did not end at its total"
    )


def test_wasm_and_packs_as_plain_text_still_work(bare_server, open_bare):
    bare_server.faults[r"\.bin$"] = as_text
    page = open_bare(bare_server.url)
    assert start(page)["path"] == "snapshot", "the type of a file decided over its content"
    assert number(page) == NUMBER, "parts served as text/plain gave another number"


def test_many_questions_share_one_worker(bare_server, open_bare):
    page = open_bare(bare_server.url, WORKERS)
    states = [{**STATE, "d": d} for d in attention.SIZES[:5]]
    answers = page.evaluate(
        """async (states) => {
          const ask = (state) => attn.runtime.ask({ widget: 'attention', state });
          const answers = await Promise.all(states.map(ask));
          return answers.map(({ frame }) => frame.readouts);
        }""",
        states,
    )
    wanted = [attention.frame(state)["readouts"] for state in states]
    assert len(wanted) == 5 and answers == wanted, "answers do not fit their questions"
    assert page.evaluate("workers.length") == 1, "several questions started several workers"


def test_second_visit_takes_the_parts_from_the_browsers_cache(bare_server, open_bare):
    page = open_bare(bare_server.url)
    start(page)
    page.reload()
    bare_server.forget()
    assert start(page)["path"] == "snapshot", "the second visit started another way"
    assert bare_server.sent_bytes <= 200_000, (
        f"a second visit fetched {bare_server.sent_bytes} bytes again"
    )


def test_leaving_the_page_frees_the_worker(bare_server, open_bare):
    page = open_bare(bare_server.url, WORKERS)
    start(page)
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert page.evaluate("workers[0].ended"), "pagehide left the worker alive"
    assert page.evaluate("attn.runtime.state") == "idle", "a freed runtime is not idle"
    assert number(page) == NUMBER, "a page that comes back cannot start Python again"


def test_a_start_stopped_during_its_download_leaves_no_python_behind(bare_server, open_bare):
    network = threading.Event()
    bare_server.faults["/assets/runtime/"] = lambda reply: network.wait(60)
    page = open_bare(bare_server.url, WORKERS)
    page.evaluate("void attn.runtime.start().catch(() => {})")
    until(lambda _: any(".bin" in path for path in bare_server.requests), "parts are asked for")
    last = page.evaluate_handle(
        """() => {
          attn.runtime.stop();
          const last = {};
          attn.runtime.on('progress', (progress) => Object.assign(last, progress));
          last.started = attn.runtime.start();
          return last;
        }"""
    )
    network.set()
    counted = last.evaluate(
        "async (last) => { await last.started; return [last.loadedBytes, last.totalBytes]; }"
    )
    assert counted[0] == counted[1], f"bytes of the stopped start are counted too: {counted}"
    page.wait_for_timeout(1500)
    alive = page.evaluate("workers.filter(({ ended }) => !ended).length")
    assert alive == 1, f"{alive} Pythons are there, one is wanted"


def test_ten_reloads_with_a_run_each(bare_server, open_bare):
    page = open_bare(bare_server.url)
    for visit in range(10):
        assert number(page) == NUMBER, f"wrong number at visit {visit + 1}"
        page.reload()


def test_random_numbers_differ_between_starts(bare_server, open_bare):
    draws = []
    for _ in range(2):
        page = open_bare(bare_server.url)
        draws.append(
            run(page, "import random; (random.random(), np.random.rand())")["value"]["repr"]
        )
    assert draws[0] != draws[1], "two starts of the snapshot draw the same random numbers"


def test_hundreds_of_updates_leak_nothing(bare_server, open_bare):
    page = open_bare(bare_server.url)
    before, after, first, last = page.evaluate(
        """async (states) => {
          const update = async (n) => JSON.stringify(
            (await attn.runtime.ask({ widget: 'attention', state: states[n] })).frame);
          const first = await update(0);
          for (let i = 0; i < 49; i++) await update(0);
          await update(1);
          const before = await attn.runtime.inspect();
          for (let i = 0; i < 450; i++) await update(i % 8 ? 0 : 1);
          return [before, await attn.runtime.inspect(), first, await update(0)];
        }""",
        [{**STATE, "sentence": "слово " * n} for n in (6, 30)],
    )
    grown = after["heapBytes"] - before["heapBytes"]
    assert grown <= 2**20, f"memory grew by {grown} bytes over 450 updates"
    assert after["references"] <= before["references"], "JavaScript objects stay alive in Python"
    assert first == last, "small, large, small again did not give the first numbers"


def test_an_edited_module_is_not_replaced_by_its_old_bytecode(tmp_path, open_bare):
    made = {path: pyc for path, pyc in bytecode.read().items() if "/heads." in path}
    edited = (ROOT / "attnlib" / "heads.py").read_bytes() + b"\nEDITED = 1\n"
    assert made, "no bytecode of attnlib.heads to be mistaken for the new one"
    site = lay_out(tmp_path / "site", {"attnlib/heads.py": edited, **made})
    with StaticServer(site) as server:
        seen = run(open_bare(server.url), "attnlib.heads.EDITED")
    assert seen["error"] is None, f"the old bytecode was taken: {seen['error']}"


def test_firefox_starts_from_the_same_snapshot(bare_server):
    with Firefox() as firefox:
        firefox.open(bare_server.url)
        firefox.evaluate("attn.runtime.start().catch(() => {})")
        path = firefox.evaluate("attn.runtime.path")
        assert path == "snapshot", f"{path}: {firefox.evaluate('attn.runtime.reason')}"
        value = firefox.evaluate(
            "attn.runtime.run({ code: 'float(np.exp(1.0))' }).then(({ value }) => value.repr)"
        )
        assert value == "2.718281828459045", "Firefox computes another number"
