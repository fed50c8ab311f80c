"""What a reader of the lesson waits for before any Python is there, and a contributor for a build.

    python -m tests.bench page

The page is the built lesson in a fresh profile; bytes are counted as a compressing host sends them.
"""

from __future__ import annotations

import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from figures.browsers.find import CHROMIUM, require
from figures.browsers.server import StaticServer, status
from tests.bench.machine import ROOT

LESSON = "lesson/multihead-masks/"
WIDGET = 'section[data-widget="attention"]'
CONTROLS = 12  # first answers that are timed
STARTS = 5  # starts of Python that are timed
SLOWDOWN = 4  # times slower than this machine: a phone
BUDGETS = {
    "first visit, bytes": 600_000,
    "first visit, bytes of runtime": 0,
    "requests to other hosts": 0,
    "second visit, bytes": 200_000,
    "first answer, runtime absent, ms": 100,
    "longest main-thread task of an answer, ms": 50,
    "longest main-thread task of a start of Python on a slow phone, ms": 200,
    "packed frames of W1, bytes": 60_000,
    "clean build, s": 60,
    "build after a text edit, s": 3,
}

# Moves a slider and waits until the readout has changed and has been painted.
ANSWER = """async (step) => {
  const root = document.querySelector('section[data-widget="attention"]');
  const slider = root.querySelector('[name="d"]');
  const shown = root.querySelector('output[data-readout="spread"]');
  const tasks = [];
  const watcher = new PerformanceObserver((list) => {
    tasks.push(...list.getEntries().map((entry) => entry.duration));
  });
  watcher.observe({ entryTypes: ['longtask'] });
  const before = shown.textContent;
  const began = performance.now();
  slider.value = String(step);
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  while (shown.textContent === before) await new Promise(requestAnimationFrame);
  const ms = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, 300));
  watcher.disconnect();
  return [ms, Math.max(0, ...tasks)];
}"""

# Asks for Python and waits until it has answered; the longest task on the way.
START = """async () => {
  const root = document.querySelector('section[data-widget="attention"]');
  const tasks = [];
  const watcher = new PerformanceObserver((list) => {
    tasks.push(...list.getEntries().map((entry) => entry.duration));
  });
  watcher.observe({ entryTypes: ['longtask'] });
  root.querySelector('[data-start]').click();
  const began = performance.now();
  while (root.dataset.source !== 'python') {
    if (performance.now() - began > 60000) throw new Error(`no answer: ${attn.runtime.reason}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  watcher.disconnect();
  return Math.max(0, ...tasks);
}"""


def measure() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        server = StaticServer(site)
        record: dict[str, Any] = {"build_s": _builds(Path(folder), server.url, site)}
        with server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=require(CHROMIUM), args=["--no-sandbox"]
            )
            fresh = browser.new_context(service_workers="block").new_page()
            record["first_visit"] = _visit(fresh, server)
            returning = browser.new_context().new_page()
            _visit(returning, server)
            returning.evaluate("navigator.serviceWorker.ready.then(() => null)")
            record["second_visit"] = _visit(returning, server)
            record["slow_start_task_ms"] = _slow_starts(browser, server.url + LESSON)
            server.faults[r"/runtime/.*\.bin"] = status(404)
            record["answer_ms"], record["task_ms"] = _answers(fresh, server.url + LESSON)
            browser.close()
        frames = next((site / "assets" / "frames").glob("attention*.js"))
        record["frames_bytes"] = len(gzip.compress(frames.read_bytes(), 6))
    return record


def _visit(page: Page, server: StaticServer) -> dict[str, int]:
    foreign: list[str] = []
    page.on("request", lambda request: foreign.append(request.url))
    page.set_default_timeout(120_000)
    server.forget()
    page.goto(server.url + LESSON, wait_until="networkidle")
    page.wait_for_timeout(1000)
    return {
        "bytes": server.sent_bytes,
        "requests": len(server.requests),
        "runtime_requests": sum(path.endswith(".bin") for path in server.requests),
        "foreign": sum(not url.startswith((server.url, "data:", "blob:")) for url in foreign),
    }


def _answers(page: Page, address: str) -> tuple[float, float]:
    """Medians of the first answer and of its longest task, each time on a page opened anew."""
    times, tasks = [], []
    for number in range(CONTROLS):
        page.goto(address, wait_until="networkidle")
        page.locator(WIDGET).scroll_into_view_if_needed()
        page.locator(f"{WIDGET} fieldset:enabled").first.wait_for()
        page.wait_for_timeout(500)  # a reader looks before touching
        ms, task = page.evaluate(ANSWER, number % 6)
        times.append(ms)
        tasks.append(task)
    return round(statistics.median(times), 1), round(statistics.median(tasks), 1)


def _slow_starts(browser: Browser, address: str) -> float:
    """Median of the longest task while a slowed down page loads and starts Python."""
    tasks = []
    for _ in range(STARTS):
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(address, wait_until="networkidle")
        page.locator(f"{WIDGET} fieldset:enabled").first.wait_for()
        devtools = context.new_cdp_session(page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        tasks.append(page.evaluate(START))
        context.close()
    return round(statistics.median(tasks), 1)


def _builds(folder: Path, url: str, site: Path) -> dict[str, float]:
    """Seconds of a build without any cache, and of the build after an edit of one page."""
    copy = folder / "project"
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    for name in filter(None, tracked):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    environment = {**os.environ, "PYTHONPATH": str(copy), "SITE_URL": url}

    def build() -> float:
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(site)],
            cwd=copy,
            env=environment,
            check=True,
            capture_output=True,
        )
        return round(time.perf_counter() - began, 1)

    clean = build()
    return {
        "clean": clean,
        "again": build(),
        "text_edit_in_serve": _edit_in_serve(copy, environment),
    }


def _edit_in_serve(copy: Path, environment: dict[str, str]) -> float:
    """Seconds that `mkdocs serve` names for the rebuild after an edit of the lesson."""
    log = copy / "serve.log"
    with log.open("w", encoding="utf-8") as sink:
        serving = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", "127.0.0.1:0"],
            cwd=copy,
            env=environment,
            stdout=sink,
            stderr=sink,
        )
    try:
        _wait_for(log, builds=1)
        while "Serving on" not in log.read_text(
            encoding="utf-8"
        ):  # an edit before that is not seen
            time.sleep(0.1)
        lesson = copy / "docs" / "lesson" / "multihead-masks.md"
        lesson.write_text(lesson.read_text("utf-8") + "\nЕщё одна строка.\n", "utf-8")
        return _wait_for(log, builds=2)
    finally:
        serving.terminate()
        serving.wait()


def _wait_for(log: Path, builds: int) -> float:
    mark = "Documentation built in "
    for _ in range(3000):
        found = [line for line in log.read_text(encoding="utf-8").splitlines() if mark in line]
        if len(found) >= builds:
            return float(found[builds - 1].split(mark)[1].split()[0])
        time.sleep(0.1)
    said = log.read_text(encoding="utf-8")
    raise RuntimeError(f"mkdocs serve made fewer than {builds} builds:\n{said}")


def against_budgets(record: dict[str, Any]) -> list[tuple[str, float, float]]:
    """(what, measured, allowed) for every budget."""
    first, second, build = record["first_visit"], record["second_visit"], record["build_s"]
    measured = {
        "first visit, bytes": first["bytes"],
        "first visit, bytes of runtime": first["runtime_requests"],
        "requests to other hosts": first["foreign"] + second["foreign"],
        "second visit, bytes": second["bytes"],
        "first answer, runtime absent, ms": record["answer_ms"],
        "longest main-thread task of an answer, ms": record["task_ms"],
        "longest main-thread task of a start of Python on a slow phone, ms": record[
            "slow_start_task_ms"
        ],
        "packed frames of W1, bytes": record["frames_bytes"],
        "clean build, s": build["clean"],
        "build after a text edit, s": build["text_edit_in_serve"],
    }
    return [(what, measured[what], allowed) for what, allowed in BUDGETS.items()]


def describe(record: dict[str, Any]) -> str:
    return "\n".join(
        f"page: {'within' if measured <= allowed else 'OVER'} budget: {what}: {measured} "
        f"(at most {allowed})"
        for what, measured, allowed in against_budgets(record)
    )
