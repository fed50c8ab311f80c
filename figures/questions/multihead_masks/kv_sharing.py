"""Section 6: what sharing keys and values saves."""

from __future__ import annotations

from attnlib import cost
from figures.questions.model import Choice, Option
from figures.shared.formats import binary_size, count, grouped


def cache_size() -> Choice:
    """Bytes of the cache of a grouped-query model."""
    layers, h, h_kv, d, n, each = 32, 32, 4, 128, 16_384, 2

    def cache(sets: int) -> int:
        return cost.kv_cache_bytes(layers, sets, d, n, bytes_per_number=each)

    right = cache(h_kv)
    both = right // (layers * h_kv * d * n * each)
    bytes_each = count(each, "байту", "байта", "байт")
    answers = (
        (
            cache(1),
            f"Это MQA: один набор на все головы. Наборов {h_kv}, поэтому {binary_size(right)}.",
        ),
        (
            right // 2,
            f"Потерян множитель {both}: хранятся и ключи, и значения. С ним — "
            f"{binary_size(right)}.",
        ),
        (
            right,
            f"{both} · {layers} · {h_kv} · {d} · {grouped(n)} чисел по {bytes_each} — "
            f"{grouped(right)} байт. У MHA было бы в {h // h_kv} раз больше.",
        ),
        (
            cache(h),
            f"Столько занял бы MHA с {h} наборами ключей и значений. Наборов {h_kv}, и кэш меньше "
            f"в h/g = {h // h_kv} раз: {binary_size(right)}.",
        ),
    )
    return Choice(
        "cache-size",
        "kv-sharing",
        f"Модель с GQA: {layers} слоя, h = {h} головы запросов, g = {h_kv} набора ключей и "
        f"значений, d = {d}, числа по {bytes_each}. Сколько займёт KV-кэш {grouped(n)} токенов?",
        tuple(Option(binary_size(size), size == right, why) for size, why in answers),
    )
