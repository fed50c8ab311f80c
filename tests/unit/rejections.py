"""Calls of the table of known faults that must fail, with the whole message.

A row is one call, or a pair: the same call of `attention` and of `flash_attention`, both made.
"""

import numpy as np

import attnlib
from attnlib import KVCache, MultiHeadAttention, cost, masks, measures, pitfalls
from tests.unit.cases import (
    INF,
    NAN,
)

Q, K = np.ones((2, 4, 3)), np.ones((2, 5, 3))
ones = np.ones


def attend(q=Q, k=K, v=K, **options):
    return (
        lambda: attnlib.attention(q, k, v, **options),
        lambda: attnlib.flash_attention(q, k, v, **options),
    )


def readable(q=Q[0], k=K[0], v=K[0], mask=True, **options):
    return lambda: attnlib.tiled_attention(q, k, v, mask, **options)


def cache_with(k, v=None):
    cache = KVCache()
    cache.update(ones((2, 3, 4)), ones((2, 3, 4)))
    return lambda: cache.update(k, k if v is None else v)


def layer(**changes):
    weights = {"w_q": ones((8, 8)), "w_k": ones((8, 4)), "w_v": ones((8, 4)), "w_o": ones((8, 8))}
    sizes = {"n_heads": 4, "n_kv_heads": 2}
    return MultiHeadAttention(**(weights | sizes | changes))


NOT_BOOL = (
    "mask: ожидается булева маска (True = разрешено), получено: тип {} "
    "(сделайте её булевой: mask != 0; добавка к оценкам передаётся как bias)"
)
ROWS = [
    (attend(q=ones(3)), ValueError, "q: ожидается не меньше 2 осей, получено: форма (3,)"),
    (attend(q=ones((4, 0)), k=ones((5, 0)), v=ones((5, 1))), ValueError,
     "q: ожидается размер головы d ≥ 1, получено: форма (4, 0)"),
    (attend(q=ones((2, 4, 3), complex)), TypeError,
     "q: ожидается вещественные или целые числа, получено: тип complex128"),
    (attend(k=ones((2, 5, 3), object)), TypeError,
     "k: ожидается вещественные или целые числа, получено: тип object"),
    (attend(v=[[1.0], [1.0, 2.0]]), ValueError,
     "v: ожидается прямоугольный массив, получено: строки разной длины"),
    (attend(k=ones((2, 5, 4))), ValueError,
     "k: ожидается форма (…, h_kv, n_k, d) с теми же «…» и d, что у q (2, 4, 3), "
     "получено: (2, 5, 4)"),
    (attend(k=ones((5, 3))), ValueError,
     "k: ожидается форма (…, h_kv, n_k, d) с теми же «…» и d, что у q (2, 4, 3), получено: (5, 3)"),
    (attend(q=ones((4, 3))), ValueError,
     "k: ожидается форма (n_k, d) с теми же «…» и d, что у q (4, 3), получено: (2, 5, 3)"),
    (attend(v=ones((2, 6, 3))), ValueError,
     "v: ожидается столько же голов и ключей, сколько у k (2, 5, 3), получено: (2, 6, 3)"),
    (attend(q=ones((6, 1, 3)), k=ones((4, 1, 3)), v=ones((4, 1, 3))), ValueError,
     "k: ожидается число голов h_kv, на которое делится h = 6 у q, получено: 4"),
    (attend(q=ones((6, 1, 3)), k=ones((0, 1, 3)), v=ones((0, 1, 3))), ValueError,
     "k: ожидается число голов h_kv, на которое делится h = 6 у q, получено: 0"),
    (attend(mask=ones((4, 5), np.int64)), TypeError, NOT_BOOL.format("int64")),
    (attend(mask=ones((4, 5), np.float32)), TypeError, NOT_BOOL.format("float32")),
    (attend(mask=ones((3, 5), bool)), ValueError,
     "mask: ожидается форма, растяжимая до (2, 4, 5), получено: (3, 5)"),
    (attend(mask=ones((1, 2, 4, 5), bool)), ValueError,
     "mask: ожидается форма, растяжимая до (2, 4, 5), получено: (1, 2, 4, 5)"),
    (attend(bias=ones((3, 5))), ValueError,
     "bias: ожидается форма, растяжимая до (2, 4, 5), получено: (3, 5)"),
    (attend(bias=ones((4, 5), bool)), TypeError,
     "bias: ожидается числа, добавляемые к оценкам, получено: булев массив (передайте как mask)"),
    (attend(temperature=-1), ValueError, "temperature: ожидается число ≥ 0, получено: -1.0"),
    (attend(temperature=NAN), ValueError, "temperature: ожидается число, получено: nan"),
    (attend(temperature="1"), TypeError,
     "temperature: ожидается вещественное число, получено: str"),
    (attend(temperature=[1.0]), TypeError,
     "temperature: ожидается одно число, получено: массив формы (1,)"),
    (attend(softcap=0), ValueError, "softcap: ожидается число > 0, получено: 0.0"),
    (attend(softcap=-1.5), ValueError, "softcap: ожидается число > 0, получено: -1.5"),
    (attend(scale=INF), ValueError, "scale: ожидается конечное число, получено: inf"),
    (lambda: attnlib.flash_attention(Q, K, K, block_q=0), ValueError,
     "block_q: ожидается целое число ≥ 1, получено: 0"),
    (lambda: attnlib.flash_attention(Q, K, K, block_k=2.0), TypeError,
     "block_k: ожидается целое число, получено: float"),
    (lambda: attnlib.flash_attention(Q, K, K, causal=1), TypeError,
     "causal: ожидается True или False, получено: int"),
    (lambda: attnlib.flash_attention(Q, K, K, window=0), ValueError,
     "window: ожидается целое число ≥ 1, получено: 0"),
    (lambda: attnlib.flash_attention(Q, K, K, window=2.0), TypeError,
     "window: ожидается целое число, получено: float"),
    (readable(q=Q, k=K, v=K), ValueError,
     "q: ожидается одна голова, форма (n_q, d), получено: (2, 4, 3)"),
    (readable(k=K), ValueError,
     "k: ожидается форма (n_k, d) с теми же «…» и d, что у q (4, 3), получено: (2, 5, 3)"),
    (readable(v=ones((6, 3))), ValueError,
     "v: ожидается столько же голов и ключей, сколько у k (5, 3), получено: (6, 3)"),
    (readable(mask=ones((3, 5), bool)), ValueError,
     "mask: ожидается форма, растяжимая до (4, 5), получено: (3, 5)"),
    (readable(mask=ones((4, 5))), TypeError, NOT_BOOL.format("float64")),
    (readable(block_q=0), ValueError, "block_q: ожидается целое число ≥ 1, получено: 0"),
    (readable(block_k=2.0), TypeError, "block_k: ожидается целое число, получено: float"),
    (lambda: attnlib.softmax([1.0], axis=1), ValueError,
     "axis: ожидается номер одной из осей формы (1,), получено: 1"),
    (lambda: attnlib.softmax([1.0], axis=0.0), TypeError,
     "axis: ожидается целое число, получено: float"),
    (lambda: attnlib.softmax(["a"]), TypeError,
     "scores: ожидается вещественные или целые числа, получено: тип <U1"),
    (lambda: masks.causal(-1), ValueError, "n_q: ожидается целое число ≥ 0, получено: -1"),
    (lambda: masks.causal(2, -1), ValueError, "n_k: ожидается целое число ≥ 0, получено: -1"),
    (lambda: masks.causal(2.0), TypeError, "n_q: ожидается целое число, получено: float"),
    (lambda: masks.causal(True), TypeError, "n_q: ожидается целое число, получено: bool"),
    (lambda: masks.causal(np.array([1, 2])), TypeError,
     "n_q: ожидается целое число, получено: массив формы (2,)"),
    (lambda: masks.padding([3], 2), ValueError,
     "lengths: ожидается длины от 0 до n = 2, получено: [3]"),
    (lambda: masks.padding([-1], 2), ValueError,
     "lengths: ожидается длины от 0 до n = 2, получено: [-1]"),
    (lambda: masks.padding(1, 2), ValueError,
     "lengths: ожидается одномерный список целых чисел, получено: форма ()"),
    (lambda: masks.padding([1.0], 2), TypeError,
     "lengths: ожидается целые числа, получено: тип float64"),
    (lambda: masks.padding([1], 2, side="top"), ValueError,
     "side: ожидается «left» или «right», получено: 'top'"),
    (lambda: masks.sliding_window(4, 0), ValueError, "w: ожидается целое число ≥ 1, получено: 0"),
    (lambda: masks.block_sparse(5, 2, ones((2, 2), bool)), ValueError,
     "n: ожидается число, кратное block = 2, получено: 5"),
    (lambda: masks.block_sparse(4, 2, ones((2, 3), bool)), ValueError,
     "pattern: ожидается форма (2, 2), получено: (2, 3)"),
    (lambda: masks.block_sparse(4, 2, ones((2, 2))), TypeError,
     NOT_BOOL.format("float64").replace("mask:", "pattern:").replace("mask !=", "pattern !=")),
    (lambda: masks.global_tokens(4, [4]), ValueError,
     "indices: ожидается номера от 0 до n − 1 = 3, получено: [4]"),
    (lambda: masks.global_tokens(4, [-1]), ValueError,
     "indices: ожидается номера от 0 до n − 1 = 3, получено: [-1]"),
    (lambda: masks.visible_keys(True), ValueError,
     "mask: ожидается не меньше одной оси, получено: форма ()"),
    (lambda: attnlib.tile_map(ones(3, bool), 1, 1), ValueError,
     "mask: ожидается форма (n_q, n_k), получено: (3,)"),
    (lambda: attnlib.split_heads(ones((1, 2, 6)), 4), ValueError,
     "h: ожидается делитель ширины D = 6, получено: 4"),
    (lambda: pitfalls.split_heads_d_h(ones((1, 2, 6)), 4), ValueError,
     "h: ожидается делитель ширины D = 6, получено: 4"),
    (lambda: pitfalls.split_heads_without_transpose(ones((2, 6)), 3), ValueError,
     "x: ожидается форма (b, n, D), получено: (2, 6)"),
    (lambda: attnlib.split_heads(ones((2, 6)), 3), ValueError,
     "x: ожидается форма (b, n, D), получено: (2, 6)"),
    (lambda: attnlib.merge_heads(ones((2, 6))), ValueError,
     "x: ожидается форма (b, h, n, d), получено: (2, 6)"),
    (lambda: layer(n_heads=6, n_kv_heads=4), ValueError,
     "n_kv_heads: ожидается делитель числа голов n_heads = 6, получено: 4"),
    (lambda: layer(n_heads=3, n_kv_heads=1), ValueError,
     "w_q: ожидается число столбцов, кратное n_heads = 3, получено: форма (8, 8)"),
    (lambda: layer(w_k=ones((8, 8))), ValueError, "w_k: ожидается форма (8, 4), получено: (8, 8)"),
    (lambda: layer(w_q=ones(8)), ValueError, "w_q: ожидается форма (D, h·d), получено: (8,)"),
    (lambda: layer(w_o=ones((4, 8))), ValueError, "w_o: ожидается форма (8, 8), получено: (4, 8)"),
    (lambda: MultiHeadAttention.random(10, 4), ValueError,
     "D: ожидается ширина, кратная n_heads = 4, получено: 10"),
    (lambda: layer()(ones((2, 8))), ValueError,
     "x: ожидается форма (b, n, D = 8), получено: (2, 8)"),
    (lambda: layer()(ones((1, 2, 8)), mask=ones((2, 3), bool)), ValueError,
     "mask: ожидается форма, растяжимая до (1, 4, 2, 2), получено: (2, 3)"),
    (lambda: KVCache(window=0), ValueError, "window: ожидается целое число ≥ 1, получено: 0"),
    (cache_with(ones((2, 3, 5))), ValueError,
     "k: ожидается та же форма, что у прошлых порций (2, 3, 4), кроме числа токенов, "
     "получено: (2, 3, 5)"),
    (cache_with(ones((2, 1, 4)), ones((2, 2, 4))), ValueError,
     "v: ожидается столько же голов и токенов, сколько у k (2, 1, 4), получено: (2, 2, 4)"),
    (cache_with(ones((2, 3, 4), np.float32)), TypeError,
     "k: ожидается тип float64, как у прошлых порций, получено: float32"),
    (lambda: cost.causal_share(0), ValueError, "n: ожидается целое число ≥ 1, получено: 0"),
    (lambda: cost.tile_share(10, 4), ValueError,
     "n: ожидается число, кратное block = 4, получено: 10"),
    (lambda: cost.attention_madds(4.0, 8), TypeError,
     "n: ожидается целое число, получено: float"),
    (lambda: cost.tokens_that_fit(100, 0, 1, 1), ValueError,
     "layers: ожидается целое число ≥ 1, получено: 0"),
    (lambda: measures.cosine_noise(0), ValueError, "d: ожидается целое число ≥ 1, получено: 0"),
    (lambda: measures.row_entropy([-0.5, 1.5]), ValueError,
     "weights: ожидается неотрицательные веса, получено: наименьший -0.5"),
]  # fmt: skip
PAIRS = [calls for calls, _, _ in ROWS if isinstance(calls, tuple)]
REJECTIONS = [
    (call, error, message)
    for calls, error, message in ROWS
    for call in (calls if isinstance(calls, tuple) else (calls,))
]


def run_rejection(call, error, message):
    """The call must raise exactly this error with exactly this one-line message."""
    try:
        call()
    except (TypeError, ValueError) as caught:
        assert type(caught) is error, f"{message}: raised {type(caught).__name__}"
        assert str(caught) == message, f"message is {caught}, expected {message}"
    else:
        raise AssertionError(f"nothing was raised, expected: {message}")
