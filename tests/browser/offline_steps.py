"""What the tests of the offline site share: a reader's browser, a next release, steps on a page."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserType, Page

from figures.browsers.find import CHROMIUM, require
from figures.browsers.server import StaticServer
from figures.pipeline import offline_release, offline_worker
from figures.runtime import python_pack
from figures.runtime.bare_page import SCRIPT
from tests.conftest import CHROMIUM_FLAGS, Evaluate, until

RUNTIME_FILE = re.compile(r"/assets/runtime/|/js/worker/")
OpenPage = Callable[[str], Page]
LESSON = "lesson/multihead-masks/"
SAVED = "footer [data-offline=saved]"
SAVE = "footer .offline__save"
MESSAGE = "footer .offline__message"
COPY = "footer .offline__copy"
NEXT_RELEASE = "b" * 12

IS_CONTROLLED = "Boolean(navigator.serviceWorker.controller)"
CACHES = "caches.keys()"


@contextmanager
def reader(chromium: BrowserType, profile: Path) -> Iterator[Page]:
    """A page of a browser that keeps its profile: leave and enter again to restart it."""
    context = chromium.launch_persistent_context(
        str(profile), executable_path=require(CHROMIUM), args=CHROMIUM_FLAGS, locale="ru-RU"
    )
    context.set_default_timeout(120_000)
    try:
        yield context.pages[0]
    finally:
        context.close()


def save(page: Page) -> None:
    """Press the button and wait until everything is there."""
    page.locator(SAVE).click()
    page.locator(SAVED).wait_for()


def run_code(evaluate: Evaluate, code: str) -> dict[str, Any]:
    """What the laboratory's Python answers."""
    result: dict[str, Any] = evaluate(f"attn.runtime.run({{code: {json.dumps(code)}}})")
    return result


def search(evaluate: Evaluate, words: str) -> list[str]:
    """Titles that the site's search finds."""
    evaluate(
        """(() => {
          const open = document.querySelector('#__search');
          open.checked = true;
          open.dispatchEvent(new Event('change'));
          const field = document.querySelector('[data-md-component=search-query]');
          field.focus();
          field.value = WORDS;
          field.dispatchEvent(new Event('input', {bubbles: true}));
          field.dispatchEvent(new KeyboardEvent('keyup', {key: 'End', bubbles: true}));
          return true;
        })()""".replace("WORDS", json.dumps(words))
    )
    found = "[...document.querySelectorAll('.md-search-result__item h1')].map((h) => h.textContent)"
    titles: list[str] = until(evaluate, f"({found}).length && {found}")
    return titles


def next_release(site: Path, target: Path) -> Path:
    """The site after one more publication: other pages, another script, other Python modules."""
    shutil.copytree(site, target)
    script = target / SCRIPT
    before = offline_release.short_hash(script)
    _, own = script.read_text("utf-8").split("\n", 1)
    parts = _repack(target)
    index = python_pack.index_script(parts)
    script.write_text(f"{index}{own}self.attn.publishedAs = 'B';\n", "utf-8")
    for page in target.rglob("*.html"):
        text = re.sub(
            r'(attn-release" content=")\w+', rf"\g<1>{NEXT_RELEASE}", page.read_text("utf-8")
        )
        text = re.sub(r"(Сборка\s*<code>)[^<]*", r"\g<1>release-b", text)
        text = text.replace(f"?{before}", f"?{offline_release.short_hash(script)}")
        page.write_text(text, "utf-8")
    offline_worker.write(target, parts)
    return target


def runtime_index(site: Path) -> list[dict[str, Any]]:
    """The parts of Python that pages of a site know of: the first line of their script."""
    index, _ = (site / SCRIPT).read_text("utf-8").split("\n", 1)
    parts: list[dict[str, Any]] = json.loads(index[index.index("[") : index.rindex("]") + 1])
    return parts


def _repack(site: Path) -> list[dict[str, Any]]:
    """Gives the pack of this site's own modules other bytes and so another name."""
    parts = runtime_index(site)
    [own] = [part for part in parts if part["name"] == "site"]
    folder = site / "assets" / "runtime"
    pack = gzip.compress(gzip.decompress((folder / own["file"]).read_bytes()), 1, mtime=0)
    digest = hashlib.sha256(pack).hexdigest()
    own.update(file=f"site.{digest[:8]}.bin", bytes=len(pack), sha256=digest)
    for old in folder.glob("site.*.bin"):
        old.unlink()
    (folder / own["file"]).write_bytes(pack)
    return parts


def asked_for_runtime(host: StaticServer) -> list[str]:
    return [path for path in host.requests if RUNTIME_FILE.search(path)]
