"""MkDocs hook: «Открыть в лаборатории» under the lesson's runnable code and on the figures' pages.

In the lesson the link stands below the output that follows the code.
Runnable code of the lesson is fenced as {.python .lab}; the example of a figure is
figures/examples/<name>.py, whose first line is a comment with its title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from textwrap import dedent

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from figures.pipeline import lesson, sources

LAB = "lab.md"
FOLDER = sources.ROOT / "figures" / "examples"
_FENCE = re.compile(r"^(?P<indent> *)(?P<marks>`{3,}) ?\{(?P<classes>[^}]*)\}\s*$")


@dataclass(frozen=True)
class Example:
    """Code that the laboratory's menu offers; `name` is its address there."""

    name: str
    group: str
    title: str
    code: str


def examples() -> list[Example]:
    """All examples: those of the lesson in its order, then those of the figures."""
    found = [
        example for uri in lesson.pages() for _, _, example in _blocks(uri, lesson.text_of(uri))
    ]
    names = lesson.sort_figures(path.stem for path in FOLDER.glob("*.py"))
    return found + [_of_figure(name) for name in names]


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    uri = page.file.src_uri
    if uri not in lesson.pages():
        return markdown
    lines = markdown.split("\n")
    for end, indent, example in _blocks(uri, markdown):
        last = _end_of_output(lines, end)
        lines[last] += f"\n\n{indent}{_link(example.name, page, files)}\n"
    return "\n".join(lines)


def link_of_figure(name: str, page: Page, files: Files) -> str:
    """The link under the page of a figure, if the figure has an example."""
    if not (FOLDER / f"{name}.py").is_file():
        return ""
    return _link(_of_figure(name).name, page, files)


def _link(name: str, page: Page, files: Files) -> str:
    target = files.get_file_from_path(LAB)
    if target is None:
        raise PluginError(f"docs/{LAB} is missing, and examples link to it")
    address = get_relative_url(target.url, page.url)
    return f'<p class="lab-open"><a href="{address}#example={name}">Открыть в лаборатории</a></p>'


def _blocks(uri: str, text: str) -> Iterator[tuple[int, str, Example]]:
    """Index of the last line, indentation and example of each runnable block."""
    lines, prefix = text.split("\n"), lesson.prefix_of(uri)
    counts: dict[str, int] = {}
    for start, line in enumerate(lines):
        fence = _FENCE.match(line)
        if not fence or ".lab" not in fence["classes"].split():
            continue
        section = lesson.section_above(uri, text, start + 1)
        end = _closing(lines, start, fence["marks"])
        if section is None or end is None:
            raise PluginError(f"docs/{uri}:{start + 1}: runnable code without a section or an end")
        count = counts[section.anchor] = counts.get(section.anchor, 0) + 1
        name = prefix + (section.anchor if count == 1 else f"{section.anchor}-{count}")
        title = unescape(section.title).replace("$", "")
        code = dedent("\n".join(lines[start + 1 : end])) + "\n"
        numbered = title if count == 1 else f"{title} ({count})"
        yield end, fence["indent"], Example(name, "Урок", numbered, code)


def _end_of_output(lines: list[str], end: int) -> int:
    """Index of the last line of the output that follows the code; without one, that of the code."""
    start = next((i for i in range(end + 1, len(lines)) if lines[i].strip()), len(lines) - 1)
    fence = _FENCE.match(lines[start])
    if not fence or ".output" not in fence["classes"].split():
        return end
    return _closing(lines, start, fence["marks"]) or end


def _closing(lines: list[str], start: int, marks: str) -> int | None:
    """Index of the line that closes the fence opened at `start`."""
    rest = range(start + 1, len(lines))
    return next((i for i in rest if lines[i].strip() == marks), None)


def _of_figure(name: str) -> Example:
    title, code = (FOLDER / f"{name}.py").read_text(encoding="utf-8").split("\n", 1)
    if not title.startswith("# "):
        raise PluginError(f"figures/examples/{name}.py: the first line is not a comment")
    return Example(f"figure-{name}", "Рисунки", title.removeprefix("# "), f"{title}\n{code}")
