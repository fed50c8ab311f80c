"""How fast Python starts and answers in the browser, against stock Pyodide on the same machine.

`python -m tests.bench.runtime` measures and prints; budgets are those of the project (see BUDGETS).
Every cold start has a fresh browser and profile; the three kinds alternate within a round, so a
ratio compares neighbours in time.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from figures.browsers.server import StaticServer
from figures.runtime import bytecode, python_pack
from figures.runtime.workshop import chromium_page
from tests.bench.runtime_pages import our_page, stock_page, wire_bytes

ROUNDS = 9
SIZES = (6, 64, 256)
NUMBER = "0.2689414213699951"
BUDGETS = {
    "snapshot / stock": 0.25,
    "trimmed / stock": 0.40,
    "bytes, snapshot / stock": 0.9,
    "second visit, bytes": 200_000,
    "p95 at 6×6, warm, ms": 8,
    "p95 at 64×64, warm, ms": 25,
    "heap growth from 50 to 500 updates, bytes": 2**20,
}

STOCK_START = """async () => {
  const began = performance.now();
  const python = await loadPyodide();
  await python.loadPackage('numpy');
  const shown = python.runPython(`
import numpy as np
scores = np.array([1000.0, 1001.0])
weights = np.exp(scores - scores.max())
repr(float((weights / weights.sum())[0]))`);
  return [performance.now() - began, shown];
}"""
OUR_START = """async (way) => {
  const began = performance.now();
  await attn.runtime.start({ ways: [way] });
  const { value } = await attn.runtime.run({
    code: 'float(attnlib.softmax(np.array([1000.0, 1001.0]))[0])' });
  return [performance.now() - began, value.repr];
}"""
ROUND_TRIPS = """async ([n, count]) => {
  const times = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await attn.runtime.ask({ widget: 'bench_square', state: { n, shift: i } });
    times.push(performance.now() - began);
  }
  return times;
}"""


def cold_start(server: StaticServer, way: str) -> float:
    with chromium_page(server.url) as page:
        script = STOCK_START if way == "stock" else OUR_START
        ms, shown = page.evaluate(script, None if way == "stock" else way)
        assert shown == NUMBER, f"{way} shows {shown}"
        return ms


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        ours = our_page(Path(folder) / "ours")
        stock = stock_page(Path(folder) / "stock")
        with (
            StaticServer(ours, compress=False) as our_server,
            StaticServer(stock, compress=False) as stock_server,
        ):
            servers = {"stock": stock_server, "snapshot": our_server, "trimmed": our_server}
            record = {"cold": _cold(servers, rounds), "bytes": _bytes(servers)}
            with chromium_page(our_server.url) as page:
                record["second_visit"] = _second_visit(page, our_server)
            with chromium_page(our_server.url) as page:
                record["round_trip_ms"], record["heap"] = _updates(page)
            return record


def _cold(servers: dict[str, StaticServer], rounds: int) -> dict[str, Any]:
    times: dict[str, list[float]] = {way: [] for way in servers}
    for number in range(rounds):
        ways = list(servers) if number % 2 else list(servers)[::-1]
        for way in ways:
            times[way].append(cold_start(servers[way], way))
    ratios = {
        way: sorted(a / b for a, b in zip(times[way], times["stock"], strict=True))
        for way in ("snapshot", "trimmed")
    }
    return {
        "rounds": rounds,
        "ms": {way: round(statistics.median(found)) for way, found in times.items()},
        "ratio": {way: _spread(found) for way, found in ratios.items()},
    }


def _spread(values: list[float]) -> dict[str, float]:
    names = ("median", "least", "most")
    found = (statistics.median(values), min(values), max(values))
    return {name: round(value, 3) for name, value in zip(names, found, strict=True)}


def _bytes(servers: dict[str, StaticServer]) -> dict[str, int]:
    """What each kind of start asks for, as sent by a host that compresses."""
    found = {}
    for way, server in servers.items():
        server.forget()
        cold_start(server, way)
        found[way] = wire_bytes(server.root, server.requests)
    return found


def _second_visit(page: Page, server: StaticServer) -> dict[str, float]:
    page.evaluate(OUR_START, "snapshot")
    page.reload()
    server.forget()
    ms, _ = page.evaluate(OUR_START, "snapshot")
    return {"ms": round(ms), "bytes": server.sent_bytes}


def _updates(page: Page) -> tuple[dict[str, Any], dict[str, int]]:
    page.evaluate("attn.runtime.start()")
    trips: dict[str, Any] = {}
    for n in SIZES:
        trips[str(n)] = {"first 20": _percentiles(page.evaluate(ROUND_TRIPS, [n, 20]))}
    for n in SIZES:
        page.evaluate(ROUND_TRIPS, [n, 300 if n < 100 else 40])
        trips[str(n)]["warm"] = _percentiles(page.evaluate(ROUND_TRIPS, [n, 100]))
    after_50, after_500 = page.evaluate(
        f"""async () => {{
          const trips = {ROUND_TRIPS};
          await trips([64, 50]);
          const before = await attn.runtime.inspect();
          await trips([64, 450]);
          return [before, await attn.runtime.inspect()];
        }}"""
    )
    heap = {
        "after_50": after_50["heapBytes"],
        "after_500": after_500["heapBytes"],
        "references_after_50": after_50["references"],
        "references_after_500": after_500["references"],
    }
    return trips, heap


def _percentiles(times: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=20, method="inclusive")
    return {"p50": round(cuts[9], 2), "p95": round(cuts[18], 2)}


def against_budgets(record: dict[str, Any]) -> list[tuple[str, float, float]]:
    """(what, measured, allowed) for every budget."""
    trips, heap, sent = record["round_trip_ms"], record["heap"], record["bytes"]
    measured = {
        "snapshot / stock": record["cold"]["ratio"]["snapshot"]["median"],
        "trimmed / stock": record["cold"]["ratio"]["trimmed"]["median"],
        "bytes, snapshot / stock": round(sent["snapshot"] / sent["stock"], 3),
        "second visit, bytes": record["second_visit"]["bytes"],
        "p95 at 6×6, warm, ms": trips["6"]["warm"]["p95"],
        "p95 at 64×64, warm, ms": trips["64"]["warm"]["p95"],
        "heap growth from 50 to 500 updates, bytes": heap["after_500"] - heap["after_50"],
    }
    return [(what, measured[what], allowed) for what, allowed in BUDGETS.items()]


def describe(record: dict[str, Any]) -> str:
    cold, visit = record["cold"], record["second_visit"]
    lines = [f"runtime: cold start to the first number, n = {cold['rounds']}, ms: {cold['ms']}"]
    lines += [
        f"runtime: {way} / stock, paired: {ratio['median']} ({ratio['least']} to {ratio['most']})"
        for way, ratio in cold["ratio"].items()
    ]
    made, fitting = len(bytecode.read()), len(bytecode.fitting(python_pack.sources()))
    lines.append(f"runtime: bytecode of {fitting} modules of {made} fits (`make bytecode`)")
    lines.append(f"runtime: bytes over the wire: {record['bytes']}")
    lines.append(f"runtime: second visit: {visit['ms']} ms, {visit['bytes']} bytes")
    for n, trips in record["round_trip_ms"].items():
        shown = "; ".join(f"{when}: p50 {t['p50']}, p95 {t['p95']}" for when, t in trips.items())
        lines.append(f"runtime: question and answer at {n}×{n}, ms: {shown}")
    lines.append(f"runtime: heap: {record['heap']}")
    for what, measured, allowed in against_budgets(record):
        verdict = "within" if measured <= allowed else "OVER"
        lines.append(f"runtime: {verdict} budget: {what}: {measured} (at most {allowed})")
    return "\n".join(lines)


def main() -> int:
    record = measure()
    print(describe(record))
    return int(any(measured > allowed for _, measured, allowed in against_budgets(record)))


if __name__ == "__main__":
    sys.exit(main())
