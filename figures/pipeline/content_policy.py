"""A content policy in every page, so that it can talk to no other host.

The hashes are those of the inline scripts of all pages together: they differ from folder to
folder, and after in-site navigation the first page's policy is still in force. A meta policy binds
a worker only if it is started from a blob; hence `blob:` there and nowhere else.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from mkdocs.exceptions import PluginError

_CHARSET = '<meta charset="utf-8">'
_INLINE = re.compile(r"<script(?P<attributes>(?:\s[^>]*)?)>(?P<text>.*?)</script>", re.DOTALL)


def add(pages: dict[Path, str]) -> None:
    """Puts the policy of all pages together into each."""
    hashes = sorted({digest for text in pages.values() for digest in script_hashes(text)})
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy(hashes)}">'
    for page, text in pages.items():
        if _CHARSET not in text:
            raise PluginError(f"{page.name} has no {_CHARSET} to put the content policy behind")
        pages[page] = text.replace(_CHARSET, _CHARSET + meta, 1)


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
