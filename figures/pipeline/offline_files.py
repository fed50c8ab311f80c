"""Which files of a built site a reader needs, and under which address a page asks for them."""

from __future__ import annotations

import re
from pathlib import Path

from figures.pipeline import sources

_SCRIPTS = sources.ROOT / "docs" / "assets" / "js"
# What service-worker.js is made of; each Workbox file needs those before it.
WORKER = [
    *(
        _SCRIPTS / "vendor" / "workbox" / f"workbox-{name}.prod.js"
        for name in ("core", "routing", "strategies", "precaching")
    ),
    _SCRIPTS / "offline" / "names.js",
    _SCRIPTS / "service_worker.js",
]
RUNTIME = "assets/runtime/"
_REFERENCED = re.compile(r"assets/(?!javascripts/lunr/)[\w./-]+\.(css|js|svg|woff2)$")
_HASHED_NAME = re.compile(r"\.[0-9a-f]{8}\.")
_LANGUAGES = ("ru", "multi", "stemmer.support")
_LUNR = "assets/javascripts/lunr/"
# The archive, maps for debuggers, notices that no page links to, what crawlers read.
_NOT_SHOWN = re.compile(
    r"\.(zip|map|gz|txt)$|(^|/)(LICENSE[^/]*|manifest\.json|vendor\.json|entry\.mjs)$"
    r"|^(404\.html|service-worker\.js|assets/images/card\.png)$"
)


def is_hashed_name(path: str) -> bool:
    return _HASHED_NAME.search(path) is not None


def takes_hash(path: str) -> bool:
    """Whether pages ask for a file by an address with a hash of its content behind it."""
    return bool(_REFERENCED.match(path)) and not is_hashed_name(path)


def shown(site: Path) -> list[Path]:
    """Pages and everything they show, Python apart."""
    return [file for file in sorted(site.rglob("*")) if file.is_file() and _is_shown(file, site)]


def _is_shown(file: Path, site: Path) -> bool:
    path = file.relative_to(site).as_posix()
    if path.startswith(_LUNR):
        return file.name in {f"lunr.{language}.min.js" for language in _LANGUAGES}
    if path.startswith((RUNTIME, "assets/js/worker/")):
        return False
    return not _NOT_SHOWN.search(path)


def is_kept(part: dict) -> bool:
    """Whether a part of Python is saved: not the last resort, as large as all others together."""
    return part["ways"] != ["plain"]
