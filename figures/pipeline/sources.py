"""Where the figures live, what they depend on, and how an edit reaches a running `mkdocs serve`."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "figures" / "static"
CACHE = ROOT / ".cache" / "figures"

_LIBRARY = ("attnlib", "figures/style", "figures/pipeline/svg.py")
_DATA = ("*.json", "*.csv")
_PACKAGES = ("numpy", "einops", "matplotlib", "jupytext", "mkdocs-jupyter")
_RELOADED = ("attnlib", "figures.style", "figures.widgets")

_seen: dict[str, str] = {}


def scripts() -> list[Path]:
    """The figure scripts, in alphabetical order."""
    return sorted(STATIC.glob("fig_*.py"))


def name_of(script: Path) -> str:
    return script.stem.removeprefix("fig_")


def digest(paths: Iterable[Path], *salt: str) -> str:
    """A short hash of the contents of files and folders (Python's caches apart)."""
    total = hashlib.sha256()
    for text in salt:
        total.update(text.encode() + b"\0")
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                total.update(file.relative_to(ROOT).as_posix().encode() + b"\0")
                total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()[:16]


def library_digest() -> str:
    """Changes when anything that every figure depends on changes."""
    data = (file for pattern in _DATA for file in sorted(STATIC.glob(pattern)))
    versions = (f"{package} {version(package)}" for package in _PACKAGES)
    return digest([*(ROOT / part for part in _LIBRARY), *data], sys.version, *versions)


def refresh() -> None:
    """Forgets the imported modules of a package whose files have changed since the last call."""
    for package in _RELOADED:
        current = digest([ROOT / package.replace(".", "/")])
        if _seen.setdefault(package, current) == current:
            continue
        for module in [m for m in sys.modules if m == package or m.startswith(f"{package}.")]:
            del sys.modules[module]
        _seen[package] = current
