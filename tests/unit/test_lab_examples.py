"""Every example of the laboratory runs as it stands, with what the laboratory has."""

from __future__ import annotations

import ast

import pytest

from figures.laboratory import execution
from figures.pipeline import lab_examples, lesson, sources
from figures.pipeline.lab_examples import Example
from figures.pipeline.markdown_text import fences

EXAMPLES = lab_examples.examples()
AVAILABLE = {"numpy", "einops", "attnlib", "time", "fractions", "itertools", "math"}


def test_sections_of_the_lesson_give_examples() -> None:
    examples = [example for example in EXAMPLES if example.group == "Урок"]
    text = "".join(lesson.text_of(uri) for uri in lesson.pages())
    blocks = sum("lab" in fence.info for fence in fences(text.split("\n")))
    assert len(examples) == blocks > 0, f"{blocks} runnable blocks give {len(examples)} examples"
    assert len({example.name for example in EXAMPLES}) == len(EXAMPLES), "two share an address"


@pytest.mark.parametrize("figure", [sources.name_of(script) for script in sources.scripts()])
def test_each_figure_gives_an_example(figure: str) -> None:
    assert (lab_examples.FOLDER / f"{figure}.py").is_file(), (
        f"figures/examples/{figure}.py is missing: the figure's page cannot be opened in the lab"
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example_runs(example: Example) -> None:
    pieces: list[str] = []
    result = execution.execute(example.code, execution.Output(pieces.append))
    assert result["ok"], f"{example.name} fails: {result['error']}"
    assert pieces or result["value"], f"{example.name} shows nothing"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example_needs_only_what_the_browser_has(example: Example) -> None:
    for node in ast.walk(ast.parse(example.code)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            assert name.split(".")[0] in AVAILABLE, f"{example.name} imports {name}"
