"""Gives the browser this project's own Python and the index of all runtime parts.

attnlib, the widgets and the laboratory travel in one pack with a content hash in its name, so an
edit of any of them reaches the reader with the next build and needs no `make runtime`. Bytecode
goes with them (figures/runtime/bytecode.py); what was edited since is compiled in the browser.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from figures.runtime import bytecode, packs
from figures.runtime.packs import sha256
from figures.tree import ROOT, own_files

SCRIPTS = ROOT / "docs" / "assets" / "js" / "worker"
MANIFEST = ROOT / "docs" / "assets" / "runtime" / "manifest.json"
EVERY_WAY = ["snapshot", "trimmed", "plain"]
FOLDERS = ("shared", "widgets", "laboratory")
PACKED = ("attnlib", "figures/__init__.py", *(f"figures/{name}" for name in FOLDERS))
WORKER_SCRIPTS = ("snapshot.js", "driver.js", "lockdown.js", "worker.js")


def build(extra: Mapping[str, bytes] | None = None) -> tuple[str, bytes]:
    """The site's own pack: its place under assets/ and its bytes.

    extra: more files for the pack, {path: content}; the bench brings a widget of its own.
    """
    pack = packs.compress(
        packs.build({**bytecode.fitting(own := sources()), **own, **(extra or {})})
    )
    return f"runtime/site.{sha256(pack)[:8]}.bin", pack


def index(own: tuple[str, bytes] | None = None) -> list[dict]:
    """All parts of the runtime. A page brings its own index, so it never mixes two releases.

    own: what `build` has made, if it is made already.
    """
    place, pack = own or build()
    return [
        *_vendored(),
        *(_script(name) for name in WORKER_SCRIPTS),
        _entry("site", Path(place).name, pack),
    ]


def index_script(entries: list[dict]) -> str:
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    return f"(self.attn ??= {{}}).runtimeIndex = {text};\n"


def download_size(way: str = "snapshot") -> int:
    """Bytes that the first start asks for; the start button shows it in megabytes."""
    return sum(entry["bytes"] for entry in index() if way in entry["ways"])


def sources() -> dict[str, bytes]:
    """The project's modules by their places in site-packages."""
    found: dict[str, bytes] = {}
    for start in (ROOT / path for path in PACKED):
        for path in [start] if start.is_file() else own_files(start):
            found[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    return found


def _vendored() -> list[dict]:
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    shown = ("name", "file", "bytes", "sha256", "ways", "provides", "memory")
    return [{key: part[key] for key in shown if key in part} for part in manifest["parts"]]


def _script(name: str) -> dict:
    content = (SCRIPTS / name).read_bytes()
    return _entry(name, f"../js/worker/{name}?{sha256(content)[:8]}", content)


def _entry(name: str, file: str, content: bytes) -> dict:
    return {
        "name": name,
        "file": file,
        "bytes": len(content),
        "sha256": sha256(content),
        "ways": EVERY_WAY,
    }
