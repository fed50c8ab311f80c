"""A build touches nothing but its output; `serve` builds once per edit."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.site.conftest import Project

OUTPUT = {"site", ".cache"}


def _tree(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in OUTPUT
    }


def _wait_for(condition: Callable[[], bool], what: str, seconds: int = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.2)


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


def test_serve_builds_once_per_edit(project: Project) -> None:
    project.add_figure()
    log = project.root / "serve.log"
    with log.open("w", encoding="utf-8") as out:
        server = subprocess.Popen(
            project.command("serve", "--dev-addr", "127.0.0.1:0"),
            cwd=project.root,
            env=project.environment(),
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def built() -> int:
        return log.read_text(encoding="utf-8").count("Documentation built in")

    try:
        _wait_for(lambda: built() == 1, "the first build")
        _wait_for(lambda: "Serving on" in log.read_text(encoding="utf-8"), "the server")
        time.sleep(2)
        project.edit("docs/index.md", "Текст.", "Другой текст.")
        _wait_for(lambda: built() == 2, "the build after an edit of the text")
        project.edit("figures/static/fig_probe.py", "Проба", "Вторая проба")
        _wait_for(lambda: built() == 3, "the build after an edit of a figure")
        time.sleep(4)
        assert built() == 3, f"more builds than edits:\n{log.read_text(encoding='utf-8')}"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=60)
