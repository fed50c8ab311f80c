"""Draws the figures of figures/static, once per state of the sources."""

from __future__ import annotations

import ast
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType

from figures.pipeline import kept, places, sources
from figures.style.svg import FigureError, render


@dataclass(frozen=True)
class Drawing:
    """A figure as the site shows it."""

    name: str
    title: str
    caption: str
    description: str
    svg: str


def draw(name: str) -> Drawing:
    """The drawing of figures/static/fig_<name>.py, from the cache if nothing has changed."""
    script = sources.STATIC / f"fig_{name}.py"
    if not script.is_file():
        known = ", ".join(map(sources.name_of, sources.scripts()))
        raise FigureError(f"there is no figure '{name}' in figures/static, known: {known}")
    try:
        digest = sources.script_digest(script)
    except SyntaxError as error:
        raise FigureError(f"{places.of_error(error, script)}: {error.msg}") from error
    file = sources.CACHE / "svg" / name / f"{digest}.json"
    if found := kept.read_json(file):
        return Drawing(**found)
    drawing = _draw(script)
    kept.write(file, json.dumps(asdict(drawing), ensure_ascii=False).encode())
    return drawing


def _draw(script: Path) -> Drawing:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    name = sources.name_of(script)
    sources.refresh()
    with matplotlib.rc_context():
        try:
            module = _execute(script)
            _check_shown(script)
            texts = {key: _text(module, key) for key in ("TITLE", "CAPTION", "DESCRIPTION")}
            svg = render(module.draw(), name, texts["DESCRIPTION"])
        except Exception as error:
            kind = "" if isinstance(error, FigureError) else f"{type(error).__name__}: "
            raise FigureError(f"{places.of_error(error, script)}: {kind}{error}") from error
        finally:
            plt.close("all")
    return Drawing(name, texts["TITLE"], texts["CAPTION"], texts["DESCRIPTION"], svg)


def _execute(script: Path) -> ModuleType:
    module = ModuleType(script.stem)
    module.__file__ = str(script)
    exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), module.__dict__)
    return module


def _check_shown(script: Path) -> None:
    """The page of the figure shows it under its name: the ids of the picture begin with it."""
    name = sources.name_of(script)
    calls = [
        node
        for node in ast.walk(ast.parse(script.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "show"
    ]
    if not calls:
        raise FigureError(f"the page shows nothing: end with show(draw(), {name!r}, DESCRIPTION)")
    for call in calls:
        said = call.args[1] if len(call.args) > 1 else None
        if not isinstance(said, ast.Constant) or said.value != name:
            shown = "nothing" if said is None else ast.unparse(said)
            raise FigureError(
                f"show() is given {shown}, the figure of this file is {name!r}", call.lineno
            )


def _text(module: ModuleType, key: str) -> str:
    value = getattr(module, key, None)
    if not isinstance(value, str) or not value.strip():
        raise FigureError(f"{key} is missing or empty: each figure needs one")
    return " ".join(value.split())
