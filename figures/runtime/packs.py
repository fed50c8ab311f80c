"""The pack: many files in one, as the driver in the browser reads it.

A pack is a little-endian 32-bit length, a JSON header of that length, `[[path, offset, length],
…]`, and then the files' bytes, offsets counted from the end of the header. Packs are stored
gzip-compressed under names that say nothing of it, so that no web server inflates or compresses
them again.
"""

import gzip
import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any


def build(files: Mapping[str, bytes]) -> bytes:
    entries, body, offset = [], [], 0
    for path in sorted(files):
        entries.append([path, offset, len(files[path])])
        body.append(files[path])
        offset += len(files[path])
    text = json.dumps(entries, separators=(",", ":"), ensure_ascii=False).encode()
    return len(text).to_bytes(4, "little") + text + b"".join(body)


def header(pack: bytes) -> Any:
    """What a pack or a snapshot says of itself."""
    return json.loads(pack[4 : 4 + int.from_bytes(pack[:4], "little")])


def read(pack: bytes) -> dict[str, bytes]:
    start = 4 + int.from_bytes(pack[:4], "little")
    return {
        path: pack[start + offset : start + offset + length]
        for path, offset, length in header(pack)
    }


@lru_cache(maxsize=4)  # a build asks for the same pack again and again
def compress(data: bytes) -> bytes:
    """Deterministic for one zlib: the header has no name and no time, and "Unix" as the system.

    Python 3.13 writes "unknown" there, earlier ones "Unix".
    """
    packed = gzip.compress(data, compresslevel=9, mtime=0)
    return packed[:9] + b"\x03" + packed[10:]


def decompress(data: bytes) -> bytes:
    return gzip.decompress(data)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
