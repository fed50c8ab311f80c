"""Public facts about models, typed in from the works that the lesson cites."""

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
        Model("GPT-2 small", 12, 12, 12, 64, 1024, "radford2019"),
        Model("GPT-3", 96, 96, 96, 128, 2048, "brown2020"),
        Model("Llama-2-7B", 32, 32, 32, 128, 4096, "touvron2023"),
        Model("Llama-2-70B", 80, 64, 8, 128, 4096, "touvron2023"),
        Model("Falcon-7B", 32, 71, 1, 64, 2048, "almazrouei2023"),
        Model("Mistral-7B", 32, 32, 8, 128, 8192, "jiang2023", window=4096),
        Model("Llama-3-8B", 32, 32, 8, 128, 8192, "llama2024"),
    )
}
