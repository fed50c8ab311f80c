"""Turns the originals into the parts the browser loads."""

import io
import zipfile
from pathlib import Path

from figures.runtime import packs
from figures.runtime.workshop import chromium_page, workshop

HERE = Path(__file__).parent
LIBRARY = "/lib/python3.12/"
SITE = LIBRARY + "site-packages/"
STDLIB, NUMPY, EINOPS = (
    "python_stdlib.zip",
    "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl",
    "einops-0.8.2-py3-none-any.whl",
)
# Imported before the memory snapshot is taken: what attnlib, the widgets and the laboratory use.
PRELOADED = (
    "numpy, einops, ast, base64, collections.abc, contextlib, copy, dataclasses, enum, fractions, "
    "functools, inspect, io, itertools, json, linecache, math, operator, pathlib, random, re, "
    "statistics, string, textwrap, time, traceback, typing, warnings, zlib, "
    "numpy.lib.format, numpy.typing"
)
CORE_LIBRARY = "numpy/_core/_multiarray_umath.cpython-312-wasm32-emscripten.so"
LINALG_LIBRARY = "numpy/linalg/_umath_linalg.cpython-312-wasm32-emscripten.so"
UNUSED_LIBRARIES = ("_core/_multiarray_tests", "_core/_operand", "_core/_rational", "_core/_simd",
                    "_core/_struct", "_core/_umath_tests", "linalg/lapack_lite")  # fmt: skip


def make(stock: Path) -> dict[str, bytes]:
    """Every part but the snapshot, by logical name, not yet compressed."""
    compiled, imported = _ask_stock(stock)
    everything = {path: data for files in compiled.values() for path, data in files.items()}
    libraries = {path: data for path, data in everything.items() if path.endswith(".so")}
    modules = {path: data for path, data in everything.items() if not path.endswith(".so")}
    needed = {path: data for path, data in modules.items() if path in imported}
    rest = {path: data for path, data in modules.items() if path not in imported}
    lazy_libraries = {
        path: data
        for path, data in libraries.items()
        if path not in (SITE + CORE_LIBRARY, SITE + LINALG_LIBRARY)
        and not any("numpy/" + unused in path for unused in UNUSED_LIBRARIES)
    }
    in_site = {path: data for path, data in rest.items() if path.startswith(SITE)}
    return {
        "engine.js": (stock / "pyodide.asm.js").read_bytes(),
        "engine.wasm": (stock / "pyodide.asm.wasm").read_bytes(),
        "numpy-core.wasm": libraries[SITE + CORE_LIBRARY],
        "numpy-linalg.wasm": libraries[SITE + LINALG_LIBRARY],
        "modules": packs.build(needed),
        "numpy-rest": packs.build({**in_site, **lazy_libraries}),
        "stdlib-rest": packs.build({p: d for p, d in rest.items() if p not in in_site}),
    }


def keep_imported(made: dict[str, bytes], imported: set[str]) -> None:
    """Move to the lazy pack what only stock Pyodide's package loader had imported."""
    modules, rest = packs.read(made["modules"]), packs.read(made["stdlib-rest"])
    used = {_compiled_path(path) for path in imported}
    for path in [path for path in modules if path not in used]:
        rest[path] = modules.pop(path)
    made["modules"], made["stdlib-rest"] = packs.build(modules), packs.build(rest)


def _ask_stock(stock: Path) -> tuple[dict[str, dict[str, bytes]], set[str]]:
    archives = [
        {"file": STDLIB, "root": LIBRARY, "keepEmpty": False},
        {"file": NUMPY, "root": SITE, "keepEmpty": True},
        {"file": EINOPS, "root": SITE, "keepEmpty": False},
    ]
    with (
        workshop({"/stock/": stock, "/runtime/": HERE}) as place,
        chromium_page(place.address + "/runtime/stock.html") as page,
    ):
        page.evaluate("archives => compileModules(archives)", archives)
        used = page.evaluate("([m, e]) => importedFiles(m, e)", [PRELOADED, EINOPS])
        compiled = {}
        for archive in archives:
            with zipfile.ZipFile(io.BytesIO(place.uploads[archive["file"]])) as done:
                compiled[archive["file"]] = {name: done.read(name) for name in done.namelist()}
    return compiled, {_compiled_path(path) for path in used}


def _compiled_path(path: str) -> str:
    path = path.replace("/lib/python312.zip/", LIBRARY).replace("/tmp/einops.zip/", SITE)
    return path.removesuffix("c") + "c" if path.endswith((".py", ".pyc")) else path


def provides(pack: bytes) -> list[str]:
    """Names whose import needs this pack: a whole package where all of it is here, else modules."""
    names = set()
    for path, _, _ in packs.header(pack):
        if path.endswith(".pyc"):
            dotted = path.removeprefix(SITE).removeprefix(LIBRARY)[:-4].replace("/", ".")
            names.add(dotted.removesuffix(".__init__"))
    return sorted(n for n in names if n.rpartition(".")[0] not in names)
