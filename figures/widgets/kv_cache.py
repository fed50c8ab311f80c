"""W5: how many bytes the KV cache of a model takes, and what sharing keys and values saves."""

from __future__ import annotations

from typing import Any

from attnlib.cost import kv_cache_bytes, tokens_that_fit
from figures.shared.formats import NBSP, binary_size, count, fixed, grouped, trimmed
from figures.shared.models import MODELS, Model
from figures.shared.typography import typeset
from figures.widgets.controls import Number, Select, Slider
from figures.widgets.markup import Shown, bound, each, escape, live, readouts, stage_title

NAME = "kv-cache"
TITLE = "KV-кэш: сколько памяти стоит разговор"
OWN = "own"
START = MODELS[-1]
LENGTHS = tuple(2**power for power in range(10, 18))
MEMORIES = (8, 24, 80)
SCHEMES = ("mha", "gqa", "mqa")


def _own(
    name: str, label: str, default: int, *, low: int = 1, high: int = 256, unit: str = ""
) -> Number:
    return Number(
        name=name,
        label=label,
        default=default,
        low=low,
        high=high,
        unit=unit,
        place="below",
        needs=("model", OWN),
    )


def _numbers(model: Model) -> dict[str, int]:
    """What the fields of the own numbers say while a model is chosen: something to start from."""
    return {
        "L": model.layers,
        "h": model.heads,
        "h_kv": model.kv_heads,
        "d": model.head_dim,
        "window": model.window or 0,
    }


CONTROLS = (
    Select(
        name="model",
        label="модель",
        options={model.name: model.name for model in MODELS} | {OWN: "свои числа"},
        fills={model.name: _numbers(model) for model in MODELS},
        default=START.name,
    ),
    Select(
        name="dtype",
        label="числа в кэше",
        options={"1": "int8, 1 байт", "2": "float16, 2 байта", "4": "float32, 4 байта"},
        default="2",
    ),
    Slider(name="n", label="токенов n", table=LENGTHS, default=START.context),
    Slider(name="batch", label="текстов сразу", table=(1, 2, 4, 8, 16, 32, 64), default=1),
    _own("L", "слоёв L", START.layers, high=512),
    _own("h", "голов запросов h", START.heads),
    _own("h_kv", "наборов ключей h_kv", START.kv_heads),
    _own("d", "размер головы d", START.head_dim, high=1024),
    _own("window", "окно w", 0, low=0, high=2**20, unit="0 — нет"),
)
LISTED = ("model", "dtype", "n", "batch")
NOTHING = "—"


def cache_bytes(model: Model, sets: int, n: int, batch: int, bytes_per_number: int) -> int:
    """Bytes of the cache after n tokens: a window keeps the last w of them only."""
    held = min(n, model.window or n)
    return kv_cache_bytes(
        model.layers, sets, model.head_dim, held, batch=batch, bytes_per_number=bytes_per_number
    )


SOURCES = (cache_bytes, kv_cache_bytes, tokens_that_fit)


REMARK = {"text": "remark", "hidden": "!remark"}
READOUTS = (
    ("bytes", "кэш модели", "Ключи и значения всех слоёв."),
    ("ratio", "меньше, чем у MHA", "Во столько раз: h делить на h_kv."),
    (
        "token",
        "один токен",
        "Ключи и значения одного токена во всех слоях, во всех текстах сразу.",
    ),
    ("held", "токенов в кэше", "С окном w хранятся только последние w токенов: min(n, w)."),
)


@typeset
def frame(state: dict[str, Any]) -> dict[str, Any]:
    """Everything that W5 shows in a state of its controls."""
    model = _model(state)
    n, batch, size = state["n"], state["batch"], int(state["dtype"])
    sets = _sets(model)
    held = min(n, model.window or n)
    full = cache_bytes(model, model.heads, n, batch, size)
    here = cache_bytes(model, model.kv_heads, n, batch, size)
    divides = model.heads % model.kv_heads == 0
    return {
        "scheme": _scheme(model) or NOTHING,
        "between": sets["gqa"] is not None,
        "groups": [model.heads // model.kv_heads] * model.kv_heads if divides else [],
        "reading": _reading(model, divides),
        "remark": ""
        if divides
        else f"h = {model.heads} не делится на h_kv = {model.kv_heads}: головы запросов нельзя "
        "разложить поровну, такой модели не бывает.",
        "schemes": {
            name: _bar(model, sets[name], n, batch, size, full, own=name == _scheme(model).lower())
            for name in SCHEMES
        },
        "formula": f"2 · L · h_kv · d · {'min(n, w)' if model.window else 'n'} · текстов · "
        "байт на число",
        "growth": {
            str(length): {
                "current": length == n,
                **{name: _size(model, sets[name], length, batch, size) for name in SCHEMES},
            }
            for length in LENGTHS
        },
        "readouts": {
            "bytes": binary_size(here),
            "ratio": f"×{trimmed(full / here, 2)}",
            "token": binary_size(cache_bytes(model, model.kv_heads, 1, batch, size)),
            "held": grouped(held),
        },
        "notes": {
            "token": "окно полно: кэш не растёт"
            if model.window and n >= model.window
            else "на столько растёт кэш",
            "held": f"окно w = {grouped(model.window)}" if held < n and model.window else "все n",
        },
        "raw": {"bytes": here, "mha_bytes": full},
    }


def html(shown: Shown) -> str:
    """The figure of a frame."""
    return (
        '<div class="kv">'
        + readouts(shown, NAME, READOUTS)
        + _schemes(shown)
        + stage_title("Кто чьи ключи читает", live(shown, "scheme"))
        + each(
            shown,
            "div",
            "g:groups",
            _group,
            _class="kv-groups",
            role="img",
            aria_labelledby="kv-reading",
        )
        + f'<p class="aw-caption" id="kv-reading">{live(shown, "reading")}</p>'
        f'<p class="aw-remark" data-remark{bound(shown, REMARK)}>{escape(shown["remark"])}</p>'
        + _growth(shown)
        + '<p class="aw-caption">Считается только кэш: память под веса модели и промежуточные '
        f"массивы сюда не входит. Байты кэша: {live(shown, 'formula')}; 1 ГиБ = 2³⁰ байт. "
        "Числа моделей — из их статей и опубликованных настроек.</p></div>"
    )


def _model(state: dict[str, Any]) -> Model:
    if state["model"] != OWN:
        return next(model for model in MODELS if model.name == state["model"])
    return Model(
        name=OWN,
        layers=state["L"],
        heads=state["h"],
        kv_heads=state["h_kv"],
        head_dim=state["d"],
        context=state["n"],
        source="",
        window=state["window"] or None,
    )


def _sets(model: Model) -> dict[str, int | None]:
    """Sets of the three schemes; for GQA the model's own, else the divisor of h nearest to 8."""
    between = [sets for sets in range(2, model.heads) if model.heads % sets == 0]
    if model.kv_heads in between:
        grouped_sets: int | None = model.kv_heads
    else:
        grouped_sets = min(between, key=lambda sets: (abs(sets - 8), sets), default=None)
    return {"mha": model.heads, "gqa": grouped_sets, "mqa": 1}


def _scheme(model: Model) -> str:
    """The scheme by its name, or nothing where the heads cannot be shared out."""
    if model.heads % model.kv_heads:
        return ""
    if model.kv_heads == model.heads:
        return "MHA"
    return "MQA" if model.kv_heads == 1 else "GQA"


def _reading(model: Model, divides: bool) -> str:
    if not divides:
        return ""
    queries = count(model.heads, "голова запросов", "головы запросов", "голов запросов")
    sets = count(model.kv_heads, "набор", "набора", "наборов")
    each = model.heads // model.kv_heads
    shared = count(each, "голову", "головы", "голов")
    return (
        f"{queries}, {sets} ключей и значений: один набор на {shared}."
        if each > 1
        else (f"{queries}, {sets} ключей и значений: у каждой головы свой.")
    )


def _size(model: Model, sets: int | None, n: int, batch: int, size: int) -> str:
    return NOTHING if sets is None else binary_size(cache_bytes(model, sets, n, batch, size))


def _bar(
    model: Model, sets: int | None, n: int, batch: int, size: int, full: int, *, own: bool
) -> dict[str, Any]:
    share = 0.0 if sets is None else cache_bytes(model, sets, n, batch, size) / full
    return {
        "sets": NOTHING if sets is None else grouped(sets),
        "size": _size(model, sets, n, batch, size),
        "share": fixed(share, 4),
        "own": own,
        "fits": {
            str(memory): NOTHING if sets is None else _fits(model, sets, memory, batch, size)
            for memory in MEMORIES
        },
    }


def _fits(model: Model, sets: int, memory: int, batch: int, size: int) -> str:
    tokens = tokens_that_fit(
        memory * 2**30, model.layers, sets, model.head_dim, batch=batch, bytes_per_number=size
    )
    return "сколько угодно" if model.window and tokens >= model.window else grouped(tokens)


def _group(here: Shown) -> str:
    return each(here, "span", "h:groups.$g", lambda _: "<i></i>")


def _schemes(shown: Shown) -> str:
    memory_heads = "".join(f'<th scope="col">{memory}{NBSP}ГиБ</th>' for memory in MEMORIES)
    rows = ""
    for name in SCHEMES:
        path = f"schemes.{name}"
        mark = bound(shown, {"data-own": f"{path}.own", **_there(name)})
        fits = "".join(f"<td>{live(shown, f'{path}.fits.{memory}')}</td>" for memory in MEMORIES)
        rows += (
            f'<tr data-scheme="{name}"{mark}><th scope="row">{name.upper()}</th>'
            f'<td>{live(shown, f"{path}.sets")}</td><td class="kv-size"><span class="kv-track">'
            f"<i{bound(shown, {'--p': f'{path}.share'})}></i></span>"
            f"{live(shown, f'{path}.size')}</td>{fits}</tr>"
        )
    return (
        '<div class="aw-scroll"><table class="aw-table" data-schemes><caption>Та же модель с '
        "разным числом наборов ключей и сколько токенов каждого текста поместится в память"
        '</caption><thead><tr><th scope="col">схема</th><th scope="col">наборов</th>'
        f'<th scope="col" class="kv-size">кэш</th>{memory_heads}</tr></thead>'
        f'<tbody translate="no">{rows}</tbody></table></div>'
    )


def _there(scheme: str) -> dict[str, str]:
    """Some numbers of heads have nothing between all sets and one: 71, for example, is a prime."""
    return {"hidden": "!between"} if scheme == "gqa" else {}


def _growth(shown: Shown) -> str:
    there = {name: bound(shown, _there(name)) for name in SCHEMES}
    rows = ""
    for length in LENGTHS:
        path = f"growth.{length}"
        cells = "".join(
            f"<td{there[name]}>{live(shown, f'{path}.{name}')}</td>" for name in SCHEMES
        )
        current = bound(shown, {"data-current": f"{path}.current"})
        rows += f'<tr{current}><th scope="row">{grouped(length)}</th>{cells}</tr>'
    heads = "".join(f'<th scope="col"{there[name]}>{name.upper()}</th>' for name in SCHEMES)
    return (
        '<div class="aw-scroll"><table class="aw-table" data-growth><caption>Как кэш растёт с '
        f'длиной текста</caption><thead><tr><th scope="col">n</th>{heads}</tr></thead>'
        f'<tbody translate="no">{rows}</tbody></table></div>'
    )
