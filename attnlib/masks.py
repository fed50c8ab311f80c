"""Булевы маски: True = разрешено. Складываются знаками `&` (и то и другое) и `|` (хотя бы одно)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib._errors import Array, as_array, boolean, whole, wrong_type, wrong_value
from attnlib.mask_counts import block_share, share, visible_keys

__all__ = [
    "REGISTRY",
    "Mask",
    "MaskInfo",
    "block_share",
    "block_sparse",
    "causal",
    "global_tokens",
    "padding",
    "share",
    "sliding_window",
    "visible_keys",
]

Mask = NDArray[np.bool]
"""Булев массив: True = разрешено."""


def causal(n_q: SupportsIndex, n_k: SupportsIndex | None = None) -> Mask:
    """Запрещает будущее: ключ j разрешён запросу i, если j ≤ i + n_k − n_q.

    Запросы выровнены по последнему ключу: последний запрос видит все ключи.
    Запросов может быть и больше, чем ключей: тогда первым не видно ничего.

    Args:
        n_q: число запросов.
        n_k: число ключей; по умолчанию n_q.

    Returns:
        Маска `n_q n_k`.

    Raises:
        TypeError: размер не целый.
        ValueError: размер отрицателен.

    Examples:
        >>> from attnlib.masks import causal, visible_keys
        >>> causal(3).astype(int)
        array([[1, 0, 0],
               [1, 1, 0],
               [1, 1, 1]])
        >>> visible_keys(causal(2, 5)).tolist(), visible_keys(causal(5, 2)).tolist()
        ([4, 5], [0, 0, 0, 1, 2])
    """
    rows = whole("n_q", n_q)
    columns = rows if n_k is None else whole("n_k", n_k)
    return np.tri(rows, columns, columns - rows, dtype=bool)


def padding(
    lengths: ArrayLike, n: SupportsIndex, *, side: Literal["left", "right"] = "right"
) -> Mask:
    """Запрещает заполнитель: у каждой последовательности пакета разрешены её собственные ключи.

    Запрещаются ключи (столбцы), а не запросы.

    Args:
        lengths: длины последовательностей, `b`; нулевая длина законна.
        n: общая длина, до которой последовательности дополнены.
        side: с какой стороны стоит заполнитель.

    Returns:
        Маска `b 1 1 n`, растяжимая до `b h n_q n`.

    Raises:
        TypeError: длины или n не целые.
        ValueError: длина отрицательна или больше n, неизвестная сторона.

    Examples:
        >>> from attnlib.masks import padding
        >>> padding([1, 3], 3)[:, 0, 0].astype(int)
        array([[1, 0, 0],
               [1, 1, 1]])
        >>> padding([1, 3], 3, side="left")[:, 0, 0].astype(int)
        array([[0, 0, 1],
               [1, 1, 1]])
    """
    size = whole("n", n)
    real_tokens = _indices("lengths", lengths)
    if side not in ("left", "right"):
        raise wrong_value("side", "«left» или «right»", repr(side))
    if ((real_tokens < 0) | (real_tokens > size)).any():
        raise wrong_value("lengths", f"длины от 0 до n = {size}", real_tokens.tolist())
    position = np.arange(size) if side == "right" else np.arange(size)[::-1]
    return position < real_tokens[:, None, None, None]  # (b, 1, 1, n)


def sliding_window(
    n: SupportsIndex, w: SupportsIndex, *, causal: bool = True, n_k: SupportsIndex | None = None
) -> Mask:
    """Разрешает только ключи поблизости: последние w, считая ключ самого запроса.

    Двустороннее окно (`causal=False`) разрешает |q − k| < w, то есть 2w − 1 ключей.
    В других работах w бывает расстоянием или полной шириной окна, отсюда ошибки на единицу.

    Args:
        n: число запросов.
        w: ширина окна, w ≥ 1.
        causal: только прошлое (True) или в обе стороны (False).
        n_k: число ключей; по умолчанию n. Запросы выровнены по последнему ключу, как в `causal`.

    Returns:
        Маска `n n_k`.

    Raises:
        TypeError: размер не целый.
        ValueError: w ≤ 0 или размер отрицателен.

    Examples:
        >>> from attnlib.masks import sliding_window, visible_keys
        >>> visible_keys(sliding_window(8, 4)).tolist()
        [1, 2, 3, 4, 4, 4, 4, 4]
        >>> visible_keys(sliding_window(8, 2, causal=False)).tolist()
        [2, 3, 3, 3, 3, 3, 3, 2]

    Источники:
        1. Beltagy et al. Longformer, 2020, раздел 3.1 (arXiv:2004.05150): там w — полная ширина.
        2. Jiang et al. Mistral 7B, 2023, раздел 2 (arXiv:2310.06825).
    """
    rows = whole("n", n)
    columns = rows if n_k is None else whole("n_k", n_k)
    width = whole("w", w, at_least=1)
    width = min(width, rows + columns)  # дальше края ключей нет
    own = columns - rows  # ключ на месте запроса 0
    mask: Mask = np.tri(rows, columns, own + (0 if causal else width - 1), dtype=bool)
    mask &= ~np.tri(rows, columns, own - width, dtype=bool)
    return mask


def block_sparse(n: SupportsIndex, block: SupportsIndex, pattern: ArrayLike) -> Mask:
    """Разрешает только выбранные блоки block × block.

    Args:
        n: длина последовательности, кратная размеру блока.
        block: размер блока.
        pattern: какие блоки разрешены, булев массив `n/block n/block`.

    Returns:
        Маска `n n`.

    Raises:
        TypeError: `pattern` не булев, размер не целый.
        ValueError: n не кратно `block`, форма `pattern` не та.

    Examples:
        >>> from attnlib.masks import block_sparse
        >>> block_sparse(4, 2, [[True, False], [True, True]]).astype(int)
        array([[1, 1, 0, 0],
               [1, 1, 0, 0],
               [1, 1, 1, 1],
               [1, 1, 1, 1]])

    Источники:
        1. Child et al. Generating Long Sequences with Sparse Transformers, 2019
           (arXiv:1904.10509).
    """
    size, edge = whole("n", n), whole("block", block, at_least=1)
    if size % edge:
        raise wrong_value("n", f"число, кратное block = {edge}", size)
    chosen = boolean("pattern", pattern)
    if chosen.shape != (size // edge, size // edge):
        raise wrong_value("pattern", f"форма {(size // edge, size // edge)}", chosen.shape)
    return chosen.repeat(edge, axis=0).repeat(edge, axis=1)


def global_tokens(n: SupportsIndex, indices: ArrayLike) -> Mask:
    """Разрешает глобальным токенам видеть всех и всем — видеть их.

    Остальные пары запрещены, поэтому обычно эту маску складывают с другой знаком `|`.

    Args:
        n: длина последовательности.
        indices: номера глобальных токенов, от 0 до n − 1; пустой список законен.

    Returns:
        Маска `n n`.

    Raises:
        TypeError: номера или n не целые.
        ValueError: номер вне последовательности (в том числе отрицательный).

    Examples:
        >>> from attnlib.masks import global_tokens, sliding_window
        >>> (global_tokens(4, [0]) | sliding_window(4, 1)).astype(int)
        array([[1, 1, 1, 1],
               [1, 1, 0, 0],
               [1, 0, 1, 0],
               [1, 0, 0, 1]])

    Источники:
        1. Beltagy et al. Longformer, 2020, раздел 3.1 (arXiv:2004.05150).
    """
    size = whole("n", n)
    chosen = _indices("indices", indices)
    if ((chosen < 0) | (chosen >= size)).any():
        raise wrong_value("indices", f"номера от 0 до n − 1 = {size - 1}", chosen.tolist())
    mask = np.zeros((size, size), dtype=bool)
    mask[chosen, :] = True
    mask[:, chosen] = True
    return mask


def _indices(name: str, value: ArrayLike) -> Array:
    array = as_array(name, value)
    if array.ndim != 1:
        raise wrong_value(name, "одномерный список целых чисел", f"форма {array.shape}")
    if array.size == 0:
        return np.empty(0, dtype=np.int64)
    if array.dtype.kind not in "iu":
        raise wrong_type(name, "целые числа", f"тип {array.dtype}")
    return array


@dataclass(frozen=True)
class MaskInfo:
    """Имя маски для читателя и правило одним предложением.

    Attributes:
        title: русское название.
        rule: что разрешено, одним предложением.
        build: функция, которая строит маску.
    """

    title: str
    rule: str
    build: Callable[..., Mask]


REGISTRY: dict[str, MaskInfo] = {
    "causal": MaskInfo(
        "причинная маска",
        "Запрос видит себя и то, что было раньше.",
        causal,
    ),
    "padding": MaskInfo(
        "padding-маска",
        "Запрос видит настоящие токены своей последовательности и не видит заполнитель.",
        padding,
    ),
    "sliding_window": MaskInfo(
        "скользящее окно",
        "Запрос видит последние w ключей, считая свой; в двустороннем окне ещё w − 1 следующих.",
        sliding_window,
    ),
    "block_sparse": MaskInfo(
        "блочно-разреженная маска",
        "Запрос видит ключи только выбранных блоков.",
        block_sparse,
    ),
    "global_tokens": MaskInfo(
        "глобальные токены",
        "Глобальный токен видит всех, и все видят его.",
        global_tokens,
    ),
}
"""Все маски библиотеки: название и правило, которые показывают рисунки, интерактив и тесты."""
