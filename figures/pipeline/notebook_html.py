"""Takes the cells out of what nbconvert makes of a figure script, in the site's own markup."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from bs4 import BeautifulSoup, Tag
from markdown.extensions.toc import nest_toc_tokens
from pymdownx.slugs import slugify

from figures.pipeline import held

_CELLS = '<div class="jupyter-wrapper">'
_PARTS = ".jp-MarkdownOutput, .highlight-ipynb > pre, .jp-OutputArea-output"
_HEADINGS = ", ".join(f".jp-MarkdownOutput h{level}" for level in range(1, 7))
_SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_OPAQUE = re.compile(r"(<(pre|code|math)\b.*?</\2>)", re.DOTALL)
_TEX = re.compile(r"\$\$([^$]+)\$\$|\$([^$\n]+)\$")
_slug = slugify(case="lower")


@dataclass(frozen=True)
class Cells:
    """The HTML of the cells, and the tokens of their table of contents."""

    html: str
    toc_tokens: list[dict[str, Any]]


@lru_cache(maxsize=64)
def extract(html: str, title: str) -> Cells:
    """The cells of an executed page under one `<h1>`."""
    cells = _SVG.sub(lambda svg: held.hold(svg[0]), html[html.index(_CELLS) :])
    soup = BeautifulSoup(cells, "html.parser")
    tokens = _name_headings(soup)
    body = "\n".join(_part(part) for part in soup.select(_PARTS))
    if not tokens or tokens[0]["level"] != 1:
        body = f"<h1>{escape(title, quote=False)}</h1>\n{body}"
    return Cells(_mark_formulas(body), nest_toc_tokens(tokens))


def downloads(stem: str, svg: str) -> str:
    """Links to the script, the notebook and the picture of a figure."""
    return (
        '<p class="fig-downloads">Скачать: '
        f'<a href="{stem}.py" download>скрипт .py</a>, '
        f'<a href="{stem}.ipynb" download>тетрадь .ipynb</a>, '
        f'<a href="{svg}" download>рисунок .svg</a></p>'
    )


def _part(part: Tag) -> str:
    if part.name == "pre":
        return f'<div class="highlight"><pre><code>{part.decode_contents()}</code></pre></div>'
    if "jp-OutputArea-output" in part.get_attribute_list("class"):
        return f'<div class="cell-output">{part.decode_contents().strip()}</div>'
    return part.decode_contents().strip()


def _name_headings(soup: BeautifulSoup) -> list[dict[str, Any]]:
    """nbconvert gives Cyrillic headings an empty id; here they get that of their words."""
    tokens: list[dict[str, Any]] = []
    for link in soup.select("a.anchor-link"):
        link.decompose()
    for heading in soup.select(_HEADINGS):
        name = heading.get_text()
        heading["id"] = _slug(name, "-")
        tokens.append({"level": int(heading.name[1]), "id": heading["id"], "name": name})
    return tokens


def _mark_formulas(html: str) -> str:
    def marked(match: re.Match[str]) -> str:
        if match[1]:
            return f'<div class="arithmatex">\\[{match[1]}\\]</div>'
        return f'<span class="arithmatex">\\({match[2]}\\)</span>'

    pieces = _OPAQUE.split(html)
    # split() yields text, opaque element, its tag name, text, …
    texts = (_TEX.sub(marked, text) for text in pieces[::3])
    return "".join(text + opaque for text, opaque in zip(texts, [*pieces[1::3], ""], strict=True))
