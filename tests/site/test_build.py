"""A small build touches nothing but its output; `serve` builds once per edit, and all of it."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.conftest import eventually
from tests.site.conftest import Project

OUTPUT = {"site", ".cache"}
SERVED = "served"


def _tree(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in OUTPUT
    }


def _without_bytecode(tree: dict[str, str]) -> dict[str, str]:
    return {path: digest for path, digest in tree.items() if "__pycache__" not in path}


PAGE = r"""# Проба

До.

[[figure: probe]]

После, с `$x$` и `\(y\)`.

```
echo $HOME $PATH
```

| а | б |
|---|---|
| $a_1 \mid b_1$ | $x_i^*$ и $y_j^*$ |
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> BeautifulSoup:
    """A page with a figure, code and formulas, of a build that may not write beside its output."""
    project = Project.make(tmp_path_factory.mktemp("small"))
    project.add_figure()
    project.write("docs/index.md", PAGE)
    before = _without_bytecode(_tree(project.root))
    folders = [path for path in (project.root / "docs").rglob("*") if path.is_dir()]
    folders.append(project.root / "docs")
    for folder in folders:
        folder.chmod(0o555)
    try:
        project.must_pass()
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert _without_bytecode(_tree(project.root)) == before, "the build wrote into the sources"
    return project.page("index.html")


def test_a_figure_in_place(small: BeautifulSoup) -> None:
    figure = small.select_one("figure#fig-probe")
    assert figure is not None, "the figure is not in the page"
    svg = figure.select_one('svg[role="img"]')
    assert svg is not None and "Полоса длиной шесть" in svg["aria-label"]
    caption = figure.select_one("figcaption")
    assert caption.select_one("math"), "the formula of the caption is not rendered"
    assert caption.select_one('a[href="figures/probe/"]'), "no link to how it is made"
    before, after = figure.find_previous_sibling("p"), figure.find_next_sibling("p")
    assert before.get_text() == "До." and after.get_text().startswith("После"), (
        "the text around it moved"
    )


def test_dollars_in_code_and_formulas_in_tables(small: BeautifulSoup) -> None:
    assert [code.get_text() for code in small.select("article p code")] == ["$x$", "\\(y\\)"]
    assert "echo $HOME $PATH" in small.select_one("pre").get_text()
    assert len(small.select("td .katex")) == 3, "formulas in the table are not rendered"
    assert not small.select("td em"), "Markdown took a formula for emphasis"


@pytest.fixture
def serve(project: Project) -> Iterator[Callable[[], str]]:
    """A running `mkdocs serve` of a small project that watches already; what it has said so far."""
    project.add_figure()
    project.write("docs/index.md", "# Проба\n\nТекст.\n\n[[figure: probe]]\n")
    served = project.root / SERVED
    served.mkdir()
    log = project.root / "serve.log"
    with log.open("w") as out:
        server = subprocess.Popen(
            project.command("serve", "--dev-addr", "127.0.0.1:0"),
            cwd=project.root,
            env={**project.environment(), "TMPDIR": str(served)},
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        said = partial(log.read_text, encoding="utf-8")
        _count(said, "Serving on", 1)
        yield said
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=60)


def _count(said: Callable[[], str], text: str, times: int) -> None:
    message = f"{text!r} was to be said {times} times"
    eventually(lambda: said().count(text), times, message, seconds=300)


def _watched(root: Path) -> dict[str, int]:
    """When the files were written whose change makes `serve` build."""
    folders = ("docs", "attnlib", "figures")
    files = (path for folder in folders for path in (root / folder).rglob("*"))
    return {path.relative_to(root).as_posix(): path.stat().st_mtime_ns for path in files}


def _pictures(root: Path) -> list[str]:
    """The figure as `serve` shows it: in the text, and on its executed page."""
    [served] = (root / SERVED).glob("mkdocs_*")
    pages = (served / page for page in ("index.html", "figures/probe/index.html"))
    soups = (BeautifulSoup(page.read_text(encoding="utf-8"), "lxml") for page in pages)
    return [str(soup.select_one("figure svg")) for soup in soups]


def test_serve_builds_once_per_edit_and_tells_each_error(
    project: Project, serve: Callable[[], str]
) -> None:
    built, broken = "Documentation built in", "An error happened during the rebuild"
    before = _watched(project.root)
    project.edit("docs/index.md", "Текст.", "Другой текст.")
    _count(serve, built, 2)
    pictures = _pictures(project.root)
    project.edit(
        "attnlib/masks.py", "def causal(", "def causal(*_):\n    return np.ones(2)\n\n\ndef _old("
    )
    _count(serve, built, 3)
    for old, new in zip(pictures, _pictures(project.root), strict=True):
        assert old != new, "an edit of attnlib did not reach the picture and its executed page"

    error = "docs/index.md:5: Could not collect 'attnlib.nope'"
    project.edit("docs/index.md", "Другой текст.", "Он берет.\n\n::: attnlib.nope")
    _count(serve, broken, 1)
    assert error in serve(), f"serve stops without a reason:\n{serve()}"
    project.edit("docs/index.md", "# Проба", "# Другая")
    _count(serve, broken, 2)
    assert serve().count(error) == 2, f"the same error is told once only:\n{serve()}"

    project.edit("docs/index.md", "\n\n::: attnlib.nope", "")
    _count(serve, broken, 3)
    slip = "docs/index.md:3: е for ё: write берёт: Он [берет]."
    assert serve().count(slip) == 3, f"a slip is not told each time:\n{serve()}"
    project.edit("docs/index.md", "берет", "берёт")
    _count(serve, "Reloading browsers", 3)

    edited = {path for path, time in _watched(project.root).items() if before.get(path) != time}
    edited -= {"docs/index.md", "attnlib/masks.py"}
    assert not edited, f"builds of serve write what they watch, and so build again: {edited}"
    assert serve().count("Detected file changes") == 6, f"builds and edits differ:\n{serve()}"
