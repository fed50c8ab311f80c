"""A build touches nothing but its output; `serve` builds once per edit."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import eventually
from tests.site.conftest import Project

OUTPUT = {"site", ".cache"}


def _tree(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in OUTPUT
    }


def _without_bytecode(tree: dict[str, str]) -> dict[str, str]:
    return {path: digest for path, digest in tree.items() if "__pycache__" not in path}


def test_a_build_leaves_the_sources_alone(project: Project) -> None:
    project.add_figure()
    before = _without_bytecode(_tree(project.root))
    project.must_pass()
    assert _without_bytecode(_tree(project.root)) == before, "the build wrote into the sources"


def test_a_read_only_docs_folder_builds(project: Project) -> None:
    folders = [
        project.root / "docs",
        *(p for p in (project.root / "docs").rglob("*") if p.is_dir()),
    ]
    for folder in folders:
        folder.chmod(0o555)
    try:
        project.must_pass()
    finally:
        for folder in folders:
            folder.chmod(0o755)


@pytest.fixture
def serve(project: Project) -> Iterator[Callable[[], str]]:
    """A running `mkdocs serve` of a small project that watches already; what it has said so far."""
    project.add_figure()
    log = project.root / "serve.log"
    with log.open("w") as out:
        server = subprocess.Popen(
            project.command("serve", "--dev-addr", "127.0.0.1:0"),
            cwd=project.root,
            env=project.environment(),
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


def test_serve_builds_once_per_edit_and_tells_each_error(
    project: Project, serve: Callable[[], str]
) -> None:
    built, broken = "Documentation built in", "An error happened during the rebuild"
    before = _watched(project.root)
    project.edit("docs/index.md", "Текст.", "Другой текст.")
    _count(serve, built, 2)
    project.edit("figures/static/fig_probe.py", "Проба", "Вторая проба")
    _count(serve, built, 3)

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
    edited -= {"docs/index.md", "figures/static/fig_probe.py"}
    assert not edited, f"builds of serve write what they watch, and so build again: {edited}"
    assert serve().count("Detected file changes") == 6, f"builds and edits differ:\n{serve()}"
