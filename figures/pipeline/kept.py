"""Files of .cache/: written whole or not at all, and not believed if something cut them short."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any


def write(path: Path, content: bytes) -> None:
    """Makes the file, soon alone in its folder; a full disk or a stop leaves what was there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise
    for old in path.parent.glob(f"*{path.suffix}"):
        if old != path:
            old.unlink(missing_ok=True)


def read(path: Path) -> bytes | None:
    """What was written; None if there is nothing, or an empty file."""
    return (path.read_bytes() or None) if path.is_file() else None


def read_json(path: Path) -> Any:
    """What was written; None if there is nothing, or something that is no JSON."""
    try:
        return json.loads(read(path) or b"null")
    except ValueError:
        return None
