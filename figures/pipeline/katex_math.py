"""MkDocs hook: marked formulas become finished HTML, and plain text where HTML cannot stand."""

from __future__ import annotations

import json
import re
from html import escape, unescape
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink

from figures.pipeline import formula_text, katex, places

_MARKED = re.compile(
    r'(?P<before>[(«]*)<(?P<tag>span|div) class="arithmatex"[^>]*>'
    r"\s*\\[(\[](?P<tex>.*?)\\[)\]]\s*</(?P=tag)>"
    r"(?P<after>[.,;:!?)»…]*)",
    re.DOTALL,
)
_DISPLAY = '<div class="arithmatex">'
_INDEX = "search/search_index.json"
_ALONE_IN_HEADER = (re.compile(r"<th\b[^>]*>\s*\Z"), re.compile(r"\s*</th>"))
# A short formula keeps its punctuation on its own line; a long one may break.
_SHORT = 40


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Keeps TeX out of the table of contents and, for display formulas, out of the search index."""
    _name_in_words(list(page.toc))
    return html.replace(_DISPLAY, _DISPLAY.replace(">", ' data-search-exclude="1">'))


def rendered(output: str, page: Page) -> str:
    """A page with its formulas as HTML; the first that KaTeX refuses stops the build."""
    matches = list(_MARKED.finditer(output))
    if not matches:
        return output
    formulas = [katex.Formula(unescape(m["tex"]), m["tag"] == "div") for m in matches]
    try:
        made = katex.render(formulas)
    except katex.FormulaError as error:
        raise PluginError(f"{places.in_file(page.file, error.tex)}: {error}") from error
    done = iter(zip(formulas, made, strict=True))
    return _MARKED.sub(lambda match: _placed(match, *next(done)), output)


def write_search_index(site: Path) -> None:
    """Inline formulas stay in the search index, as one would type them."""
    index = site / _INDEX
    content = json.loads(index.read_text(encoding="utf-8"))
    for entry in content["docs"]:
        for field in ("title", "text"):
            entry[field] = formula_text.replace_inline(entry[field])
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    index.write_text(text, encoding="utf-8")


def _name_in_words(entries: list[AnchorLink]) -> None:
    for entry in entries:
        entry.title = formula_text.replace_inline(entry.title)
        _name_in_words(entry.children)


def _placed(match: re.Match[str], formula: katex.Formula, html: str) -> str:
    before, after = match["before"], match["after"]
    if _is_table_header(match):
        name = escape(formula_text.to_text(formula.tex))
        html = html.replace("<math ", f'<math aria-label="{name}" ', 1)
    if formula.display:
        return f'{before}<div class="math-display" translate="no">{html}</div>{after}'
    if len(katex.plain_tex(formula.tex)) > _SHORT:
        return f'{before}<span class="math-inline" translate="no">{html}</span>{after}'
    return f'<span class="math-inline math-nobr" translate="no">{before}{html}{after}</span>'


def _is_table_header(match: re.Match[str]) -> bool:
    """Whether a formula is all that a header cell says: then it must name its column in words."""
    opening, closing = _ALONE_IN_HEADER
    page, start, end = match.string, match.start(), match.end()
    return bool(closing.match(page, end) and opening.search(page[max(0, start - 80) : start]))
