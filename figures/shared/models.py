"""Published shapes of real models: the lesson's table, its figure and the presets of W5."""

from __future__ import annotations

from dataclasses import dataclass

from attnlib.cost import kv_cache_bytes


@dataclass(frozen=True)
class Model:
    """What the size of a KV cache depends on.

    `source` is the model's paper; what a paper leaves out (the heads of GPT-2, the layers and heads
    of Llama-2) is taken from the published settings.
    """

    name: str
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    context: int
    source: str
    window: int | None = None

    @property
    def held(self) -> int:
        """Tokens that the cache holds when the context is full."""
        return min(self.context, self.window or self.context)

    def cache_bytes(self, kv_heads: int | None = None) -> int:
        """One text of the full context, two bytes per number; `kv_heads` instead of the model's."""
        return kv_cache_bytes(self.layers, kv_heads or self.kv_heads, self.head_dim, self.held)


MODELS = (
    Model("GPT-2 small", 12, 12, 12, 64, 1024, "Radford et al. 2019"),
    Model("GPT-3", 96, 96, 96, 128, 2048, "arXiv:2005.14165"),
    Model("Llama-2-7B", 32, 32, 32, 128, 4096, "arXiv:2307.09288"),
    Model("Llama-2-70B", 80, 64, 8, 128, 4096, "arXiv:2307.09288"),
    Model("Falcon-7B", 32, 71, 1, 64, 2048, "arXiv:2311.16867"),
    Model("Mistral-7B v0.1", 32, 32, 8, 128, 8192, "arXiv:2310.06825", window=4096),
    Model("Llama-3-8B", 32, 32, 8, 128, 8192, "arXiv:2407.21783"),
)
