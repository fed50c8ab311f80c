"""Writes the parts under neutral, hashed names, and the manifest that says what each of them is."""

import json
import zipfile
from pathlib import Path

from figures.runtime import packs, parts
from figures.runtime.originals import ORIGINALS
from figures.runtime.packs import sha256

FOLDER = Path(__file__).parents[2] / "docs" / "assets" / "runtime"
EVERY_WAY = ["snapshot", "trimmed", "plain"]
FAST_WAYS = ["snapshot", "trimmed"]

# name of the part → originals it is made of, ways of starting that load it
PARTS: dict[str, tuple[list[str], list[str]]] = {
    "engine.js": (["pyodide"], EVERY_WAY),
    "engine.wasm": (["pyodide"], EVERY_WAY),
    "numpy-core.wasm": (["numpy"], FAST_WAYS),
    "numpy-linalg.wasm": (["numpy"], FAST_WAYS),
    "snapshot": (["pyodide", "numpy", "einops"], ["snapshot"]),
    "modules": (["pyodide", "numpy", "einops"], ["trimmed"]),
    "stdlib.zip": (["pyodide"], ["plain"]),
    "numpy.whl": (["numpy"], ["plain"]),
    "einops.whl": (["einops"], ["plain"]),
    "numpy-rest": (["numpy", "einops"], []),
    "stdlib-rest": (["pyodide"], []),
}
# Published archives, compressed already and proved by their publisher's hash: vendored as they are.
AS_PUBLISHED = {"stdlib.zip": parts.STDLIB, "numpy.whl": parts.NUMPY, "einops.whl": parts.EINOPS}
LAZY = ("numpy-rest", "stdlib-rest")


def write(made: dict[str, bytes], stock: Path) -> dict:
    """Replace the vendored folder's parts by these; licences are taken out of the originals."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.bin"):
        old.unlink()
    entries = []
    for name, (sources, ways) in PARTS.items():
        published = AS_PUBLISHED.get(name)
        content = (stock / published).read_bytes() if published else made[name]
        stored = content if published else packs.compress(content)
        file = f"{name.replace('.', '-')}.{sha256(stored)[:8]}.bin"
        (FOLDER / file).write_bytes(stored)
        entry = {
            "name": name,
            "file": file,
            "bytes": len(stored),
            "sha256": sha256(stored),
            "unpacked_sha256": sha256(content),
            "from": sources,
            "licence": " AND ".join(_licences(name, sources)),
            "ways": ways,
        }
        if name in LAZY:
            entry["provides"] = parts.provides(content)
        if name == "snapshot":
            entry["memory"] = packs.header(content)["size"]
        entries.append(entry)
    _write_licences(stock)
    manifest = {"originals": ORIGINALS, "parts": entries}
    text = json.dumps(manifest, ensure_ascii=False, indent=1)
    (FOLDER / "manifest.json").write_text(text + "\n", "utf-8")
    return manifest


def _licences(name: str, sources: list[str]) -> list[str]:
    found = [ORIGINALS[source]["licence"] for source in sources]
    return found if name == "engine.js" else _with_python(found, sources)


def _with_python(licences: list[str], sources: list[str]) -> list[str]:
    """CPython itself is inside Pyodide's engine and standard library."""
    return [*licences, "PSF-2.0"] if "pyodide" in sources else licences


def _write_licences(stock: Path) -> None:
    """The licence texts that the originals carry (MPL-2.0 and PSF-2.0 lie here already)."""
    for archive, member, target in (
        (parts.NUMPY, "numpy-2.0.2.dist-info/LICENSE.txt", "LICENSE-numpy.txt"),
        (parts.EINOPS, "einops-0.8.2.dist-info/licenses/LICENSE", "LICENSE-einops.txt"),
    ):
        with zipfile.ZipFile(stock / archive) as wheel:
            (FOLDER / target).write_bytes(wheel.read(member))
