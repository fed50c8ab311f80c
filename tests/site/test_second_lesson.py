"""A lesson is one set of files, found by its name: a second one edits no other file."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.conftest import ROOT
from tests.site.conftest import FIGURE, Project

FIRST = """\
# Первый

## А {#work}

``` {.python .lab}
1
```
"""
SECOND = {
    "docs/lesson/tiny.md": """\
# Второй

Слово.

## Начало {#start}

[[figure: probe]]

[[widget: probe]]

## Работа {#work}

``` {.python .lab}
2
```

[[questions]]
""",
    "figures/static/fig_probe.py": FIGURE,
    "figures/examples/probe.py": "# Проба рисунка\n3\n",
    "figures/widgets/probe.py": """\
from figures.widgets.controls import Slider
from figures.widgets.markup import live
from figures.shared.typography import typeset

NAME = "probe"
TITLE = "Проба"
CONTROLS = (Slider(name="n", label="число n", table=(1, 2, 3), default=2),)


@typeset
def frame(state):
    return {"square": str(state["n"] ** 2)}


def html(shown):
    return live(shown, "square")
""",
    "figures/questions/tiny.py": """\
from figures.questions.model import Choice, Option


def questions():
    options = (Option("Да.", True, "Верно."), Option("Нет.", False, "Неверно."))
    return (
        Choice("tiny-one", "start", "Первый вопрос?", options),
        Choice("tiny-two", "work", "Второй вопрос?", options),
    )
""",
}
NAV = "nav:\n  - Урок: lesson/multihead-masks.md\n  - Лаборатория: lab.md\n"
HOOKS = ("lab_examples", "widget_html")


@pytest.fixture
def two_lessons(project: Project) -> Project:
    """A site with one lesson, to which the files of a second one were added."""
    project.edit("mkdocs.yml", "nav:\n", NAV)
    hooks = "".join(f"  - figures/pipeline/{name}.py\n" for name in HOOKS)
    project.edit("mkdocs.yml", "hooks:\n", f"hooks:\n{hooks}")
    for own in (project.root / "figures" / "widgets").glob("*.py"):
        if "\nNAME = " in own.read_text(encoding="utf-8"):
            own.unlink()
    shutil.copy2(ROOT / "figures/runtime/bytecode.bin", project.root / "figures/runtime")
    project.write("docs/index.md", "# Начало\n\n[[lessons]]\n")
    project.write("docs/figures/index.md", "# Рисунки\n\n[[gallery]]\n")
    project.write("docs/lab.md", "# Лаборатория\n\n[[laboratory]]\n")
    project.write("docs/lesson/multihead-masks.md", FIRST)
    for path, text in SECOND.items():
        assert not (project.root / path).exists(), f"{path} is there without the second lesson"
        project.write(path, text)
    return project


def test_a_second_lesson_is_only_its_own_files(two_lessons: Project) -> None:
    two_lessons.must_pass()
    page = two_lessons.page("lesson/tiny/index.html")
    assert page.select_one("#fig-probe svg"), "its figure is not drawn"
    assert (
        page.select_one('section[data-widget="probe"] [data-bind="text:square"]').get_text() == "4"
    )
    links = [link.get_text() for link in page.select("[data-answer] a")]
    assert links == ["Раздел 1", "Раздел 2"], "its questions do not lead to its sections"
    opened = [link["href"] for link in page.select(".lab-open a")]
    assert opened == ["../../lab/#example=tiny-work"], "its code cannot be opened"

    tabs = [link.get_text(strip=True) for link in page.select(".md-tabs__link")]
    assert tabs[:2] == ["Урок", "Второй"], f"it is not in the navigation: {tabs}"
    home = [link["href"] for link in two_lessons.page("index.html").select("a.md-button")]
    assert home == ["lesson/multihead-masks/", "lesson/tiny/"], "the home page does not offer it"
    assert two_lessons.page("figures/index.html").select_one("#fig-probe"), (
        "no place in the gallery"
    )
    back = two_lessons.page("figures/probe/index.html").select_one(".fig-back a")
    assert back["href"] == "../../lesson/tiny/#start", "its figure does not lead back to it"
    assert "lesson/tiny/" in str(two_lessons.page("404.html")), "a wrong address does not offer it"
    assert two_lessons.page("w/probe/index.html").select_one("section[data-widget=probe]")
    menu = json.loads(two_lessons.page("lab/index.html").select_one("[data-lab]")["data-examples"])
    names = [entry["id"] for entry in menu]
    assert names[:2] == ["work", "tiny-work"], "two examples share an address"
    assert "figure-probe" in names, "its figure has no example"
