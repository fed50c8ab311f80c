"""The folder of this project and what of its content is the project's own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def digest(paths: Iterable[Path], *salt: str) -> str:
    """A short hash of files and of what `own_files` finds in folders."""
    total = hashlib.sha256("\0".join(salt).encode())
    for path in paths:
        for file in own_files(path) if path.is_dir() else [path]:
            total.update(file.relative_to(ROOT).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()[:16]


def own_files(folder: Path, pattern: str = "**/*") -> list[Path]:
    """The files of a folder in one order on every system, without what tools leave there.

    Left out: caches, hidden files (.DS_Store, an editor's swap file) and backups (name~, #name#).
    """

    def own(file: Path) -> bool:
        parts = file.relative_to(folder).parts
        left = any(part.startswith((".", "#")) or part == "__pycache__" for part in parts)
        return file.is_file() and not left and not file.name.endswith(("~", ".orig", ".rej"))

    return sorted(filter(own, folder.glob(pattern)), key=Path.as_posix)
