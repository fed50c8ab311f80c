"""A formula as plain text, for search results and the table of contents."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import lru_cache
from html import escape, unescape

from figures.pipeline import katex

_MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
_INLINE = re.compile(r"\\\((.+?)\\\)", re.DOTALL)
_SUPERSCRIPTS = str.maketrans("0123456789+−T⊤", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀᵀ")
_RELATIONS = set("=≤≥<>≈≪≫→←↦∈×+")


@lru_cache(maxsize=1024)
def to_text(tex: str) -> str:
    r"""What one would type: `k \le q` is `k ≤ q`, `\frac{1}{\sqrt{d}}` is `1/√d`."""
    [html] = katex.render([katex.Formula(tex, display=False)])
    math = _MATH.search(html)
    assert math is not None, f"KaTeX gave no MathML for {tex}"
    return " ".join(_text(ET.fromstring(math[0].replace("&nbsp;", " "))).split())


def replace_inline(text: str) -> str:
    r"""Replaces each `\(…\)` in the text of an HTML document."""
    return _INLINE.sub(lambda match: escape(to_text(unescape(match[1])), quote=False), text)


def _text(node: ET.Element) -> str:
    tag = node.tag.removeprefix(_NAMESPACE)
    parts = [_text(child) for child in node]
    match tag:
        case "annotation":
            return ""
        case "mfrac":
            return "/".join(part if len(part) < 3 else f"({part})" for part in parts)
        case "msqrt":
            inner = "".join(parts)
            return f"√{inner}" if len(inner) < 2 else f"√({inner})"
        case "msup":
            return parts[0] + _raised(parts[1])
        case "msub":
            return f"{parts[0]}_{parts[1]}"
        case "msubsup":
            return f"{parts[0]}_{parts[1]}{_raised(parts[2])}"
        case "mspace":
            return " "
        case "mo" if node.text in _RELATIONS:
            return f" {node.text} "
        case "mi" | "mn" | "mo" | "mtext":
            return (node.text or "").replace("\u2061", "")
        case _:
            return "".join(parts)


def _raised(text: str) -> str:
    raised = text.translate(_SUPERSCRIPTS)
    return raised if raised != text or not text else f"^{text}"
