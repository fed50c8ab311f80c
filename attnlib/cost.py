"""Стоимость внимания в целых числах, точно. Умножение со сложением считается за одну операцию."""

from __future__ import annotations

from fractions import Fraction
from typing import SupportsIndex

from attnlib._errors import whole, wrong_value


def attention_madds(n: SupportsIndex, D: SupportsIndex) -> int:
    """Умножений-сложений в слое внимания: 2n²D + 4nD². Число голов в формулу не входит.

    Args:
        n: длина последовательности.
        D: ширина модели.

    Returns:
        Сумма `products_madds` и `projections_madds`.

    Raises:
        TypeError: размер не целый.
        ValueError: размер отрицателен.

    Examples:
        >>> from attnlib.cost import attention_madds
        >>> attention_madds(1024, 768)
        4026531840

    Источники:
        1. Vaswani et al. Attention Is All You Need, 2017, таблица 1 (arXiv:1706.03762): там только
           первое слагаемое, O(n²·D); проекций в ней нет.
    """
    return products_madds(n, D) + projections_madds(n, D)


def products_madds(n: SupportsIndex, D: SupportsIndex) -> int:
    """Первое слагаемое, 2n²D: оценки QKᵀ и взвешенные суммы значений во всех головах вместе.

    Args:
        n: длина последовательности.
        D: ширина модели, D = h·d.

    Returns:
        Число умножений-сложений без экономии на маске.

    Raises:
        TypeError: размер не целый.
        ValueError: размер отрицателен.

    Examples:
        Четыре токена, две головы по 8; с причинной маской нужна доля 5/8.

        >>> from attnlib.cost import causal_share, products_madds
        >>> products_madds(4, 16)
        512
        >>> int(products_madds(4, 16) * causal_share(4))
        320
    """
    return 2 * whole("n", n) ** 2 * whole("D", D)


def projections_madds(n: SupportsIndex, D: SupportsIndex) -> int:
    """Второе слагаемое, 4nD²: проекции в запросы, ключи, значения и выход.

    Args:
        n: длина последовательности.
        D: ширина модели.

    Returns:
        Число умножений-сложений.

    Raises:
        TypeError: размер не целый.
        ValueError: размер отрицателен.

    Examples:
        >>> from attnlib.cost import projections_madds
        >>> projections_madds(1024, 768)
        2415919104
    """
    return 4 * whole("n", n) * whole("D", D) ** 2


def causal_share(n: SupportsIndex) -> Fraction:
    """Доля пар, разрешённых причинной маской: (n + 1) / (2n).

    Args:
        n: длина последовательности, n ≥ 1.

    Returns:
        Точная дробь; с ростом n стремится к 1/2 сверху.

    Raises:
        TypeError: n не целое.
        ValueError: n < 1.

    Examples:
        >>> from attnlib.cost import causal_share
        >>> causal_share(4), causal_share(1024)
        (Fraction(5, 8), Fraction(1025, 2048))
    """
    size = whole("n", n, at_least=1)
    return Fraction(size + 1, 2 * size)


def tile_share(n: SupportsIndex, block: SupportsIndex) -> Fraction:
    """Доля плиток block × block, которые считает ядро с причинной маской: (N + 1) / (2N).

    Args:
        n: длина последовательности, кратная `block`.
        block: сторона плитки.

    Returns:
        Точная дробь; N = n / block.

    Raises:
        TypeError: размер не целый.
        ValueError: n не кратно `block`, размер меньше 1.

    Examples:
        >>> from attnlib.cost import tile_share
        >>> tile_share(1024, 64)
        Fraction(17, 32)

    Источники:
        1. Dao. FlashAttention-2, 2023, раздел 3.1 (arXiv:2307.08691).
    """
    size, edge = whole("n", n, at_least=1), whole("block", block, at_least=1)
    if size % edge:
        raise wrong_value("n", f"число, кратное block = {edge}", size)
    return causal_share(size // edge)


def kv_cache_bytes(
    layers: SupportsIndex,
    n_kv_heads: SupportsIndex,
    head_dim: SupportsIndex,
    n_tokens: SupportsIndex,
    *,
    batch: SupportsIndex = 1,
    bytes_per_number: SupportsIndex = 2,
) -> int:
    """Размер KV-кэша в байтах: 2 · L · h_kv · d · n · batch · байт на число.

    Args:
        layers: число слоёв L.
        n_kv_heads: число голов ключей и значений h_kv.
        head_dim: размер головы d.
        n_tokens: число токенов n.
        batch: число последовательностей.
        bytes_per_number: байт на число: 2 для float16 и bfloat16, 4 для float32.

    Returns:
        Число байт. 1 ГиБ = 2³⁰ байт, 1 ГБ = 10⁹ байт.

    Raises:
        TypeError: размер не целый.
        ValueError: размер отрицателен, байт на число меньше 1.

    Examples:
        >>> from attnlib.cost import kv_cache_bytes
        >>> kv_cache_bytes(32, 8, 128, 8192) == 2**30
        True
        >>> kv_cache_bytes(40, 8, 128, 1024)
        167772160

    Источники:
        1. Shazeer. Fast Transformer Decoding, 2019 (arXiv:1911.02150).
    """
    per_token = _bytes_per_token(layers, n_kv_heads, head_dim, batch, bytes_per_number)
    return per_token * whole("n_tokens", n_tokens)


def tokens_that_fit(
    memory_bytes: SupportsIndex,
    layers: SupportsIndex,
    n_kv_heads: SupportsIndex,
    head_dim: SupportsIndex,
    *,
    batch: SupportsIndex = 1,
    bytes_per_number: SupportsIndex = 2,
) -> int:
    """Сколько токенов каждой последовательности помещается в память, отданную под KV-кэш.

    Веса модели не учитываются.

    Args:
        memory_bytes: память в байтах.
        layers: число слоёв L ≥ 1.
        n_kv_heads: число голов ключей и значений h_kv ≥ 1.
        head_dim: размер головы d ≥ 1.
        batch: число последовательностей, не меньше 1.
        bytes_per_number: байт на число, не меньше 1.

    Returns:
        Число токенов, округлённое вниз.

    Raises:
        TypeError: размер не целый.
        ValueError: память отрицательна, другой размер меньше 1.

    Examples:
        >>> from attnlib.cost import tokens_that_fit
        >>> tokens_that_fit(8 * 2**30, 32, 8, 128)
        65536
    """
    per_token = _bytes_per_token(layers, n_kv_heads, head_dim, batch, bytes_per_number, at_least=1)
    return whole("memory_bytes", memory_bytes) // per_token


def _bytes_per_token(
    layers: SupportsIndex,
    n_kv_heads: SupportsIndex,
    head_dim: SupportsIndex,
    batch: SupportsIndex,
    bytes_per_number: SupportsIndex,
    *,
    at_least: int = 0,
) -> int:
    return (
        2
        * whole("layers", layers, at_least=at_least)
        * whole("n_kv_heads", n_kv_heads, at_least=at_least)
        * whole("head_dim", head_dim, at_least=at_least)
        * whole("batch", batch, at_least=at_least)
        * whole("bytes_per_number", bytes_per_number, at_least=1)
    )
