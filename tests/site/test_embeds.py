"""The `[[kind: name]]` lines: what they become, and what stops the build."""

from __future__ import annotations

import pytest
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files

from figures.pipeline import embeds
from figures.pipeline.expand_embeds import KINDS
from tests.site.conftest import PageOf


def test_only_lines_outside_code_are_embeds() -> None:
    text = "\n".join(
        [
            "[[figure: a]]",
            "Текст [[figure: b]] в строке.",
            "```python",
            "[[figure: c]]",
            "```",
            "~~~~",
            "```",
            "[[figure: d]]",
            "~~~~",
            "  [[widget:kv-cache]]  ",
            "[[1, 2]]",
            "[[questions]]",
        ]
    )
    found = [(embed.kind, embed.name, embed.line) for embed in embeds.find(text)]
    assert found[0] == ("figure", "a", 1)
    assert ("widget", "kv-cache", 10) in found
    assert ("questions", "", 12) in found
    assert not {"b", "c", "d"} & {name for _, name, _ in found}, "code or running text was taken"


@pytest.mark.parametrize(
    ("line", "said", "front", "added", "at"),
    [
        ("[[figrue: probe]]", "unknown kind of embed 'figrue'", "", "", 3),
        ("[[figure: nope]]", "there is no figure 'nope'", "---\ntitle: Проба\n---\n\n", "", 7),
        ("[[figure: nope]]", "there is no figure 'nope'", "", "By a step of the build.\n\n", 3),
    ],
)
def test_a_wrong_embed_names_file_and_line(
    page_of: PageOf, line: str, said: str, front: str, added: str, at: int
) -> None:
    page, config = page_of(f"{front}# Проба\n\n{line}\n")
    with pytest.raises(PluginError, match=f"^docs/index.md:{at}: {said}"):
        embeds.expand(
            f"{added}{page.markdown}", embeds.Place(page, config, Files([page.file])), KINDS
        )
