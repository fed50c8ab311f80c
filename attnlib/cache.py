"""KV-кэш: ключи и значения прошлых токенов, чтобы не считать их заново."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from attnlib._errors import Array, real_array, whole, wrong_type, wrong_value


class KVCache:
    """Хранит ключи и значения уже прочитанных токенов одного слоя.

    С окном `window=w` следующему токену нужны только последние w − 1 ключей, и перед новой порцией
    остальные отбрасываются. Сразу после порции из c токенов хранится то, что видно ей самой:
    последние min(всего, w − 1 + c). Память растёт с запасом вдвое, поэтому добавление
    токена в среднем стоит O(1); незаполненный запас никогда не читается.

    Args:
        window: ширина скользящего окна, считая сам токен; None — хранить всё.

    Raises:
        ValueError: window ≤ 0.

    Examples:
        >>> from attnlib import KVCache
        >>> import numpy as np
        >>> cache = KVCache(window=3)
        >>> for token in range(5):
        ...     k, v = cache.update(np.full((1, 2), token), np.full((1, 2), token))
        >>> k[:, 0]
        array([2., 3., 4.])
        >>> len(cache), cache.held, cache.nbytes
        (5, 3, 96)

    Источники:
        1. Shazeer. Fast Transformer Decoding, 2019 (arXiv:1911.02150).
        2. Jiang et al. Mistral 7B, 2023, раздел 2 (arXiv:2310.06825).
    """

    def __init__(self, window: SupportsIndex | None = None) -> None:
        self.window = None if window is None else whole("window", window, at_least=1)
        self._k = self._v = np.empty((0, 0))
        self._start = self._stop = self._consumed = 0

    def update(self, k: ArrayLike, v: ArrayLike) -> tuple[Array, Array]:
        """Добавляет порцию токенов и возвращает все ключи и значения, которые ей видны.

        Порция может быть любой длины, в том числе пустой. Полученные виды только для
        чтения и остаются верными после следующих добавлений.

        Args:
            k: ключи порции, `... c d`.
            v: значения порции, `... c d_v`.

        Returns:
            Пара (все ключи, все значения); с окном — последние min(всего, w − 1 + c).

        Raises:
            ValueError: формы k и v не согласованы между собой или с прошлыми порциями.
            TypeError: тип элементов не тот, что у прошлых порций.
        """
        keys, values = real_array("k", k, at_least_dims=2), real_array("v", v, at_least_dims=2)
        self._check(keys, values)
        chunk = keys.shape[-2]
        kept = self.held if self.window is None else min(self.held, self.window - 1)
        self._start = self._stop - kept
        self._reserve(keys, values, chunk)
        end = self._stop + chunk
        self._k[..., self._stop : end, :] = keys
        self._v[..., self._stop : end, :] = values
        self._stop = end
        self._consumed += chunk
        return _read_only(self._held_part(self._k)), _read_only(self._held_part(self._v))

    def __len__(self) -> int:
        """Сколько токенов прочитано всего."""
        return self._consumed

    @property
    def held(self) -> int:
        """Сколько токенов хранится сейчас: столько же ключей вернул последний `update`."""
        return self._stop - self._start

    @property
    def nbytes(self) -> int:
        """Сколько байт занимают хранимые ключи и значения, без запаса."""
        return self._held_part(self._k).nbytes + self._held_part(self._v).nbytes

    def _held_part(self, buffer: Array) -> Array:
        return buffer[..., self._start : self._stop, :]

    def _reserve(self, k: Array, v: Array, chunk: int) -> None:
        """Если порция не помещается, переносит хранимое в новый буфер с запасом вдвое."""
        first = self._k.size == 0 and self._consumed == 0
        if not first and self._stop + chunk <= self._k.shape[-2]:
            return
        capacity = 2 * (self.held + chunk)
        k_new = np.empty((*k.shape[:-2], capacity, k.shape[-1]), k.dtype)
        v_new = np.empty((*v.shape[:-2], capacity, v.shape[-1]), v.dtype)
        if not first:
            k_new[..., : self.held, :] = self._held_part(self._k)
            v_new[..., : self.held, :] = self._held_part(self._v)
        self._start, self._stop = 0, self.held
        self._k, self._v = k_new, v_new

    def _check(self, k: Array, v: Array) -> None:
        if v.shape[:-1] != k.shape[:-1]:
            raise wrong_value("v", f"столько же голов и токенов, сколько у k {k.shape}", v.shape)
        if self._consumed == 0:
            return
        for name, new, old in (("k", k, self._k), ("v", v, self._v)):
            if (new.shape[:-2], new.shape[-1]) != (old.shape[:-2], old.shape[-1]):
                expected = f"та же форма, что у прошлых порций {self._held_part(old).shape}"
                raise wrong_value(name, f"{expected}, кроме числа токенов", new.shape)
            if new.dtype != old.dtype:
                raise wrong_type(name, f"тип {old.dtype}, как у прошлых порций", new.dtype)


def _read_only(view: Array) -> Array:
    view.flags.writeable = False
    return view
