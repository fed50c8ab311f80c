"""Names the release in every page, and the content of every asset in its address.

A page asks for `assets/js/x.js?1a2b3c4d`, so no cache on the way (host, browser, service worker)
can give it a file of another release. The release itself is a hash of all of the site.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import partial
from pathlib import Path

from figures.pipeline import offline_files

_ATTRIBUTE = re.compile(r'(\s(?:href|src|data-[\w-]+)=")([^"]*assets/[^"]*)(")')
_ADDRESS = re.compile(r"(?:[\w.:/-]*/)?(assets/[\w./-]+)(?=\s|$)")
_CSS_URL = re.compile(r"url\((['\"]?)([^)'\"?#]+)\1\)")
_HEAD = "</head>"


def stamp(site: Path, pages: dict[Path, str]) -> None:
    """Puts content hashes and the release's name into the pages and styles of a built site."""
    release = release_id(site)
    for style in sorted((site / "assets").rglob("*.css")):
        text = style.read_text(encoding="utf-8")
        hashed = _CSS_URL.sub(partial(_hashed_css_url, style.parent), text)
        style.write_text(hashed, encoding="utf-8")
    size = sum(map(transfer_size, offline_files.shown(site)))
    meta = f'<meta name="attn-release" content="{release}" data-pages="{size}">'
    for page, text in pages.items():
        pages[page] = hash_addresses(text, site).replace(_HEAD, meta + _HEAD, 1)


def release_id(site: Path) -> str:
    total = hashlib.sha256()
    for file in sorted(path for path in site.rglob("*") if path.is_file()):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        total.update(f"{file.relative_to(site).as_posix()} {content}\n".encode())
    for script in offline_files.WORKER:
        total.update(script.read_bytes())
    return total.hexdigest()[:12]


def hash_addresses(html: str, site: Path) -> str:
    """A page's text with `?hash` behind each address of an asset that has no hash in its name."""

    def hashed(match: re.Match[str]) -> str:
        file = site / match[1]
        if offline_files.takes_hash(match[1]) and file.is_file():
            return f"{match[0]}?{short_hash(file)}"
        return match[0]

    return _ATTRIBUTE.sub(lambda m: m[1] + _ADDRESS.sub(hashed, m[2]) + m[3], html)


def short_hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:8]


def transfer_size(file: Path) -> int:
    """Bytes of a file on the wire."""
    data = file.read_bytes()
    return min(len(data), len(gzip.compress(data, 6, mtime=0)))


def _hashed_css_url(folder: Path, match: re.Match[str]) -> str:
    file = folder / match[2]
    if ":" in match[2] or not file.is_file():
        return match[0]
    return f"url({match[1]}{match[2]}?{short_hash(file)}{match[1]})"
