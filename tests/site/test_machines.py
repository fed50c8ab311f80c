"""The same result on another machine: its locale, its settings of pip and Python, its files."""

from __future__ import annotations

import ast
import gzip
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from figures.pipeline import kept, social_card, sources
from figures.runtime import packs
from tests.conftest import ROOT
from tests.site.conftest import Project

# What people have in their profile. Each of these once broke the installation or the build.
SETTINGS = {
    "PIP_USER": "1",
    "PIP_REQUIRE_VIRTUALENV": "1",
    "PIP_TARGET": "elsewhere",
    "PYTHONSAFEPATH": "1",
    "PYTHONOPTIMIZE": "2",
    "PYTHONWARNINGS": "error",
}
# A build backend of three functions: the installation is pip's own, and asks no index.
PROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "probe"
version = "1"
"""
BACKEND = """\
import zipfile
from pathlib import Path


def get_requires_for_build_editable(config_settings=None):
    return []


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "probe-1-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w") as wheel:
        wheel.writestr("probe.pth", str(Path.cwd() / "source"))
        for file, text in (
            ("METADATA", "Metadata-Version: 2.1\\nName: probe\\nVersion: 1\\n"),
            ("WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"),
            ("RECORD", ""),
        ):
            wheel.writestr(f"probe-1.dist-info/{file}", text)
    return name
"""


def _make(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env={**os.environ, "MAKEFLAGS": "", "LC_ALL": "C", "PYTHON": sys.executable, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def _imports_its_own(folder: Path) -> bool:
    command = [str(folder / ".venv/bin/python"), "-c", "import probed; print(probed.__file__)"]
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
    return Path(found.stdout.strip()).is_relative_to(folder)


def test_make_installs_under_any_settings_half_made_and_moved(tmp_path: Path) -> None:
    folder = tmp_path / "check out"
    (folder / "source").mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", folder)
    for name, text in (
        ("pyproject.toml", PROJECT),
        ("backend.py", BACKEND),
        ("source/probed.py", ""),
        ("requirements.lock", ""),
    ):
        (folder / name).write_text(text, encoding="utf-8")

    python = folder / ".venv/bin/python"  # as an interrupted `python -m venv` leaves it: no pip
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
    assert python.exists(), "the half-made environment has no Python"
    made = _make(folder, "install", **SETTINGS)
    assert made.returncode == 0, f"make install failed:\n{made.stdout}\n{made.stderr}"
    assert _imports_its_own(folder), "the project is not installed"
    assert "Nothing to be done" in _make(folder, "install").stdout, "a second run works again"

    moved = folder.rename(tmp_path / "moved")
    made = _make(moved, "install", **SETTINGS)
    assert made.returncode == 0, f"after a move:\n{made.stdout}\n{made.stderr}"
    assert _imports_its_own(moved), "a moved checkout uses the files of the old place"


def test_make_calls_no_script_with_the_path_of_the_checkout() -> None:
    rules = [row for row in (ROOT / "Makefile").read_text("utf-8").splitlines() if "$(BIN)/" in row]
    assert len(rules) >= 15, f"only {len(rules)} lines of the Makefile call something of .venv"
    other = [row.strip() for row in rules if row.count("$(BIN)/") != row.count("$(BIN)/python -m")]
    assert not other, f"scripts name the folder that they were installed in: {other}"


def test_a_taken_port_is_told_at_once(project: Project) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        serve = subprocess.run(
            project.command("serve", "--dev-addr", f"127.0.0.1:{port}"),
            cwd=project.root,
            env=project.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    said = serve.stdout + serve.stderr
    assert serve.returncode != 0 and f"ADDR=127.0.0.1:{port + 1}" in said, said
    assert "Traceback" not in said and "Documentation built" not in said, said


def test_a_cache_file_is_whole_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "svg" / "one.json"
    kept.write(file, b'{"a": 1}')
    assert kept.read_json(file) == {"a": 1}, "what was written is not read"
    for cut in (b"", b'{"a":'):
        file.write_bytes(cut)
        assert kept.read_json(file) is None, f"a file of {cut!r} is believed"
    with monkeypatch.context() as disk:
        disk.setattr(os, "replace", _full)
        with pytest.raises(OSError, match="No space left"):
            kept.write(file, b"{}")
    assert list(file.parent.iterdir()) == [file], "an unfinished file stays"
    kept.write(file.with_name("two.json"), b"{}")
    assert [path.name for path in file.parent.iterdir()] == ["two.json"], "an older file stays"


def _full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_any_title_names_a_cache_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "CACHE", tmp_path)
    pictures = [social_card.card(title) for title in ("Маски и/или головы", "Зачем? «А: Б»")]
    names = [path.name for path in tmp_path.rglob("*.png")]
    assert len(set(pictures)) == 2 and names, "two titles, one card"
    assert all(name.isascii() and name[:-4].isalnum() for name in names), f"cache names: {names}"


def test_what_tools_leave_behind_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "widgets"
    (folder / "part").mkdir(parents=True)
    for name in ("b.py", "a.py", "data.npy", "part/c.py"):
        (folder / name).write_bytes(b"1")
    wanted = ["a.py", "b.py", "data.npy", "part/c.py"]
    for name in (".DS_Store", ".a.py.swp", "a.py~", "#a.py#", "a.py.orig", "._a.py"):
        (folder / name).write_bytes(b"2")
    for name in (".ruff_cache", "__pycache__"):
        (folder / name).mkdir()
        (folder / name / "x.py").write_bytes(b"3")
    found = [path.relative_to(folder).as_posix() for path in sources.own_files(folder)]
    assert found == wanted, f"files that are read: {found}"


def test_gzip_names_no_python() -> None:
    packed = packs.compress(b"attention" * 100)
    assert packed[:10] == b"\x1f\x8b\x08\0\0\0\0\0\x02\x03", f"header: {packed[:10].hex()}"
    assert gzip.decompress(packed) == b"attention" * 100, "the content is another"


def test_text_is_read_and_written_as_utf8_in_any_locale() -> None:
    calls, silent = 0, []
    for top in ("attnlib", "figures", "tests"):
        for path in sorted((ROOT / top).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                    continue
                if node.func.attr not in ("read_text", "write_text"):
                    continue
                calls += 1
                texts = [
                    a
                    for a in node.args
                    if isinstance(a, ast.Constant) and str(a.value).startswith("utf-8")
                ]
                if not texts and not any(k.arg == "encoding" for k in node.keywords):
                    silent.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert calls > 80, f"only {calls} calls were seen"
    assert not silent, f"in the encoding of the locale: {silent}"
