"""A Markdown page as its author reads it: which lines are code, and which words are text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)$")
_FRONT = re.compile(r"\A---\n.*?\n---(?:\n|\Z)", re.DOTALL)
_BLOCK = r"(?:(?!\n[ \t]*\n).)"  # any character of the same paragraph
_OPAQUE = re.compile(
    rf"""
      (?P<comment> <!--.*?-->)
    | (?P<code> (?<!`)(?P<ticks>`+)(?!`) {_BLOCK}+? (?<!`)(?P=ticks)(?!`))
    | (?P<display> (?:\A|(?<=\n\n)|(?<=\n)[ \t]*[-*+][ ]) [ \t]*
        \$\$ {_BLOCK}+? \$\$ (?=\s*\Z|[ \t]*\n[ \t]*(?:\n|[-*+][ ])))
    | (?P<inline> (?<![\\$])\$(?![\s$]) (?:(?!\n[ \t]*\n)(?:\\.|[^\\$]))+? (?<!\s)\$)
    | (?P<address> \]\((?:[^()\s"]|\([^()]*\))* | https?://[^\s)>]+)
    | (?P<tag> </?[a-zA-Z][^>]*>)
    | (?P<attributes> \{{:?[ ]*[.\#][^}}\n]*\}})
    """,
    re.VERBOSE | re.DOTALL,
)
_SEEN_IN_TAGS = re.compile(r'\b(?:alt|title|aria-label|placeholder)="([^"]*)"')
_OPENING = re.compile(
    r"^\s*(?:\[[^\]]+\]:\s*\S+|\[\[[^\]]*\]\]\s*$|:::\s*\S+|(?:[-*+]|\d+\.|>|\||:|\#+)\s+)+"
)
_ADMONITION = re.compile(r'^\s*(?:!!!|\?\?\?\+?)[ \t]+[a-z -]*"?(?P<title>.*?)"?[ \t]*$')
_KEY = re.compile(r"""^\s*(?:-\s+)?[\w-]+:\s*(?P<quote>["']?)(?P<value>.*)(?P=quote)$""")


@dataclass(frozen=True)
class Fence:
    """A fenced block by the indices of its lines; `end` is None where nothing closes it."""

    start: int
    end: int | None
    indent: str
    marks: str
    info: str


def fences(lines: Sequence[str]) -> list[Fence]:
    """The fenced blocks of a page, in order. What would open one inside of another is code."""
    found: list[Fence] = []
    index = 0
    while index < len(lines):
        if match := _FENCE.match(lines[index]):
            marks = match["marks"]
            rest = range(index + 1, len(lines))
            end = next((i for i in rest if lines[i].strip() == marks), None)
            found.append(Fence(index, end, match["indent"], marks, match["info"].strip()))
            index = len(lines) if end is None else end
        index += 1
    return found


def without_fences(markdown: str) -> list[str]:
    """The lines of a page, those of fenced blocks empty; one that nothing closes is text."""
    lines = markdown.split("\n")
    for fence in fences(lines):
        if fence.end is not None:
            lines[fence.start : fence.end + 1] = [""] * (fence.end + 1 - fence.start)
    return lines


def opaque(match: re.Match[str]) -> str:
    """What stands in the text for code, a formula (¤), a tag (what it says to a reader) …"""
    ends = "\n" * match[0].count("\n")
    if match["tag"]:
        return " ".join(_SEEN_IN_TAGS.findall(match[0])) + ends
    return ends + "¤" if match["code"] or match["display"] or match["inline"] else ends


def prose(markdown: str) -> list[str]:
    """The words of each line of a page: no code, formulas, tags, addresses and marks of blocks."""
    front = _FRONT.match(markdown)
    head = front[0] if front else ""
    body = "\n".join(without_fences(markdown[len(head) :]))
    return [
        *map(_value, head.split("\n")[:-1]),
        *map(_words, _OPAQUE.sub(opaque, body).split("\n")),
    ]


def outside(markdown: str) -> list[str]:
    """The lines of a page without its fenced and inline code, formulas, comments and addresses."""
    return _OPAQUE.sub(opaque, "\n".join(without_fences(markdown))).split("\n")


def formulas(markdown: str) -> int:
    """How many formulas a page writes."""
    body = "\n".join(without_fences(markdown))
    return sum(bool(match["display"] or match["inline"]) for match in _OPAQUE.finditer(body))


def _value(line: str) -> str:
    match = _KEY.match(line)
    return match["value"] if match else ""


def _words(line: str) -> str:
    if match := _ADMONITION.match(line):
        return match["title"]
    return _OPENING.sub("", line)


def cells(script: str) -> str:
    """The Markdown cells of a percent-format script, on the lines on which they stand in it."""
    text = False
    shown = []
    for line in script.split("\n"):
        if line.startswith("# %%"):
            text = "[markdown]" in line
            shown.append("")
        else:
            shown.append(line.removeprefix("#").removeprefix(" ") if text else "")
    return "\n".join(shown)
