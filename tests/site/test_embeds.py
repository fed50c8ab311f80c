"""The `[[kind: name]]` lines: what they become, and what stops the build."""

from __future__ import annotations

import pytest
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files

from figures.pipeline import embeds
from figures.pipeline.expand_embeds import KINDS
from tests.site.conftest import PageOf, Project


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
    ("line", "said", "front", "at"),
    [
        ("[[figrue: probe]]", "unknown kind of embed 'figrue'", "", 3),
        ("[[figure: nope]]", "there is no figure 'nope'", "---\ntitle: Проба\n---\n\n", 7),
    ],
)
def test_a_wrong_embed_names_file_and_line(
    page_of: PageOf, line: str, said: str, front: str, at: int
) -> None:
    page, config = page_of(f"{front}# Проба\n\n{line}\n")
    with pytest.raises(PluginError, match=f"^docs/index.md:{at}: {said}"):
        embeds.expand(page.markdown or "", embeds.Place(page, config, Files([page.file])), KINDS)


def test_lines_that_the_build_adds_are_not_counted(project: Project) -> None:
    project.edit("mkdocs.yml", "hooks:\n", "hooks:\n  - figures/pipeline/lab_examples.py\n")
    code = "``` {.python .lab}\n1\n```\n\n"
    project.write("docs/lab.md", "# Проба\n")
    project.write(
        "docs/lesson/multihead-masks.md", f"# А\n\n## Б {{#b}}\n\n{code}[[figure: nope]]\n"
    )
    project.must_fail("docs/lesson/multihead-masks.md:9: there is no figure 'nope'")


def test_a_figure_in_place(project: Project) -> None:
    project.add_figure()
    project.write("docs/index.md", "# Проба\n\nДо.\n\n[[figure: probe]]\n\nПосле.\n")
    project.must_pass()
    figure = project.page("index.html").select_one("figure#fig-probe")
    assert figure is not None, "the figure is not in the page"
    svg = figure.select_one('svg[role="img"]')
    assert svg is not None and "Полоса длиной шесть" in svg["aria-label"]
    caption = figure.select_one("figcaption")
    assert caption.select_one("math"), "the formula of the caption is not rendered"
    assert caption.select_one('a[href="figures/probe/"]'), "no link to how it is made"
    before, after = figure.find_previous_sibling("p"), figure.find_next_sibling("p")
    assert before.get_text() == "До." and after.get_text() == "После.", "the text around it moved"
