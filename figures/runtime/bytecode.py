"""`make bytecode`: this project's modules compiled in advance, for a faster start.

The .pyc carry the hash of their source and Python checks it (PEP 552): after an edit a module is
compiled at the start, as if nothing were here, until this is run again. Only the browser's Python
can make its bytecode, so the vendored runtime does it, in Chromium. The build puts the files into
the pack with the sources (python_pack.py).
"""

import _imp
import base64
import sys
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from figures.runtime import packs

FILE = Path(__file__).parent / "bytecode.bin"
# What every start imports. A widget is compiled when it is first touched: all of them in advance
# would cost more to download than they save.
AT_START = ("attnlib/", "figures/laboratory/")
MAKE = """
import _imp, base64, sys, zlib
from importlib._bootstrap_external import _RAW_MAGIC_NUMBER, _code_to_hash_pyc
from importlib.util import cache_from_source
from pathlib import Path

site = Path(next(path for path in sys.path if path.endswith("site-packages")))
source = site / NAME
text = source.read_bytes()
code = compile(text, str(source), "exec", dont_inherit=True)
pyc = _code_to_hash_pyc(code, _imp.source_hash(_RAW_MAGIC_NUMBER, text), True)
print(Path(cache_from_source(str(source))).relative_to(site))
print(base64.b64encode(zlib.compress(pyc)).decode())
"""


def read() -> dict[str, bytes]:
    """Path in site-packages → .pyc."""
    return packs.read(packs.decompress(FILE.read_bytes())) if FILE.exists() else {}


def fitting(sources: Mapping[str, bytes]) -> dict[str, bytes]:
    """The .pyc of the modules that have not been edited since."""
    return {path: pyc for path, pyc in read().items() if _fits(pyc, sources.get(_source(path)))}


def _fits(pyc: bytes, source: bytes | None) -> bool:
    """Whether the file (magic number, flags, hash of the source, code) was made of this source."""
    if source is None:
        return False
    return _imp.source_hash(int.from_bytes(pyc[:4], "little"), source) == pyc[8:16]


def _source(path: str) -> str:
    folder, _, file = path.rpartition("/__pycache__/")
    return f"{folder}/{file.split('.')[0]}.py"


def make() -> dict[str, bytes]:
    from figures.runtime.bare_page import lay_out
    from figures.runtime.python_pack import sources
    from figures.runtime.workshop import chromium_page, workshop

    found = {}
    with tempfile.TemporaryDirectory() as folder:
        site = lay_out(Path(folder) / "site")
        with workshop({"/": site}) as place, chromium_page(place.address + "/index.html") as page:
            for name in sources():
                if not name.startswith(AT_START) or not name.endswith(".py"):
                    continue
                code = f"NAME = {name!r}\n{MAKE}"
                answer = page.evaluate("code => attn.runtime.run({ code })", code)
                if answer["error"]:
                    sys.exit(f"bytecode: {name}: {answer['error']['traceback']}")
                path, text = answer["output"].split()
                found[path] = zlib.decompress(base64.b64decode(text))
    return found


def main() -> None:
    files = make()
    FILE.write_bytes(packs.compress(packs.build(files)))
    print(f"bytecode: {len(files)} modules, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
