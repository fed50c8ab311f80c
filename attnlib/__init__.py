"""Внимание, маски и их стоимость на NumPy и einops: библиотека урока «Многоголовость и маски».

Обозначения одни и те же всюду: b — пакет, n — длина, n_q и n_k — число запросов и ключей,
D — ширина модели, h — голов запроса, h_kv — голов ключей и значений, d — размер головы,
w — окно, T — температура.
"""

from attnlib import cost, masks, measures, pitfalls
from attnlib.attention import attention
from attnlib.cache import KVCache
from attnlib.flash import flash_attention
from attnlib.heads import merge_heads, split_heads
from attnlib.layers import MultiHeadAttention
from attnlib.softmax import softmax
from attnlib.tiled import tiled_attention
from attnlib.tiles import TileStats, tile_map

__version__ = "1.0.0"

__all__ = [
    "KVCache",
    "MultiHeadAttention",
    "TileStats",
    "attention",
    "cost",
    "flash_attention",
    "masks",
    "measures",
    "merge_heads",
    "pitfalls",
    "softmax",
    "split_heads",
    "tile_map",
    "tiled_attention",
]
