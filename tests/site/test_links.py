"""Every link and every file that a page asks for is there, and no other host is asked."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from bs4 import BeautifulSoup

from figures.pipeline import lab_examples
from tests.conftest import ROOT
from tests.site.conftest import DOCS, LESSON

BASE = "http://site/"
LOADED = {
    "img": "src",
    "script": "src",
    "source": "src",
    "iframe": "src",
    "audio": "src",
    "video": "src",
    "object": "data",
    "use": "xlink:href",
}
TEXTS = {".html", ".js", ".css", ".json", ".svg", ".xml", ".ipynb", ".py"}  # what may name a folder
OWN = ("http://127.0.0.1", "http://localhost")


def _links(page: BeautifulSoup) -> list[str]:
    """Links of a page that a reader can follow."""
    return [str(link["href"]) for link in page.select("a[href]")]


def _loaded(page: BeautifulSoup) -> list[str]:
    """Addresses that the browser asks for by itself."""
    found = [
        str(element[attribute])
        for tag, attribute in LOADED.items()
        for element in page.find_all(tag)
        if element.get(attribute)
    ]
    for link in page.select("link[href]"):
        if not {"canonical", "prev", "next", "alternate"} & set(link["rel"]):
            found.append(str(link["href"]))
    return found


def _target(path: str, link: str) -> tuple[str, str] | None:
    """File and anchor that a link of a page means; None for another host."""
    page = path.removesuffix("index.html")
    parts = urlsplit(urljoin(BASE + page, link))
    if f"{parts.scheme}://{parts.netloc}/" != BASE:
        return None
    file = unquote(parts.path).lstrip("/")
    return (f"{file}index.html" if file == "" or file.endswith("/") else file), unquote(
        parts.fragment
    )


def test_laboratory_links_name_an_example(pages: dict[str, BeautifulSoup]) -> None:
    laboratory = unescape(str(pages["lab/index.html"]))
    linked = set()
    for path, page in pages.items():
        for link in page.select('a[href*="#example="]'):
            name = str(link["href"]).split("#example=")[1]
            assert f'"id": "{name}"' in laboratory, f"{path}: no example {name!r} in the laboratory"
            linked.add(name)
    names = {example.name for example in lab_examples.examples()}
    assert linked == names, f"examples without a link: {names - linked}"


def test_links_lead_somewhere(site: Path, pages: dict[str, BeautifulSoup]) -> None:
    ids = {path: {element["id"] for element in page.select("[id]")} for path, page in pages.items()}
    broken = []
    looked = 0
    for path, page in pages.items():
        if path == "404.html":  # served for any address: its links start at the root
            continue
        assert _loaded(page), f"{path}: no file is asked for"
        for link in _links(page) + _loaded(page):
            looked += 1
            target = _target(path, link)
            if target is None or link.startswith("data:"):
                continue
            file, anchor = target
            if not (site / file).is_file():
                broken.append(f"{path}: {link} (no {file})")
            elif anchor and "=" not in anchor and anchor not in ids.get(file, {anchor}):
                broken.append(f"{path}: {link} (no #{anchor} in {file})")
    assert not broken, "broken links:\n" + "\n".join(sorted(set(broken)))
    lessons = len(re.findall(r"\]\(#", (DOCS / "lesson/multihead-masks.md").read_text("utf-8")))
    shown = len(pages[LESSON].select('article a[href^="#"]:not(.headerlink)'))
    assert shown >= lessons > 0, f"{lessons} links of the lesson to itself, {shown} looked at"
    print(f"{looked} links on {len(pages)} pages")


def test_not_found_page_links_from_the_root(site: Path, pages: dict[str, BeautifulSoup]) -> None:
    for link in _links(pages["404.html"]) + _loaded(pages["404.html"]):
        path = urlsplit(link).path
        assert link.startswith(("/", "#", "http", "data:")), (
            f"{link} depends on the address that was not found"
        )
        if link.startswith("/"):
            file = site / path.lstrip("/")
            assert file.is_file() or (file / "index.html").is_file(), f"404.html: {link}"


def test_nothing_is_loaded_from_elsewhere(pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        for address in _loaded(page):
            host = urlsplit(address).netloc
            assert not host or address.startswith(OWN), f"{path} loads {address}"
        assert not page.select("link[rel=preconnect], link[rel=dns-prefetch]"), path


def test_style_sheets_load_only_own_files(site: Path) -> None:
    sheets = sorted(site.rglob("*.css"))
    named = re.findall(r"assets/css/\w+\.css", (ROOT / "mkdocs.yml").read_text("utf-8"))
    names = {sheet.relative_to(site).as_posix() for sheet in sheets}
    assert named and names >= set(named), f"style sheets that nobody looks at: {set(named) - names}"
    fonts = [sheet for sheet in sheets if "@font-face" in sheet.read_text(encoding="utf-8")]
    assert fonts, "no sheet has addresses"
    for sheet in sheets:
        for address in re.findall(r"url\(\s*[\"']?([^)\"']+)", sheet.read_text(encoding="utf-8")):
            if address.startswith(("data:", "#")):
                continue
            assert "//" not in address, f"{sheet.name} asks another host: {address}"
            assert (sheet.parent / address.split("?")[0].split("#")[0]).is_file(), (
                f"{sheet.name}: {address} is missing"
            )


def test_no_local_paths_are_published(site: Path) -> None:
    texts = [path for path in site.rglob("*") if path.suffix in TEXTS]
    assert {path.suffix for path in texts} == TEXTS, "a kind of file is not looked at"
    for page in texts:
        text = page.read_text(encoding="utf-8")
        if page.suffix == ".html":
            assert "/site-packages/" not in text, f"{page.name} names a folder of this machine"
        for folder in (ROOT, Path.home()):
            assert f"{folder}/" not in text, f"{page.name} names a folder of this machine"
