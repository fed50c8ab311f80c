"""Writes service-worker.js, one file that holds all that belongs to one release.

Workbox, the list of files with their integrity, and the worker's own script travel together, so a
browser sees a new release as a whole or not at all.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

from figures.pipeline import offline_files, offline_release

WORKER = "service-worker.js"
_RELEASE = re.compile(r'<meta name="attn-release" content="(\w+)"')
_SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*$", re.MULTILINE)
_NOTICE = "/*! Workbox, Copyright 2018 Google LLC, MIT: assets/js/vendor/workbox/LICENSE */\n"


def write(site: Path, runtime: list[dict]) -> None:
    """Writes the worker of the release that is in a folder."""
    found = _RELEASE.search((site / "index.html").read_text(encoding="utf-8"))
    assert found, "index.html does not name its release"
    release = {
        "id": found[1],
        "files": [_entry(file, site) for file in offline_files.shown(site)],
        "runtime": [
            {
                "name": part["name"],
                "file": part["file"],
                "integrity": integrity(bytes.fromhex(part["sha256"])),
                "ways": part["ways"],
            }
            for part in runtime
        ],
    }
    *workbox, names, own = (
        _SOURCE_MAP.sub("", path.read_text("utf-8")) for path in offline_files.WORKER
    )
    variable = f"self.attnRelease = {json.dumps(release, ensure_ascii=False, indent=0)};\n"
    (site / WORKER).write_text("".join([_NOTICE, *workbox, variable, names, own]), encoding="utf-8")


def _entry(file: Path, site: Path) -> dict[str, str | None]:
    """How Workbox names a file; a revision for those whose address says nothing of the content."""
    data = file.read_bytes()
    path = file.relative_to(site).as_posix()
    url, revision = re.sub(r"(^|/)index\.html$", r"\1", path) or "./", None
    if offline_files.takes_hash(path):
        url += f"?{offline_release.short_hash(file)}"
    elif not offline_files.is_hashed_name(path):
        revision = hashlib.sha256(data).hexdigest()[:16]
    return {"url": url, "revision": revision, "integrity": integrity(hashlib.sha256(data).digest())}


def integrity(digest: bytes) -> str:
    return f"sha256-{base64.b64encode(digest).decode()}"
