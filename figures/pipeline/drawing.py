"""Draws the figures of figures/static, once per state of the sources."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType

from figures.pipeline import kept, places, sources
from figures.pipeline.svg import FigureError, render


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


def _text(module: ModuleType, key: str) -> str:
    value = getattr(module, key, None)
    if not isinstance(value, str) or not value.strip():
        raise FigureError(f"{key} is missing or empty: each figure needs one")
    return " ".join(value.split())
