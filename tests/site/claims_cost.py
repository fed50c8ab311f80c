"""Numbers of sections 4 and 6."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction
from pathlib import Path

import numpy as np

from attnlib import MultiHeadAttention, cost, flash_attention, masks
from tests.site.claims_heads import D_POWER, LAYER, N_POWER, PRODUCTS, PROJECTIONS, D, N
from tests.site.lesson_page import NUMERAL
from tests.site.lesson_registry import Claim, Table, decimals, percent, says, shown, table
from tests.site.models import MODELS, Model

ROOT = Path(__file__).resolve().parents[2]
BINARY = ((2**30, "ГиБ"), (2**20, "МиБ"))


def computed_share(block: int) -> Fraction:
    """The kernel's own count of the elements that it computed."""
    x = np.zeros((N, 1), dtype=np.float32)
    _, stats = flash_attention(
        x, x, x, causal=True, block_q=block, block_k=block, return_stats=True
    )
    return stats.tile_share


def projections(heads: int, kv_heads: int) -> float:
    """Multiply-adds of a layer's projections per token, in units of D², by its own matrices."""
    layer = MultiHeadAttention.random(heads, heads, kv_heads, seed=0)
    matrices = (layer.w_q, layer.w_k, layer.w_v, layer.w_o)
    return sum(matrix.size for matrix in matrices) / heads**2


def size(count: int) -> str:
    """Bytes in the largest binary unit that is not above them."""
    unit, name = next((unit, name) for unit, name in BINARY if count >= unit)
    return f"{decimals(count / unit, 2).rstrip('0').rstrip('.')} {name}"


def cache(model: Model, kv_heads: int | None = None) -> int:
    sets = model.kv_heads if kv_heads is None else kv_heads
    return cost.kv_cache_bytes(model.layers, sets, model.head_size, model.cached)


def _share_row(n: int, places: int) -> tuple[int, str, str]:
    used = int(masks.causal(n).sum())
    return (n, f"{shown(used)} из {shown(n * n)}", f"{percent(cost.causal_share(n), places)} %")


def _cache_row(name: str, h_kv: int) -> tuple[str, int, int, str]:
    count = cost.kv_cache_bytes(32, h_kv, 128, 8192)
    return (name, h_kv, count, size(count))


def _model_row(model: Model, name: str) -> tuple[object, ...]:
    context = shown(model.context) + (f", окно {model.window}" if model.window else "")
    numbers = (model.layers, model.heads, model.kv_heads, model.head_size, context)
    return (name, *numbers, size(cache(model)), f"⟦{model.source}⟧")


KEPT = cost.products_madds(N, D) * cost.causal_share(N) + cost.projections_madds(N, D)
SHARED = [m.heads // m.kv_heads for m in MODELS.values() if m.kv_heads < m.heads]
LLAMA_70B = MODELS["Llama-2-70B"]

BENCH = json.loads((ROOT / "figures" / "static" / "bench_record.json").read_text("utf-8"))
MEASURED = BENCH["attention"][-1]
[SKIPPING] = [
    mask for row in BENCH["attention"] for mask in row.get("masks", ()) if mask["mask"] == "causal"
]
CREDIT = f"{BENCH['machine']}, {date.fromisoformat(BENCH['date']):%d.%m.%Y}"

WORK: list[Claim | Table] = [
    says(
        "при $n = #$ оно быстрее полной матрицы в # раза. Медианы парных замеров, "
        + NUMERAL.sub("#", CREDIT),
        MEASURED["n"],
        decimals(1 / MEASURED["ratio_full"], 1),
        *NUMERAL.findall(CREDIT),
    ),
    says(r"всего пар $# + # + \dots + n = n(n + #)/#$", 1, 2, 1, 2),
    says("доля нужных среди всех $n^#$ равна", 2),
    says(r"$ \frac{n(n + #)/#}{n^#} = \frac{n + #}{#n}. $", 1, 2, 2, 1, 2),
    table(
        "$n$ | используется | доля",
        *(_share_row(n, places) for n, places in ((4, 1), (128, 1), (1024, 2))),
    ),
    says(
        "Только члена $#n^#D$: проекциям $#nD^#$ маска ничего не экономит",
        *LAYER,
    ),
    says(
        "При $D = #$ и $n = #$ от всего слоя остаётся # %, а не половина: # действия из #",
        *(D, N, percent(KEPT / cost.attention_madds(N, D), 1)),
        *(int(KEPT), cost.attention_madds(N, D)),
    ),
    says(
        "Два члена равны при $n = #D$, то есть здесь при # токенах",
        *(PROJECTIONS // PRODUCTS, PROJECTIONS // PRODUCTS * D),
    ),
    says("только в плитках: $(N + #)/(#N)$", 1, 2),
    says(
        "ближе доля к точным # %: при $b = #$ вычислено # % матрицы, при $b = #$ — # %",
        *(percent(cost.causal_share(N), 2), 128, percent(computed_share(128), 2)),
        *(64, percent(computed_share(64), 3)),
    ),
    says("На рисунке то же для $n = #$ и $b = #$", 64, 8),
    says(
        "при $n = #$ причинная маска оставляет ему # % плиток и # % времени",
        *(SKIPPING["n"], percent(SKIPPING["tile_share"], 1), percent(SKIPPING["ratio"], 0)),
    ),
    says("быстрее, чем без неё, в #–# раза", "1.7", "1.8", source="dao2023"),
]

SHARING: list[Claim | Table] = [
    says("MQA, multi-query attention (⟦shazeer2019⟧) | $h$ | # на все головы", 1),
    says("по одному на группу голов; $# < g < h$", 1),
    says("это $h$ у MHA, # у MQA и $g$ у GQA", 1),
    says("двух наборах, заполненных числами # и #", 10, 20),
    says("Что понадобится из урока #", 140),
    says("Подробно KV-кэш разбирает урок #", 140),
    says("и член $#n^#D$ остаётся прежним", PRODUCTS, N_POWER),
    says("Вместо $#nD^#$ проекции стоят $#nD^#(# + h_{kv}/h)$", PROJECTIONS, D_POWER, 2, 2, 1),
    says(
        "то есть при # наборах на # головы — $#nD^#$",
        *(8, 32, decimals(projections(32, 8), 1), D_POWER),
    ),
    says(r"то есть $#\,h_{kv}\,d$ чисел", cost.kv_cache_bytes(1, 1, 1, 1, bytes_per_number=1)),
    says(
        r"\text{байт} = # \cdot L \cdot h_{kv}",
        cost.kv_cache_bytes(1, 1, 1, 1, bytes_per_number=1),
    ),
    says("Для # слоёв, # голов, $d = #$, $n = #$ и двух байт на число", 32, 32, 128, 8192),
    table(
        "схема | $h_{kv}$ | байт | это",
        *(_cache_row(name, h_kv) for name, h_kv in (("MHA", 32), ("GQA", 8), ("MQA", 1))),
    ),
    says(
        "ГиБ — это $#^{#}$ байт, на # % больше, чем ГБ",
        *(2, 30, percent(Fraction(2**30, 10**9) - 1, 1)),
    ),
    table(
        "модель | $L$ | $h$ | $h_{kv}$ | $d$ | контекст | кэш полного контекста | источник",
        *(
            _model_row(model, "Mistral-7B v0.1" if name == "Mistral-7B" else name)
            for name, model in MODELS.items()
        ),
    ),
    says("у моделей с GQA и MQA разница от # до # раза", min(SHARED), max(SHARED)),
    says("хранить только последние # токенов", MODELS["Mistral-7B"].cached),
    says(
        "с # наборами вместо # он занял бы # ГиБ",
        *(LLAMA_70B.heads, LLAMA_70B.kv_heads),
        size(cache(LLAMA_70B, LLAMA_70B.heads)).removesuffix(" ГиБ"),
    ),
]

SUMMARY: list[Claim | Table] = [
    says(
        "Нужна доля $(n + #)/(#n)$ пар, но только от члена $#n^#D$",
        *(1, 2, PRODUCTS, N_POWER),
    ),
]

CLAIMS = [*WORK, *SHARING, *SUMMARY]
