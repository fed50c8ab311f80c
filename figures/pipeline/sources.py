"""Where the figures live, what each depends on, how an edit reaches a running `mkdocs serve`."""

from __future__ import annotations

import ast
import re
import sys
import time
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from figures.tree import ROOT, digest, own_files

STATIC = ROOT / "figures" / "static"
CACHE = ROOT / ".cache" / "figures"

_PACKAGES = ("numpy", "einops", "matplotlib", "jupytext", "nbconvert", "mkdocs-jupyter")
_RELOADED = ("attnlib", "figures")
_KEPT = ("figures.pipeline", "figures.runtime", "figures.style.svg", "figures.tree")

_STARTED = time.time_ns()  # what was written since then may be newer than what was imported
_seen: dict[Path, int] = {}


def scripts() -> list[Path]:
    """The figure scripts, in alphabetical order."""
    return sorted(STATIC.glob("fig_*.py"))


def name_of(script: Path) -> str:
    return script.stem.removeprefix("fig_")


def script_digest(script: Path) -> str:
    """Changes when anything changes that the script's output can depend on."""
    return digest(dependencies(script), sys.version, *_versions())


def dependencies(script: Path) -> list[Path]:
    """The script, the modules of this tree that it imports, and the data files beside them."""
    modules: set[Path] = set()
    packages: set[Path] = set()
    queue = [script]
    while queue:
        file = queue.pop()
        if file not in modules:
            modules.add(file)
            used, passed = _imports(file, file.stat().st_mtime_ns)
            queue.extend(used)
            packages.update(passed)
    modules |= packages
    folders = {file.parent for file in modules}
    data = {file for each in folders for file in own_files(each, "*") if file.suffix != ".py"}
    return sorted(modules | data, key=Path.as_posix)


def refresh() -> None:
    """Forgets the imported modules of this tree if one of their files was edited."""
    edited = False
    loaded = [name for name in sys.modules if name.split(".")[0] in _RELOADED]
    for name in loaded:
        path = Path(getattr(sys.modules[name], "__file__", None) or ROOT)
        if path.is_file():
            written = path.stat().st_mtime_ns
            edited |= written != _seen.get(path, min(written, _STARTED))
            _seen[path] = written
    if edited:
        for name in loaded:
            if name != "figures" and not name.startswith(_KEPT):
                del sys.modules[name]


@cache
def _versions() -> tuple[str, ...]:
    return tuple(f"{package} {version(package)}" for package in _PACKAGES)


@cache
def _imports(file: Path, modified: int) -> tuple[list[Path], list[Path]]:
    """Files of this tree that `file` uses, and the packages that it only passes on its way to them.

    `from attnlib import softmax` uses attnlib/softmax.py: an edit of attnlib/cost.py does not
    concern it, though attnlib/__init__.py imports both.
    """
    used: set[str] = set()
    for node in ast.walk(_parsed(file)):
        if isinstance(node, ast.Import):
            used.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = _package(file, node.level) + (node.module or "")
            used.update(_home(package, alias.name) for alias in node.names)
    parents = {name[: dot.start()] for name in used for dot in re.finditer(r"\.", name)}
    return _files(used), _files(parents)


def _home(package: str, name: str) -> str:
    """The module that `from package import name` is about."""
    init = ROOT.joinpath(*package.split("."), "__init__.py")
    if _files([f"{package}.{name}"]):
        return f"{package}.{name}"
    for node in ast.walk(_parsed(init)) if init.is_file() else ():
        if isinstance(node, ast.ImportFrom) and name in {a.asname or a.name for a in node.names}:
            return _package(init, node.level) + (node.module or "")
    return package


def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def _package(file: Path, level: int) -> str:
    """The prefix of a relative import; empty for an absolute one."""
    if level == 0:
        return ""
    folder = file.parents[level - 1].relative_to(ROOT)
    return ".".join(folder.parts) + "."


def _files(modules: Iterable[str]) -> list[Path]:
    """The files of those modules that belong to this tree."""
    own = (ROOT.joinpath(*m.split(".")) for m in sorted(modules) if m.split(".")[0] in _RELOADED)
    paths = (path for module in own for path in (module.with_suffix(".py"), module / "__init__.py"))
    return [path for path in paths if path.is_file()]
