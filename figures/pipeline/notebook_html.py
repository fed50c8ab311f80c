"""Cleans what nbconvert makes of a figure script: only the cells stay, in the site's own markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from mkdocs.structure.toc import AnchorLink, TableOfContents

_CELLS = '<div class="jupyter-wrapper">'
_DROPPED = (
    re.compile(r"<script\b.*?</script>", re.DOTALL),
    re.compile(r"<style\b.*?</style>", re.DOTALL),
    re.compile(r'<div class="zeroclipboard-container">.*?</div>', re.DOTALL),
    re.compile(r'<div class="clipboard-copy-txt".*?</div>', re.DOTALL),
    re.compile(r'<a class="anchor-link".*?</a>', re.DOTALL),
    re.compile(r'<div class="jp-[\w-]*(?:Prompt|Collapser)[^>]*>[^<]*</div>'),
)
_SOURCE = re.compile(r'<div class="highlight-ipynb hl-python"><pre>(.*?)</pre></div>', re.DOTALL)
_HEADING = re.compile(r'<h([1-6])(?: id="[^"]*")?>')
_OPAQUE = re.compile(r"(<(pre|code|svg|math)\b.*?</\2>)", re.DOTALL)
_TEX = re.compile(r"\$\$([^$]+)\$\$|\$([^$\n]+)\$")


def clean(html: str, toc: TableOfContents, title: str) -> str:
    """Returns the cells of an executed page under one `<h1>`."""
    body = html[html.index(_CELLS) :]
    for pattern in _DROPPED:
        body = pattern.sub("", body)
    body = _SOURCE.sub(r'<div class="highlight"><pre><code>\1</code></pre></div>', body)
    body = _name_headings(body, toc)
    body = _mark_formulas(body)
    return body if "<h1" in body else f"<h1>{escape(title, quote=False)}</h1>\n{body}"


def downloads(stem: str, svg: str) -> str:
    """Links to the script, the notebook and the picture of a figure."""
    return (
        '<p class="fig-downloads">Скачать: '
        f'<a href="{stem}.py" download>скрипт .py</a>, '
        f'<a href="{stem}.ipynb" download>тетрадь .ipynb</a>, '
        f'<a href="{svg}" download>рисунок .svg</a></p>'
    )


def _name_headings(html: str, toc: TableOfContents) -> str:
    """nbconvert gives Cyrillic headings an empty id: take the ids of the table of contents."""
    ids = _ids(list(toc))

    def named(match: re.Match[str]) -> str:
        anchor = next(ids, None)
        return f'<h{match[1]} id="{anchor}">' if anchor else f"<h{match[1]}>"

    return _HEADING.sub(named, html)


def _ids(entries: list[AnchorLink]) -> Iterator[str]:
    for entry in entries:
        yield entry.id
        yield from _ids(entry.children)


def _mark_formulas(html: str) -> str:
    def marked(match: re.Match[str]) -> str:
        if match[1]:
            return f'<div class="arithmatex">\\[{match[1]}\\]</div>'
        return f'<span class="arithmatex">\\({match[2]}\\)</span>'

    pieces = _OPAQUE.split(html)
    # split() yields text, opaque element, its tag name, text, …
    texts = (_TEX.sub(marked, text) for text in pieces[::3])
    return "".join(text + opaque for text, opaque in zip(texts, [*pieces[1::3], ""], strict=True))
