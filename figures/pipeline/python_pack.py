"""Gives the browser this project's own Python and the index of all runtime parts.

attnlib, the widgets and the laboratory travel in one pack with a content hash in its name, so an
edit of any of them reaches the reader with the next build and needs no `make runtime`. Bytecode
goes with them (figures/runtime/bytecode.py); what was edited since is compiled in the browser.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from figures.pipeline.sources import own_files
from figures.runtime import bytecode, packs
from figures.runtime.packs import sha256

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "docs" / "assets" / "js" / "runtime"
MANIFEST = ROOT / "docs" / "assets" / "runtime" / "manifest.json"
ASSETS = "assets/"
INDEX = "js/runtime/index.js"
EVERY_WAY = ["snapshot", "trimmed", "plain"]
PACKED = ("attnlib", "figures/__init__.py", "figures/widgets", "figures/laboratory")
WORKER_SCRIPTS = ("snapshot.js", "driver.js", "lockdown.js", "worker.js")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path, content in build().items():
        files.append(File.generated(config, ASSETS + path, content=content))
    return files


def build(extra: Mapping[str, bytes] | None = None) -> dict[str, bytes]:
    """The site's own pack and the index, by their places under assets/.

    extra: more files for the pack, {path: content}; the bench brings a widget of its own.
    """
    pack = _pack(extra or {})
    return {f"runtime/{_pack_file(pack)}": pack, INDEX: index_script(index(pack))}


def index(pack: bytes | None = None) -> list[dict]:
    """All parts of the runtime. A page brings its own index, so it never mixes two releases."""
    pack = pack or _pack({})
    return [
        *_vendored(),
        *(_script(name) for name in WORKER_SCRIPTS),
        _entry("site", _pack_file(pack), pack),
    ]


def index_script(entries: list[dict]) -> bytes:
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    return f"(self.attn ??= {{}}).runtimeIndex = {text};\n".encode()


def download_size(way: str = "snapshot") -> int:
    """Bytes that the first start asks for; the start button shows it in megabytes."""
    return sum(entry["bytes"] for entry in index() if way in entry["ways"])


def _pack(extra: Mapping[str, bytes]) -> bytes:
    own = sources()
    return packs.compress(packs.build({**bytecode.fitting(own), **own, **extra}))


def _pack_file(pack: bytes) -> str:
    return f"site.{sha256(pack)[:8]}.bin"


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
    return _entry(name, f"../js/runtime/{name}?{sha256(content)[:8]}", content)


def _entry(name: str, file: str, content: bytes) -> dict:
    return {
        "name": name,
        "file": file,
        "bytes": len(content),
        "sha256": sha256(content),
        "ways": EVERY_WAY,
    }
