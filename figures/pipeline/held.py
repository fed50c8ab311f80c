"""Keeps large pieces of HTML out of the steps that read a page's text (search above all).

A piece is held by its content, so a rebuild or a kept page can name it again.
"""

from __future__ import annotations

import hashlib
import re

_MARK = re.compile(r"<!--held ([0-9a-f]{16})-->")
_pieces: dict[str, str] = {}


def hold(html: str) -> str:
    """A comment that stands for `html` until `release`."""
    key = hashlib.sha256(html.encode()).hexdigest()[:16]
    _pieces[key] = html
    return f"<!--held {key}-->"


def release(html: str) -> str:
    """Puts the held pieces back."""
    return _MARK.sub(lambda match: _pieces[match[1]], html)
