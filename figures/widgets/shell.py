"""The frame around every widget: title, tools, controls, status line; made once, at build."""

from __future__ import annotations

import inspect
import textwrap
from itertools import groupby
from types import ModuleType
from typing import Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from figures.shared.typography import bind
from figures.widgets.controls import Checkbox, Control, defaults
from figures.widgets.markup import attributes, escape

BUILD_STATUS = "рассчитано при сборке"
TABLE_STATUS = "рассчитано при сборке, для каждого положения регуляторов"


def section(module: ModuleType, *, frames: str, runtime_size: str) -> str:
    """The whole `<section>` of a widget in its default state.

    `frames` is the address of the packed file, `runtime_size` what starting Python downloads.
    """
    name, controls = module.NAME, module.CONTROLS
    shown = module.frame(defaults(controls))
    root = {
        "class": "attn-widget",
        "data-widget": name,
        "data-source": "build",
        "data-frames": frames,
        "data-table-status": bind(TABLE_STATUS),
        "data-search-exclude": True,
        "aria-labelledby": f"{name}-title",
        "tabindex": "-1",
    }
    return (
        f"<section{attributes(root)}>"
        f'<div class="aw-head"><p class="aw-title" id="{name}-title">{escape(module.TITLE)}</p>'
        f"{_tools()}</div>"
        f"{_controls(name, controls, 'above')}"
        f'<div class="aw-figure" data-figure>{module.html(shown)}</div>'
        f"{_controls(name, controls, 'below')}"
        f"{_status(runtime_size)}{_sources(module)}"
        '<noscript><p class="aw-noscript">Показано исходное состояние: регуляторам нужен '
        "JavaScript.</p></noscript>"
        '<p class="aw-hidden" aria-live="polite" data-announce></p></section>'
    )


def _tools() -> str:
    items = "".join(
        f'<button type="button" data-download="{kind}">{kind.upper()}</button>'
        for kind in ("svg", "png", "csv")
    )
    return (
        '<div class="aw-tools" data-needs-script hidden>'
        '<button type="button" data-reset>Сбросить</button>'
        f'<details class="aw-menu"><summary>Скачать</summary><div>{items}</div></details>'
        '<button type="button" data-fullscreen aria-pressed="false">Во весь экран</button></div>'
    )


def _controls(name: str, controls: tuple[Control, ...], place: str) -> str:
    inputs = ""
    here = (control for control in controls if control.place == place)
    for are_checks, group in groupby(here, lambda control: isinstance(control, Checkbox)):
        html = "".join(control.html(name) for control in group)
        inputs += f'<div class="aw-checks">{html}</div>' if are_checks else html
    if not inputs:
        return ""
    return (
        f'<form class="aw-controls aw-{place}" novalidate><fieldset disabled '
        f'aria-labelledby="{name}-title">{inputs}</fieldset></form>'
    )


def _status(runtime_size: str) -> str:
    size = f" (≈ {runtime_size})" if runtime_size else ""
    return (
        f'<div class="aw-status"><span data-status>{BUILD_STATUS}</span>'
        '<progress data-progress hidden aria-label="загрузка Python"></progress>'
        f'<button type="button" data-start hidden>Запустить Python{escape(size)}</button>'
        '<button type="button" data-stop hidden>Стоп</button>'
        '<button type="button" data-retry hidden>Повторить</button></div>'
    )


def _sources(module: ModuleType) -> str:
    functions: tuple[Any, ...] = getattr(module, "SOURCES", ())
    if not functions:
        return ""
    source = "\n\n".join(textwrap.dedent(inspect.getsource(function)) for function in functions)
    code = highlight(source, PythonLexer(), HtmlFormatter(cssclass="highlight"))
    return f'<details class="aw-source"><summary>Код, который это считает</summary>{code}</details>'
