"""Public facts that the lesson quotes: each with the work it stands in, and the place in the work.

The key is that of the lesson's bibliography. This is the one table that holds typed numbers.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Model:
    name: str
    layers: int
    heads: int
    kv_heads: int
    head_size: int
    context: int
    source: str
    where: str
    window: int | None = None

    @property
    def facts(self) -> tuple[int | None, ...]:
        sizes = (self.layers, self.heads, self.kv_heads, self.head_size)
        return (*sizes, self.context, self.window)

    @property
    def width(self) -> int:
        return self.heads * self.head_size

    @property
    def cached(self) -> int:
        return min(self.context, self.window or self.context)


MODELS = {
    model.name: model
    for model in (
        Model("GPT-2 small", 12, 12, 12, 64, 1024, "radford2019", "table 2, hparams.json"),
        Model("GPT-3", 96, 96, 96, 128, 2048, "brown2020", "table 2.1, section 2.1"),
        Model("Llama-2-7B", 32, 32, 32, 128, 4096, "touvron2023", "table 1, params.json"),
        Model("Llama-2-70B", 80, 64, 8, 128, 4096, "touvron2023", "table 1, params.json"),
        Model("Falcon-7B", 32, 71, 1, 64, 2048, "almazrouei2023", "config.json"),
        Model("Mistral-7B", 32, 32, 8, 128, 8192, "jiang2023", "table 1", window=4096),
        Model("Llama-3-8B", 32, 32, 8, 128, 8192, "llama2024", "table 3, params.json"),
    )
}


@dataclass(frozen=True)
class Fact:
    """Numbers of one work; `where` is the section or table, as the lesson's citation names it."""

    source: str
    where: str
    numbers: tuple[float, ...]


FACTS = {
    "BLEU by the size of a head": Fact(
        "vaswani2017", "таблица 3", (512, 24.9, 128, 25.5, 64, 25.8, 32, 25.8, 16, 25.4)
    ),
    "GPT-J: size of a head": Fact("wang2021", "README, model details", (256,)),
    "Gemma-7B: heads, their size, width": Fact("gemma2024", "table 1", (16, 256, 3072)),
    "DeepSeek-V3: content and position parts of a query": Fact(
        "deepseek2024", "section 4.2", (128, 64)
    ),
    "speed-up by a causal mask": Fact("dao2023", "раздел 3.1", (1.7, 1.8)),
    "every second layer is banded": Fact("brown2020", "раздел 2.1", ()),
    "a window is split between two sides": Fact("beltagy2020", "section 3.1", (2,)),
    "a window reaches W back": Fact("jiang2023", "section 2", ()),
}


def fact(name: str) -> tuple[float, ...]:
    return FACTS[name].numbers
