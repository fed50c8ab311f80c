"""Numbers of sections 4 and 6."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction
from pathlib import Path

import numpy as np

from attnlib import MultiHeadAttention, cost, flash_attention, masks
from figures.shared.formats import binary_size
from tests.site.claims_heads import products
from tests.site.claims_heads import projections as projection_numbers
from tests.site.lesson_page import NUMERAL
from tests.site.lesson_registry import Claim, fit, percent, says, value
from tests.site.sources import MODELS, Model, fact
from tests.site.text_parts import example, script

ROOT = Path(__file__).resolve().parents[2]
BENCH = json.loads((ROOT / "figures" / "static" / "bench_record.json").read_text("utf-8"))
MEASURED = BENCH["attention"][-1]
[SKIPPING] = [
    mask for row in BENCH["attention"] for mask in row.get("masks", ()) if mask["mask"] == "causal"
]
CREDIT = f"{BENCH['machine']}, {date.fromisoformat(BENCH['date']):%d.%m.%Y}"
LLAMA_70B = MODELS["Llama-2-70B"]


def computed_share(n: int, block: int) -> Fraction:
    """The kernel's own count of the elements that it computed."""
    x = np.zeros((n, 1), dtype=np.float32)
    _, stats = flash_attention(
        x, x, x, causal=True, block_q=block, block_k=block, return_stats=True
    )
    return stats.tile_share


def projections(width: int, heads: int, kv_heads: int) -> int:
    """Multiply-adds of a layer's projections for one token, by its own matrices."""
    made = MultiHeadAttention.random(width, heads, kv_heads, seed=0)
    return sum(matrix.size for matrix in (made.w_q, made.w_k, made.w_v, made.w_o))


def cheaper(width: int, heads: int, kv_heads: int, n: int) -> float:
    """The share of a layer's multiply-adds that sharing keys and values saves, in per cent."""
    unit = projections(heads, heads, heads)
    saved = Fraction(unit - projections(heads, heads, kv_heads), unit)
    whole = cost.attention_madds(n, width)
    return percent(saved * cost.projections_madds(n, width) / whole)


def kept(n: int, width: int) -> int:
    """What a causal mask leaves of a layer."""
    scores = cost.products_madds(n, width) * cost.causal_share(n)
    return int(scores) + cost.projections_madds(n, width)


def in_units(count: int) -> float:
    """Bytes in the unit in which the site shows them."""
    return value(NUMERAL.findall(binary_size(count))[0])


def unit(count: int) -> str:
    return binary_size(count).split()[-1]


def cache(model: Model, kv_heads: int | None = None) -> int:
    sets = model.kv_heads if kv_heads is None else kv_heads
    return cost.kv_cache_bytes(model.layers, sets, model.head_size, model.cached)


def ratios() -> list[int]:
    return sorted(m.heads // m.kv_heads for m in MODELS.values() if m.kv_heads < m.heads)


def per_token() -> tuple[int, ...]:
    return fit(
        lambda k, d, a: a * k * d,
        lambda k, d: cost.kv_cache_bytes(1, k, d, 1, bytes_per_number=1),
    )


def gain(row: dict[str, float]) -> float:
    return 1 / row["ratio_full"]


SHARE = "$n$ | используется | доля"

WORK = [
    says(
        "при $n = #$ — в # раза. Медианы парных замеров, " + NUMERAL.sub("#", CREDIT),
        gives=lambda: (MEASURED["n"], gain(MEASURED), NUMERAL.findall(CREDIT)),
    ),
    says(
        "если оставить обоим один поток, при $n = #$ оно быстрее не в #, а в # раза",
        gives=lambda: (MEASURED["n"], gain(MEASURED), gain(MEASURED["one_thread"])),
    ),
    says(
        r"всего пар $# + # + \dots + n = n(n + #)/#$",
        gives=lambda: (
            masks.visible_keys(masks.causal(64))[:2],
            fit(lambda n, a, b: Fraction(n * (n + a), b), lambda n: int(masks.causal(n).sum())),
        ),
    ),
    says(
        "доля нужных среди всех $n^#$ равна",
        gives=lambda: fit(lambda n, a: n**a, lambda n: masks.causal(n).size),
    ),
    says(
        r"$ \frac{n(n + #)/#}{n^#} = \frac{n + #}{#n}. $",
        gives=lambda: (
            fit(lambda n, a, b: Fraction(n * (n + a), b), lambda n: int(masks.causal(n).sum())),
            fit(lambda n, a: n**a, lambda n: masks.causal(n).size),
            fit(lambda n, a, b: Fraction(n + a, b * n), cost.causal_share),
        ),
    ),
    says(
        SHARE,
        "@ | # из # | # %",
        gives=lambda n: (
            *(masks.causal(n).sum(), masks.causal(n).size),
            percent(cost.causal_share(n)),
        ),
    ),
    says("Только члена $#n^#D$", gives=products),
    says("проекциям $#nD^#$ маска ничего не экономит", gives=projection_numbers),
    says(
        "При $D = @$ и $n = @$ от всего слоя остаётся # %, а не половина: # действия из #",
        gives=lambda D, n: (
            percent(Fraction(kept(n, D), cost.attention_madds(n, D))),
            *(kept(n, D), cost.attention_madds(n, D)),
        ),
    ),
    says(
        "При $D = @$ и $n = 1024$ от всего слоя",
        "Два члена равны при $n = #D$, то есть здесь при # токенах",
        gives=lambda D: (
            Fraction(projection_numbers()[0], products()[0]),
            Fraction(projection_numbers()[0], products()[0]) * D,
        ),
    ),
    says(
        "только в плитках: $(N + #)/(#N)$",
        gives=lambda: fit(
            lambda N, a, b: Fraction(N + a, b * N), lambda N: cost.tile_share(N * 16, 16)
        ),
    ),
    says(
        "При $D = 768$ и $n = @$ от всего слоя",
        "ближе доля к точным # %: при $b = @$ вычислено # % матрицы, при $b = @$ — # %",
        gives=lambda n, large, small: (
            percent(cost.causal_share(n)),
            percent(computed_share(n, large)),
            percent(computed_share(n, small)),
        ),
    ),
    says(
        "На рисунке то же для $n = #$ и $b = #$",
        gives=lambda: (script("tiles").N, script("tiles").BLOCK),
    ),
    says(
        "при $n = #$ оно вычисляет # % матрицы и тратит # % времени",
        gives=lambda: (
            SKIPPING["n"],
            percent(SKIPPING["tile_share"]),
            percent(SKIPPING["ratio"]),
        ),
    ),
    says(
        "быстрее, чем без неё, примерно в #–# раза",
        gives=lambda: fact("speed-up by a causal mask"),
        cites="dao2023",
    ),
]

SETS = "то есть при @ наборах на @ головы"

SHARING = [
    says("MQA, multi-query attention (⟦shazeer2019⟧) | $h$ | # на все головы", gives=lambda: 1),
    says("по одному на группу голов; $# < g < h$", gives=lambda: 1),
    says("это $h$ у MHA, # у MQA и $g$ у GQA", gives=lambda: 1),
    says("заполненных числами # и #", gives=lambda: np.unique(example("v")["v"])),
    says("и член $#n^#D$ остаётся прежним", gives=products),
    says("Вместо $#nD^#$ проекции стоят", gives=projection_numbers),
    says(
        "проекции стоят $#nD^#(# + h_{kv}/h)$",
        gives=lambda: fit(
            lambda D, h, kv, a, b, c: a * D**b * (c + Fraction(kv, h)),
            projections,
            [(24, 8, 4), (48, 12, 3)],
        ),
    ),
    says(
        SETS + " — $#nD^#$",
        gives=lambda kv, h: (
            Fraction(projections(h, h, kv), h * h),
            projection_numbers()[-1],
        ),
    ),
    says(
        SETS,
        "При $D = @$ слой внимания дешевеет от этого на # % для $n = @$ и на # % для $n = @$",
        gives=lambda kv, h, D, short, long: (
            cheaper(D, h, kv, short),
            cheaper(D, h, kv, long),
        ),
    ),
    says(r"то есть $#\,h_{kv}\,d$ чисел", gives=per_token),
    says(r"\text{байт} = # \cdot L \cdot h_{kv}", gives=per_token),
    *(
        says(
            *scene,
            f"{name} | {hole} | # | # {size}",
            gives=gives,
        )
        for name, scene, hole, size, gives in (
            (
                "MHA",
                ("Для @ слоёв, @ голов, $d = @$, $n = @$ и двух",),
                "#",
                "ГиБ",
                lambda L, h, d, n: (
                    h,
                    *(f(cost.kv_cache_bytes(L, h, d, n)) for f in (int, in_units)),
                ),
            ),
            (
                "GQA",
                ("Для @ слоёв,", "голов, $d = @$, $n = @$ и двух"),
                "@",
                "ГиБ",
                lambda L, d, n, kv: [f(cost.kv_cache_bytes(L, kv, d, n)) for f in (int, in_units)],
            ),
            (
                "MQA",
                ("Для @ слоёв,", "голов, $d = @$, $n = @$ и двух"),
                "#",
                "МиБ",
                lambda L, d, n: (
                    1,
                    *(f(cost.kv_cache_bytes(L, 1, d, n)) for f in (int, in_units)),
                ),
            ),
        )
    ),
    says(
        "ГиБ — это $@^{@}$ байт, на # % больше, чем ГБ",
        gives=lambda base, power: percent(Fraction(base**power, 10**9) - 1),
    ),
    *(
        says(
            f"{model.name}{' v0.1' * (name == 'Mistral-7B')} | # | # | # | # | "
            f"{'#, окно #' if model.window else '#'} | # {unit(cache(model))} | ⟦{model.source}⟧",
            gives=lambda name=name: (
                *(number for number in MODELS[name].facts if number is not None),
                in_units(cache(MODELS[name])),
            ),
            cites=model.source,
        )
        for name, model in MODELS.items()
    ),
    says(
        "эти размеры различаются в #–# раз",
        gives=lambda: (ratios()[0], ratios()[-1]),
    ),
    says(
        "хранить только последние # токенов",
        gives=lambda: MODELS["Mistral-7B"].cached,
    ),
    says(
        f"с # наборами вместо # он занял бы # {unit(cache(LLAMA_70B, LLAMA_70B.heads))}",
        gives=lambda: (
            *(LLAMA_70B.heads, LLAMA_70B.kv_heads),
            in_units(cache(LLAMA_70B, LLAMA_70B.heads)),
        ),
    ),
]

SUMMARY = [
    says(
        "Нужна доля $(n + #)/(#n)$ пар",
        gives=lambda: fit(lambda n, a, b: Fraction(n + a, b * n), cost.causal_share),
    ),
    says("но только от члена $#n^#D$", gives=products),
]

CLAIMS: list[Claim] = [*WORK, *SHARING, *SUMMARY]
