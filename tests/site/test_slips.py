"""Slips of an author: the build names file and line for each, `serve` too and every time."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files

from figures.pipeline import (
    embeds,
    lesson,
    markdown_text,
    page_slips,
    widget_html,
)
from figures.widgets.controls import Checkbox, Slider
from tests.site.conftest import PageOf, Project

PAIR = "without its pair"
ALONE = "not shown: write "

SLIPS = [
    ("Пусть $x и дальше.", 1, f"a $ {PAIR}"),
    ("Пусть $x, и $y$\nтоже.", 1, f"a $ {PAIR}"),
    ("Слово,\nслово $ x$.", 2, f"a $ {PAIR}"),
    ("$$\nx = 1\n\nТекст.", 1, f"a $ {PAIR}"),
    ("Текст\n$$\nx\n$$", 2, f"a $ {PAIR}"),
    ("$$\nx\n$$.", 1, f"a $ {PAIR}"),
    ("Код `a` и `b.", 1, f"a ` {PAIR}"),
    ("``` python\nx = 1\n\nТекст.", 1, "nothing closes this ```"),
    ("~~~\nx\n```", 1, "nothing closes this ~~~"),
    ("``` {.lab}\nx\n```", 1, "code without a language: write {.python .lab}"),
    ("``` lab\nx\n```", 1, "code without a language: write {.python .lab}"),
    ("``` {.pyhton .lab}\nx\n```", 1, "unknown language of code 'pyhton'"),
    ("``` {.text .lab}\nx\n```", 1, "the laboratory runs python, not 'text'"),
    ("``` pyhton\nx\n```", 1, "unknown language of code 'pyhton'"),
    ("``` {.python .laab}\nx\n```", 1, "unknown class of code 'laab'"),
    ("``` python lab\nx\n```", 1, "unknown option of code 'lab'"),
    ("``` {.python .lab\nx\n```", 1, "Markdown takes this for no code: '{.python .lab'"),
    ("Текст\n[[widget: heads]] тут.", 2, f"{ALONE}[[widget: heads]]"),
    ("[[widget: heads]].", 1, f"{ALONE}[[widget: heads]]"),
    ("[widget: heads]", 1, f"{ALONE}[[widget: heads]]"),
    ("[[figure: tiles]", 1, f"{ALONE}[[figure: tiles]]"),
    ("- [[figure: tiles]]", 1, f"{ALONE}[[figure: tiles]]"),
    ("| [[figure: tiles]] | а |", 1, f"{ALONE}[[figure: tiles]]"),
    ("\tТекст.", 1, "a tab: write spaces"),
    ("Текст.\n\n1.\tТекст.", 3, "a tab: write spaces"),
    ("Он\nберет.", 2, "е for ё: write берёт: [берет]."),
    ("Всего 12 288.", 1, "U+202F: Всего [12⟨U+0020⟩288]."),
    ("Всего 12\u00a0288.", 1, "U+202F: Всего [12⟨U+00A0⟩288]."),
    ("Слово - слово.", 1, "a hyphen for a dash: write —: Слово [-] слово."),
]


@pytest.mark.parametrize(("source", "line", "said"), SLIPS, ids=[row[0] for row in SLIPS])
def test_a_slip_is_told_with_its_line(source: str, line: int, said: str) -> None:
    found = page_slips.slips(f"# Проба\n\n{source}\n")
    assert found, f"nothing is said about {source!r}"
    assert found[0][0] == line + 2 and said in found[0][1], f"{source!r}: {found}"


@pytest.mark.parametrize(
    "source",
    [
        "Пусть $x$ и $y\n+ z$.",
        "Текст.\n\n$$\nx\n$$\n\nТекст.",
        "- пункт:\n\n    $$\n    x\n    $$\n\n- другой",
        "Цена 5\\$, код `$x` и ``a`b``.",
        "[[widget: heads]]\n\n    \n[слово](a.md), [1] и [Имя и др., 2017](#a)",
        "``` {.python .lab}\n\t[[x]] $ ` он берет - 12 288\n```\n\n``` {.text .output}\n1\n```",
        "```\nx\n```\n\n``` console\n$ make\n```",
        '``` python title="a"\nx\n```',
        "!!! note\n\n    ``` python\n    x\n    ```",
    ],
)
def test_what_is_right_passes(source: str) -> None:
    assert page_slips.slips(f"# Проба\n\n{source}\n") == []


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<p>и <em>так</em> **жирный текст</p>", "**жирный текст"),
        ("<p>!!! note «Слово»</p>", "!!! note «Слово»"),
        ("<p>слово](a.md) и</p>", "](a.md) и"),
        ("<p>слово {.a}</p>", "{.a}"),
    ],
)
def test_marks_that_markdown_left_are_seen(html: str, said: str) -> None:
    assert page_slips.raw(html) == [said]
    kept = f'<pre>{html}</pre><code>**a</code><span class="arithmatex">\\(a**b\\)</span>'
    assert page_slips.raw(kept) == [], "code or a formula is taken for text"


def test_a_dollar_less_in_any_paragraph_of_the_lesson_is_seen() -> None:
    text = lesson.text_of(lesson.pages()[0])
    read = "\n".join(markdown_text.without_fences(text))
    assert page_slips.slips(text) == [], "the lesson has slips"
    dollars = [match.start() for match in re.finditer(r"\$", read)]
    lines = {read.count("\n", 0, at) for at in dollars}
    print(
        f"{len(dollars)} dollars on {len(lines)} lines of {read.count(chr(10))}, every 20th taken"
    )
    for at in dollars[::20]:
        assert page_slips.slips(read[:at] + read[at + 1 :]), f"not seen: {read[at - 30 : at + 30]}"


def test_one_build_tells_all_slips_of_a_page(project: Project) -> None:
    project.edit("mkdocs.yml", "# extra_css: [", "extra_css: [assets/none.css]  # ")
    rows = ["---", "title: Проба", "---", "", "# Проба", "", "Он берет.", "",
            r"Формула $\htmlData{k=nope}{x}$ и **слово.", "", "[Слово][attnlib.nope], [figure: a].",
            "", "```", "[слово](nope.md)", "```", "", "[слово](nope.md),", "[слово](#nope)",
            "и [слово](figures/index.md#nope)", ""]  # fmt: skip
    project.write("docs/index.md", "\n".join(rows))
    link = "Doc file 'index.md' contains a link"
    project.must_fail(
        "docs/index.md:7: е for ё: write берёт: Он [берет].",
        "docs/index.md:9: no figure of this page has 'k=nope'; known: none",
        "docs/index.md:9: a reader would see the marks of Markdown in '**слово.'",
        "docs/index.md:11: mkdocs_autorefs: index.md: Could not find cross-reference target",
        "docs/index.md:11: not shown: write [[figure: a]] alone on its line",
        f"docs/index.md:17: {link} 'nope.md'",
        f"docs/index.md:18: {link} '#nope'",
        f"docs/index.md:19: {link} 'figures/index.md#nope'",
        "mkdocs.yml: there is no docs/assets/none.css",
    )


@pytest.mark.parametrize(
    ("snippet", "said"),
    [
        ("attnlib/no.py", "Snippet at path 'attnlib/no.py'"),
        ("attnlib/cost.py:no", "Snippet section 'no'"),
    ],
)
def test_a_missing_snippet_names_its_line(page_of: PageOf, snippet: str, said: str) -> None:
    made, config = page_of(f'# Проба, но\n\n``` python\n--8<-- "{snippet}"\n```\n')
    with pytest.raises(PluginError, match=f"^docs/index.md:4: {said}"):
        page_slips.on_pre_page(made, config, Files([])).render(config, Files([made.file]))


def test_an_embed_that_markdown_takes_for_code_names_its_line(
    page_of: PageOf,
) -> None:
    made, _ = page_of("# Проба\n\nТекст.\n\n    [[figure: tiles]]\n")
    with pytest.raises(PluginError, match=r"^docs/index.md:5: not shown"):
        embeds.fill("<pre><code>&lt;div&gt;</code></pre>", ["<figure>"], made)


def test_a_slider_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="T: the slider's table holds inf"):
        Slider(name="T", label="T", table=(1.0, float("inf")), default=1.0)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (np.ones(2), "frame: raw.scores is ndarray"),
        ([1.0, float("nan")], "frame: raw.scores is list"),
        (np.int64(1), "frame: raw.scores is int64"),
    ],
)
def test_a_frame_that_json_cannot_hold_names_its_line(
    tmp_path: Path, value: object, said: str
) -> None:
    module = ModuleType("bad")
    module.__file__ = str(tmp_path / "bad.py")
    text = 'def frame(state):\n    return {"raw": {"scores": 1}}\n'
    Path(module.__file__).write_text(text, encoding="utf-8")
    module.NAME, module.CONTROLS = "bad", (Checkbox(name="a", label="а", default=False),)
    module.frame = lambda state: {"shown": "1", "raw": {"scores": value}}
    with pytest.raises(PluginError, match=rf"bad\.py:2: FrameError: {said}"):
        widget_html._packed(module)
