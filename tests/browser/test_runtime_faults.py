"""Whatever breaks on the way ends with the right numbers or with a message and a retry."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil

import pytest

from figures.browsers.server import StaticServer, bit_flipped, hanging, status, truncated
from figures.runtime.bare_page import SCRIPT
from tests.browser.runtime_calls import NUMBER, in_worker, is_russian, number, start

PATIENCE = 15  # seconds a reader waits at most; what the machine itself loses is not counted
DAMAGE = {"truncated": truncated, "bit-flipped": bit_flipped, "missing": status(404)}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_snapshot_leads_to_the_trimmed_start(bare_server, open_bare, damage):
    bare_server.faults[r"/snapshot\.\w+\.bin"] = DAMAGE[damage]
    page = open_bare(bare_server.url)
    begun = start(page)
    assert begun["path"] == "trimmed", f"{damage} snapshot: {begun}"
    assert begun["reason"].startswith("snapshot: ") and is_russian(begun["reason"]), (
        f"why the snapshot was not used is not told: {begun['reason']!r}"
    )
    assert number(page) == NUMBER, f"wrong number after a {damage} snapshot"


def test_damaged_modules_too_lead_to_the_plain_start(bare_server, open_bare):
    bare_server.faults[r"/(snapshot|modules)\.\w+\.bin"] = bit_flipped
    page = open_bare(bare_server.url)
    assert start(page)["path"] == "plain", "nothing took over when both fast ways failed"
    assert number(page) == NUMBER, "the plain start gives another number"


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("part", ["engine-wasm", "site"])
def test_damaged_common_part_gives_a_message_and_a_working_retry(
    bare_server, open_bare, part, damage
):
    bare_server.faults[rf"/{part}\.\w+\.bin"] = DAMAGE[damage]
    page = open_bare(bare_server.url)
    begun = start(page)
    assert begun["state"] == "error", f"{damage} {part} went unnoticed: {begun}"
    assert is_russian(begun["error"]) and "повторить" in begun["error"], begun["error"]
    assert begun["seconds"] < PATIENCE, f"the message came after {begun['seconds']:.1f} s"
    bare_server.faults.clear()
    page.evaluate("attn.runtime.retry()")
    assert number(page) == NUMBER, "retry did not start Python"


def test_silent_network_gives_a_message_in_time(bare_server, open_bare):
    bare_server.faults[r"/engine-wasm\."] = hanging
    page = open_bare(bare_server.url)
    begun = start(page)
    assert begun["state"] == "error" and "сеть не\xa0отвечает" in begun["error"], begun
    assert begun["seconds"] < PATIENCE, f"the message came after {begun['seconds']:.1f} s"


def test_server_that_is_gone_gives_a_message(bare_server, open_bare):
    page = open_bare(bare_server.url)
    bare_server.stop()
    begun = start(page)
    assert begun["state"] == "error" and is_russian(begun["error"]), begun


def test_snapshot_of_another_engine_is_refused(bare_site, tmp_path, open_bare):
    folder = shutil.copytree(bare_site, tmp_path / "site")
    file = next((folder / "assets/runtime").glob("snapshot.*.bin"))
    data = gzip.decompress(file.read_bytes())
    end = 4 + int.from_bytes(data[:4], "little")
    header = json.loads(data[4:end])
    header["build"] = "0" * 64
    text = json.dumps(header).encode()
    forged = gzip.compress(len(text).to_bytes(4, "little") + text + data[end:])
    file.write_bytes(forged)
    index = folder / SCRIPT
    entry = json.dumps({"bytes": len(forged), "sha256": hashlib.sha256(forged).hexdigest()})[1:-1]
    whole = re.compile(r'("name":"snapshot","file":"[^"]+",)"bytes":\d+,"sha256":"\w+"')
    index.write_text(whole.sub(lambda found: found[1] + entry, index.read_text("utf-8")), "utf-8")
    with StaticServer(folder) as server:
        page = open_bare(server.url)
        begun = start(page)
        assert begun["path"] == "trimmed", f"a snapshot of another engine was used: {begun}"
        assert "для другой сборки" in begun["reason"], begun["reason"]
        assert number(page) == NUMBER, "wrong number after a foreign snapshot"


def test_another_function_table_leads_to_the_trimmed_start(bare_server, open_bare):
    """As in a browser without wasm GC: the table has another length than the snapshot's."""
    longer_table = """
      const instantiate = WebAssembly.instantiate;
      WebAssembly.instantiate = async (code, imports) => {
        const table = imports?.env?.__indirect_function_table;
        if (table && !self.grown) { self.grown = true; table.grow(1); }
        return instantiate(code, imports);
      };
    """
    page = open_bare(bare_server.url, in_worker(longer_table))
    begun = start(page)
    assert begun["path"] == "trimmed" and "таблица функций" in begun["reason"], begun
    assert number(page) == NUMBER, "wrong number with another function table"


def test_worker_that_hangs_in_the_snapshot_is_replaced(bare_server, open_bare):
    hang = """
      let snapshot;
      Object.defineProperty(self, 'attnSnapshot', {
        configurable: true,
        get: () => snapshot,
        set(made) { snapshot = { ...made, restore() { for (;;); } }; },
      });
    """
    page = open_bare(bare_server.url, in_worker(hang))
    begun = start(page)
    assert begun["path"] == "trimmed" and "не\xa0отвечает" in begun["reason"], begun
    assert number(page) == NUMBER, "wrong number after a hung worker"


KILLABLE = """
  window.workers = [];
  window.Worker = class extends Worker {
    constructor(...from) { super(...from); workers.push(this); }
  };
"""


def test_worker_killed_while_it_starts_is_replaced(bare_server, open_bare):
    page = open_bare(bare_server.url, KILLABLE)
    page.evaluate(
        """() => {
          let killed = false;
          attn.runtime.on('progress', ({ stage }) => {
            if (killed || !stage.includes('движок')) return;
            killed = true;
            workers[0].terminate();
          });
        }"""
    )
    begun = start(page)
    assert begun["path"] == "trimmed" and "не\xa0отвечает" in begun["reason"], begun
    assert number(page) == NUMBER, "wrong number after a killed worker"


def test_worker_killed_when_ready_is_replaced_for_the_next_question(bare_server, open_bare):
    page = open_bare(bare_server.url, KILLABLE)
    assert start(page)["state"] == "ready", "the runtime did not start"
    page.evaluate("workers[0].terminate()")
    frame = page.evaluate(
        "attn.runtime.ask({ widget: 'attention', state: {} }).then(() => 'frame', (e) => e.message)"
    )
    assert page.evaluate("workers.length") == 2, f"the dead worker was not replaced: {frame}"
    assert number(page) == NUMBER, "wrong number after a killed worker"


def test_hashes_are_checked_where_the_page_is_not_secure(bare_server, open_bare):
    """Plain http:// from another machine of a class room has no crypto.subtle."""
    bare_server.faults[r"/snapshot\.\w+\.bin"] = bit_flipped
    insecure = "Object.defineProperty(crypto, 'subtle', { value: undefined });"
    page = open_bare(bare_server.url, insecure)
    begun = start(page)
    assert begun["path"] == "trimmed" and "контрольная сумма" in begun["reason"], begun
    assert number(page) == NUMBER, "wrong number without crypto.subtle"


@pytest.mark.parametrize("lacking", ["WebAssembly", "Worker", "DecompressionStream"])
def test_a_browser_that_cannot_run_python_is_told_so_and_fetches_nothing(
    bare_server, open_bare, lacking
):
    page = open_bare(bare_server.url, f"delete self.{lacking};")
    begun = start(page)
    assert begun["state"] == "error" and is_russian(begun["error"]), begun
    assert lacking in begun["error"] and "Error" not in begun["error"], begun["error"]
    assert "повторить" not in begun["error"], "a second attempt would not help"
    assert not [path for path in bare_server.requests if ".bin" in path], "fetched for nothing"


def test_stop_ends_a_start_and_leaves_the_page_idle(bare_server, open_bare):
    page = open_bare(bare_server.url)
    outcome = page.evaluate(
        """async () => {
          const started = attn.runtime.start().then(() => 'ready', (error) => error.message);
          const off = attn.runtime.on('progress', attn.runtime.stop);
          started.then(off);
          return [await started, attn.runtime.state];
        }"""
    )
    assert is_russian(outcome[0]) and outcome[1] == "idle", f"stop during a start: {outcome}"
    assert number(page) == NUMBER, "Python cannot be started after a stop"
