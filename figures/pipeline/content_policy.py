"""MkDocs hook: a content policy in every page, so that it can talk to no other host.

The hashes are those of the inline scripts of all pages together: they differ from folder to
folder, and after in-site navigation the first page's policy is still in force. A meta policy binds
a worker only if it is started from a blob; hence `blob:` there and nowhere else.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority

_CHARSET = '<meta charset="utf-8">'
_INLINE = re.compile(r"<script(?P<attributes>(?:\s[^>]*)?)>(?P<text>.*?)</script>", re.DOTALL)

_serving = False


def on_startup(command: str, dirty: bool) -> None:
    """No policy in `mkdocs serve`: it would refuse MkDocs' own reload script."""
    global _serving
    _serving = command == "serve"


@event_priority(-90)  # after every step that writes pages
def on_post_build(config: MkDocsConfig) -> None:
    if _serving:
        return
    pages = sorted(Path(config.site_dir).rglob("*.html"))
    texts = {page: page.read_text(encoding="utf-8") for page in pages}
    hashes = sorted({digest for text in texts.values() for digest in script_hashes(text)})
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy(hashes)}">'
    for page, text in texts.items():
        if _CHARSET not in text:
            raise PluginError(f"{page.name} has no {_CHARSET} to put the content policy behind")
        page.write_text(text.replace(_CHARSET, _CHARSET + meta, 1), encoding="utf-8")


def policy(hashes: list[str]) -> str:
    scripts = " ".join(["'self'", "'wasm-unsafe-eval'", *(f"'{digest}'" for digest in hashes)])
    return "; ".join(
        [
            "default-src 'self'",
            "img-src 'self' data: blob:",  # blob: a figure saved as PNG
            "style-src 'self' 'unsafe-inline'",  # KaTeX places its glyphs by style attributes
            f"script-src {scripts}",
            "worker-src 'self' blob:",
            "connect-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def script_hashes(html: str) -> set[str]:
    """The policy's names of the inline scripts of a page."""
    found = set()
    for match in _INLINE.finditer(html):
        attributes = match["attributes"]
        if " src=" not in attributes and "application/json" not in attributes:
            digest = hashlib.sha256(match["text"].encode()).digest()
            found.add(f"sha256-{base64.b64encode(digest).decode()}")
    return found
