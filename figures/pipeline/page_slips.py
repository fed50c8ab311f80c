"""MkDocs hook: a slip in the source of a page is told with file and line, before a reader sees it.

What Markdown does not understand it shows as it stands, without a word. Here it is an error of the
build, as is an embed, a formula or a piece of code that would stay raw, and bad typography.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound
from pymdownx.superfences import RE_NESTED_FENCE_START

from figures.pipeline import embeds, expand_embeds, held, markdown_text, places, typography_rules

_log = logging.getLogger("mkdocs.figures.slips")
_CLASSES = {"lab", "output"}  # of fenced code, beside its language
_OPTIONS = {"title", "hl_lines", "linenums"}
_OPTION = re.compile(r"(?:^|\s)([a-zA-Z]\w*)(?==|\s|$)")
_EMBED = re.compile(
    r"\[\[(?:(?P<kind>\w+) *: *(?P<name>[\w-]+))?|\]\]"
    r"|\[(?P<maybe>[a-z]+) *: *(?P<lone>[\w-]+)\](?!\()"
)
_OPAQUE = re.compile(
    r"<(?P<tag>pre|code|script|style)\b.*?</(?P=tag)>"
    r"|<(?P<box>span|div) class=\"arithmatex\".*?</(?P=box)>|<!--.*?-->",
    re.DOTALL,
)
_RAW = re.compile(
    r"(?:\*\*|~~~|!!!|\?\?\?\+?|:::|\[\[|\]\(|\{:?\s*[.#]|--8<--|^\s*#+ )\s*[^\n*]{0,30}",
    re.MULTILINE,
)
_KEY = re.compile(r"\\htmlData\s*\{(?P<data>[^}]*)\}")
_QUOTED = re.compile(r"'([^']+)'")


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if page.file.src_dir is not None:
        text = page.file.content_string
    elif _is_script(page):
        text = markdown_text.cells(page.file.content_string)
    else:
        return markdown  # made by a build step
    for line, slip in slips(text):
        _log.warning("%s:%d: %s", places.source_of(page.file), line, slip)
    return markdown


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """An error of Markdown's extensions (a reference, a snippet) names the page and the line."""
    if page.file.src_dir is not None:
        page.render = _explained(page.render, page)
    return page


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if page.file.src_dir is not None:
        for said in raw(html):
            where = places.in_file(page.file, said)
            _log.warning("%s: a reader would see the marks of Markdown in %r", where, said)
    return html


def check_keys(html: str, page: Page) -> None:
    """A term of a formula points at something: `data-k` of a figure or a widget of its page."""
    pointed = set(re.findall(r'\bdata-k="([^"]+)"', held.release(html)))
    for data in dict.fromkeys(_KEY.findall(html)):
        name, _, key = data.partition("=")
        if name.strip() != "k" or key.strip() not in pointed:
            where = places.in_file(page.file, f"\\htmlData{{{data}}}")
            known = ", ".join(f"k={key}" for key in sorted(pointed)) or "none"
            _log.warning("%s: no figure of this page has %r; known: %s", where, data, known)


def slips(markdown: str) -> list[tuple[int, str]]:
    """What is wrong with the source of a page: line, counted from 1, and what, in order."""
    lines = markdown.split("\n")
    found = [*_fences(lines), *_marks(lines, markdown), *_typography(markdown)]
    return sorted(found, key=lambda slip: slip[0])


def raw(html: str) -> list[str]:
    """The words of a page that still have marks of Markdown in them."""
    text = unescape(re.sub(r"<[^>]*>", "", _OPAQUE.sub(" ", html)))
    return [" ".join(match[0].split()) for match in _RAW.finditer(text)]


def _fences(lines: list[str]) -> Iterator[tuple[int, str]]:
    for fence in markdown_text.fences(lines):
        line = fence.start + 1
        if fence.end is None:
            yield line, f"nothing closes this {fence.marks}"
            continue
        match = RE_NESTED_FENCE_START.match(lines[fence.start].strip())
        if not match or match["unrecognized"]:
            yield line, f"Markdown takes this for no code: {fence.info!r} after {fence.marks}"
            continue
        words = (match["attrs"] or "").split()
        language, *classes = [word[1:] for word in words if word.startswith(".")] or [""]
        language = match["lang"] or language
        if language in _CLASSES:
            yield line, f"code without a language: write {{.python .{language}}}"
        elif language and not _is_language(language):
            yield line, f"unknown language of code {language!r}"
        elif "lab" in classes and language != "python":
            yield line, f"the laboratory runs python, not {language!r}"
        for unknown in sorted({*classes} - _CLASSES):
            yield line, f"unknown class of code {unknown!r}, known: {', '.join(sorted(_CLASSES))}"
        for unknown in sorted({*_OPTION.findall(match["options"] or "")} - _OPTIONS):
            yield line, f"unknown option of code {unknown!r}: write {{.{language} .{unknown}}}?"


def _marks(lines: list[str], markdown: str) -> Iterator[tuple[int, str]]:
    """Marks that no step will take for what they are, so that a reader would see them."""
    for number, text in enumerate(markdown_text.outside(markdown), start=1):
        if "\t" in text:
            yield number, "a tab: write spaces"
        if re.search(r"(?<!\\)\$", text):
            yield (
                number,
                "a $ without its pair in the paragraph, or a $$ without an empty line around",
            )
        if "`" in text:
            yield number, "a ` without its pair"
        match = _EMBED.search(text)
        if match and match["maybe"] and match["maybe"] not in expand_embeds.KINDS:
            continue  # words in brackets
        if match and not embeds.find(lines[number - 1]):
            kind, name = match["kind"] or match["maybe"], match["name"] or match["lone"]
            embed = f"[[{kind or 'kind'}: {name or 'name'}]]"
            yield number, f"not shown: write {embed} alone on its line"


def _typography(markdown: str) -> Iterator[tuple[int, str]]:
    for number, text in enumerate(markdown_text.prose(markdown), start=1):
        for fault in typography_rules.faults(text):
            yield number, str(fault)


@cache
def _is_language(name: str) -> bool:
    try:
        return bool(get_lexer_by_name(name))
    except ClassNotFound:
        return False


def _is_script(page: Page) -> bool:
    return bool(page.file.abs_src_path) and str(page.file.abs_src_path).endswith(".py")


def _explained(render: Callable[..., None], page: Page) -> Callable[..., None]:
    def explained(config: MkDocsConfig, files: Files) -> None:
        try:
            render(config, files)
        except Exception as error:
            said = _QUOTED.search(str(error))
            where = places.in_file(page.file, said[1] if said else str(error))
            raise PluginError(f"{where}: {error}") from error

    return explained
