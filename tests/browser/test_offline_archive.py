"""The archive, unpacked into a folder with an awkward name and opened by double click."""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from filelock import FileLock
from playwright.sync_api import Browser, Page

from figures.browsers.firefox import Firefox
from figures.browsers.server import StaticServer
from figures.pipeline import offline_archive, offline_page
from tests.browser.offline_steps import run_code, search
from tests.conftest import Evaluate, until

LESSON = "lesson/multihead-masks.html"
# A locale without Russian letters: nothing of a build may pass through its encoding.
ASCII_ONLY = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
INSIDE = ("blob:", "data:", "about:")
LIVE = "document.querySelector('section[data-widget=attention]')"
COUNTS = """({
  formulas: document.querySelectorAll('.katex-html').length,
  raw: (document.querySelector('article').innerText.match(/\\$\\$|\\\\\\(/g) ?? []).length,
  figures: document.querySelectorAll('article svg[role=img]').length,
  folders: [...document.querySelectorAll('a[href]')].filter((a) => a.href.startsWith('file:')
    && !/\\.\\w+$/.test(new URL(a.href).pathname)).map((a) => a.getAttribute('href')),
})"""


@dataclass
class Edition:
    """What a reader has on the stick, and what the site says of the archive."""

    folder: Path
    archive: offline_page.Archive
    dist: Path

    def url(self, path: str) -> str:
        return f"{self.folder.as_uri()}/{path}"


@pytest.fixture(scope="session")
def edition(tmp_path_factory: pytest.TempPathFactory, one_build_at_a_time: FileLock) -> Edition:
    made = tmp_path_factory.mktemp("edition")
    with one_build_at_a_time, pytest.MonkeyPatch.context() as machine:
        for name, value in ASCII_ONLY.items():
            machine.setenv(name, value)
        offline_archive.build(made / "site")
    archive = offline_archive.pack(made / "site", made / "dist")
    stick = made / "Мои уроки #1 и 100 %"
    zipfile.ZipFile(made / "dist" / archive.file).extractall(stick)
    [folder] = stick.iterdir()
    return Edition(folder, archive, made / "dist")


@pytest.fixture(scope="session")
def firefox() -> Iterator[Firefox]:
    with Firefox() as running:
        yield running


@dataclass
class Watched:
    page: Page
    outside: list[str]
    problems: list[str]


@pytest.fixture
def watched(browser: Browser, edition: Edition) -> Iterator[Watched]:
    """A page that may ask for nothing outside the folder and may report no error."""
    context = browser.new_context(locale="ru-RU")
    context.set_default_timeout(120_000)
    made = Watched(context.new_page(), [], [])
    allowed = (edition.url(""), *INSIDE)
    context.on("request", lambda r: r.url.startswith(allowed) or made.outside.append(r.url))
    made.page.on("console", lambda m: m.type == "error" and made.problems.append(m.text))
    made.page.on("pageerror", lambda error: made.problems.append(str(error)))
    yield made
    context.close()
    assert not made.outside, "a page asked for something outside its folder"
    assert not made.problems, "a page reported an error"


def test_archive_is_small_and_described(edition: Edition) -> None:
    data = (edition.dist / edition.archive.file).read_bytes()
    assert len(data) == edition.archive.bytes <= offline_archive.LARGEST, "the archive is too large"
    assert hashlib.sha256(data).hexdigest() == edition.archive.sha256, "the noted hash is wrong"
    offered = offline_page.archive_of(edition.archive.build, edition.dist)
    assert offered == edition.archive, "the archive of this build is not offered"
    other = offline_page.archive_of("0" * 10, edition.dist)
    assert other is None, "the archive of another build is offered as the current one"


def test_reference_is_the_same_in_any_locale(edition: Edition, site: Path) -> None:
    def code(page: Path) -> list[str]:
        found = BeautifulSoup(page.read_text(encoding="utf-8"), "lxml").select("article pre")
        return [block.get_text() for block in found]

    here, there = edition.folder / "reference/masks.html", site / "reference/masks/index.html"
    assert len(code(there)) > 10, "the reference shows no code"
    assert code(here) == code(there), "the locale of the build is seen in the reference"


def test_archive_depends_on_its_content_only(edition: Edition, tmp_path: Path) -> None:
    again = offline_archive.pack(edition.folder, tmp_path)
    with (
        zipfile.ZipFile(tmp_path / again.file) as new,
        zipfile.ZipFile(edition.dist / again.file) as old,
    ):
        assert new.namelist() == old.namelist(), "files were lost in packing"
    assert again.sha256 == edition.archive.sha256, "the same files make another archive"


@pytest.mark.parametrize(
    "name", ["index", "figures/index", "figures/tiles", "offline", "w/attention"]
)
def test_page_opens_in_chromium(edition: Edition, watched: Watched, name: str) -> None:
    watched.page.goto(edition.url(f"{name}.html"))
    counts = watched.page.evaluate(COUNTS)
    assert not counts["folders"], "a link opens a list of files"
    assert not counts["raw"], "a formula is not rendered"


def test_archive_promises_no_saving(edition: Edition) -> None:
    """It has no button, and nothing that the page says about one is true in it."""
    text = (edition.folder / "offline.html").read_text("utf-8").replace("\u00a0", " ")
    article = text[text.index("<article") : text.index("</article>")]
    assert "сеть ему не нужна" in article, "the page does not say what it is read from"
    for promise in ("Кнопка", "data-offline-promise", "«Установить»"):
        assert promise not in article, f"the archive promises what it has not: {promise}"


def test_links_name_files_that_exist(edition: Edition) -> None:
    for page in edition.folder.rglob("*.html"):
        for link in re.findall(r'\s(?:href|src)="([^"#?]+)', page.read_text("utf-8")):
            if not re.match(r"[a-z]+:", link):
                assert (page.parent / link).is_file(), f"{page.name}: no file for {link}"


def test_lesson_works_in_chromium(edition: Edition, watched: Watched) -> None:
    watched.page.goto(edition.url(LESSON))
    check_lesson(watched.page.evaluate)
    watched.page.goto(edition.url("lab.html"))
    check_laboratory(watched.page.evaluate)


def test_lesson_works_in_firefox(edition: Edition, firefox: Firefox) -> None:
    firefox.console.clear()
    firefox.open(edition.url(LESSON))
    check_lesson(firefox.evaluate)
    firefox.open(edition.url("lab.html"))
    check_laboratory(firefox.evaluate)
    bad = [line for line in firefox.console if line.startswith("error")]
    assert not bad, "Firefox reported an error"


def test_code_from_the_archive_reaches_no_host(
    edition: Edition, browser: Browser, site: Path
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(edition.url("lab.html"))
    with StaticServer(site) as host:
        code = f"import js\nx = js.XMLHttpRequest.new()\nx.open('GET', '{host.url}', 0)\nx.send()"
        assert not run_code(page.evaluate, code)["ok"], "the content policy let a request pass"
        assert not host.requests, "code from the archive reached a host"
    context.close()


def check_lesson(evaluate: Evaluate) -> None:
    counts = evaluate(COUNTS)
    assert counts["formulas"] > 50, "formulas are missing"
    assert counts["figures"] >= 8, "figures are missing"
    assert search(evaluate, "слоёв"), "Russian search finds nothing"
    assert until(evaluate, f"{LIVE}?.dataset.source === 'build'"), "W1 has no first paint"
    evaluate(f"void {LIVE}.querySelector('input[name=causal]').click()")
    until(evaluate, f"{LIVE}.dataset.source !== 'build'")
    evaluate(f"void {LIVE}.querySelector('[data-start]').click()")
    until(evaluate, "document.documentElement.dataset.runtime === 'ready'")
    evaluate(f"void {LIVE}.querySelector('input[name=causal]').click()")
    until(evaluate, f"{LIVE}.dataset.source === 'python'")


def check_laboratory(evaluate: Evaluate) -> None:
    code = "import numpy as np, attnlib\nfloat(np.fft.fft(attnlib.softmax(np.zeros(4))).real[0])"
    answer = run_code(evaluate, code)
    assert answer["ok"], f"the laboratory does not run: {answer['error']}"
    assert answer["value"]["repr"] == "1.0", "the laboratory computes something else"
