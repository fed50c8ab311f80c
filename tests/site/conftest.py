"""The built pages, parsed; and a small project of its own for builds that must fail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pytest
from bs4 import BeautifulSoup
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

from figures.pipeline import drawing, embeds, sources, widget_html
from figures.style import svg
from tests.conftest import ROOT

DOCS = ROOT / "docs"
FIGURES = [sources.name_of(script) for script in sources.scripts()]
WIDGETS = list(widget_html.widgets())
assert FIGURES and WIDGETS, "no figures or no widgets: tests of each would be tests of none"
LESSON = "lesson/multihead-masks/index.html"

TEXT = f"{{{svg.SVG}}}text"
_NAV = re.compile(r"^nav:\n(?:[ -].*\n)+", re.MULTILINE)
_SMALL_NAV = """\
nav:
  - Главная: index.md
  - Рисунки:
      - figures/index.md
"""
_HOOKS = re.compile(r"^hooks:\n(?:[ -].*\n?)+", re.MULTILINE)
_SMALL_HOOKS = (
    "serve_address",
    "link_lines",
    "navigation",
    "page_slips",
    "build_info",
    "expand_embeds",
    "static_figures",
    "executed_pages",
    "lone_pages",
    "katex_math",
    "search_ru",
    "finish",
)

FIGURE = """\
# %% [markdown]
# # Проба
#
# ## Как это нарисовано

# %%
from matplotlib.figure import Figure

from attnlib.masks import causal
from figures.style import palette
from figures.style.page import show

TITLE = "Проба"
CAPTION = "Подпись с формулой $n^2$."
DESCRIPTION = "Полоса длиной шесть: столько пар разрешает причинная маска на трёх токенах."


# %%
def draw() -> Figure:
    figure = Figure(figsize=(2, 1), facecolor="none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.barh(0, causal(3).sum(), color=palette.colour("blue"))
    axes.set_xlim(0, 10)
    return figure


# %%
if __name__ == "__main__":
    display(show(draw(), "probe", DESCRIPTION))
"""


@pytest.fixture(scope="session")
def drawn() -> dict[str, drawing.Drawing]:
    """Every figure, drawn now, by its name."""
    return {name: drawing._draw(sources.STATIC / f"fig_{name}.py") for name in FIGURES}


def texts(figure: drawing.Drawing) -> list[str]:
    """The words and numbers of a figure, in the order of drawing."""
    found = ET.fromstring(figure.svg).iter(TEXT)
    return ["".join(element.itertext()).strip() for element in found]


def expected_pages() -> set[str]:
    """Paths of all pages of the site, told from the sources."""
    written = {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md")}
    made = {Path("figures", name) for name in FIGURES} | {Path("w", name) for name in WIDGETS}
    folders = {path.parent if path.name == "index" else path for path in written | made}
    return {"404.html", *((folder / "index.html").as_posix() for folder in folders)}


def embedded(kind: str) -> list[tuple[str, str]]:
    """Path of the built page and name of each `[[kind: name]]` in docs/."""
    found = []
    for path in sorted(DOCS.rglob("*.md")):
        uri = path.relative_to(DOCS)
        folder = uri.parent if uri.stem == "index" else uri.with_suffix("")
        page = (folder / "index.html").as_posix()
        markdown = path.read_text(encoding="utf-8")
        found += [(page, embed.name) for embed in embeds.find(markdown) if embed.kind == kind]
    return found


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, BeautifulSoup]:
    """Every page of the site by its path in it: all that the sources promise, and no other."""
    found = {
        path.relative_to(site).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "lxml")
        for path in sorted(site.rglob("*.html"))
    }
    assert found.keys() == expected_pages(), f"pages: {sorted(found.keys() ^ expected_pages())}"
    return found


@pytest.fixture(scope="session")
def lesson(pages: dict[str, BeautifulSoup]) -> BeautifulSoup:
    return pages[LESSON]


@dataclass
class Project:
    """A copy of the build with one page and no figures."""

    root: Path

    @classmethod
    def make(cls, root: Path) -> Self:
        made = cls(root)
        kept = shutil.ignore_patterns("__pycache__", "fig_*.py", "*.bin")
        for folder in ("attnlib", "figures", "docs/theme", "docs/mkdocstrings", "docs/assets"):
            shutil.copytree(ROOT / folder, root / folder, ignore=kept)
        config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
        hooks = "".join(f"  - figures/pipeline/{name}.py\n" for name in _SMALL_HOOKS)
        config = _HOOKS.sub(lambda _: f"hooks:\n{hooks}", _NAV.sub(lambda _: _SMALL_NAV, config))
        # the whole site has these; here they would point to files that are not there
        for absent in ("favicon: ", "logo: ", "extra_css: "):
            config = config.replace(absent, f"# {absent}")
        made.write("mkdocs.yml", config)
        made.write("docs/index.md", "# Проба\n\nТекст.\n")
        made.write("docs/figures/index.md", "# Рисунки\n\nТекст.\n")
        return made

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text, f"{path} has no {old!r}"
        self.write(path, text.replace(old, new))

    def add_figure(self, name: str = "probe", text: str = FIGURE) -> None:
        self.write(f"figures/static/fig_{name}.py", text)

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "mkdocs", *arguments]

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(self.root),
            "NO_MKDOCS_2_WARNING": "1",
            "SITE_URL": "http://127.0.0.1:9/",
        }

    def build(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command("build", "--strict"),  # quiet ones forget their warnings
            cwd=self.root,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    def must_fail(self, *expected: str) -> str:
        """Builds, and checks that the build stops and says all of `expected`."""
        result = self.build()
        said = result.stdout + result.stderr
        assert result.returncode != 0, f"the build went through:\n{said}"
        for text in expected:
            assert text in said, f"the build does not say {text!r}:\n{said}"
        return said

    def must_pass(self) -> None:
        result = self.build()
        assert result.returncode == 0, f"the build failed:\n{result.stdout}\n{result.stderr}"

    def page(self, path: str) -> BeautifulSoup:
        return BeautifulSoup((self.root / "site" / path).read_text(encoding="utf-8"), "lxml")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.make(tmp_path)


PageOf = Callable[[str], tuple[Page, MkDocsConfig]]


@pytest.fixture
def page_of(tmp_path: Path) -> PageOf:
    """docs/index.md with a text, read by MkDocs with formulas, code and snippets, and its config.

    For what one step does with one page: a whole build takes seconds.
    """
    (tmp_path / "docs").mkdir()
    (tmp_path / "mkdocs.yml").write_text("site_name: a\nplugins: []\n", encoding="utf-8")
    config = load_config(
        str(tmp_path / "mkdocs.yml"),
        markdown_extensions=[
            {"pymdownx.arithmatex": {"generic": True}},
            {"pymdownx.snippets": {"base_path": [str(ROOT)], "check_paths": True}},
            "pymdownx.superfences",
        ],
    )

    def made(text: str) -> tuple[Page, MkDocsConfig]:
        (tmp_path / "docs/index.md").write_text(text, encoding="utf-8")
        file = File("index.md", config.docs_dir, config.site_dir, use_directory_urls=True)
        page = Page(None, file, config)
        page.read_source(config)
        return page, config

    return made
