"""Проверка аргументов на границе библиотеки.

Каждая ошибка — одна строка вида «аргумент: ожидается …, получено: …»; ничего при этом
не меняется на месте.
"""

from __future__ import annotations

import operator
import sys
from typing import Any, SupportsIndex, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
"""Массив NumPy любого числового типа."""


def wrong_value(name: str, expected: str, received: object) -> ValueError:
    """Собирает ошибку значения или формы.

    Args:
        name: имя аргумента.
        expected: что ожидается.
        received: что пришло на самом деле.

    Returns:
        Исключение, которое остаётся поднять.

    Examples:
        >>> from attnlib._errors import wrong_value
        >>> print(wrong_value("w", "целое число ≥ 1", 0))
        w: ожидается целое число ≥ 1, получено: 0
    """
    return ValueError(f"{name}: ожидается {expected}, получено: {received}")


def wrong_type(name: str, expected: str, received: object) -> TypeError:
    """Собирает ошибку типа; аргументы те же, что у `wrong_value`.

    Args:
        name: имя аргумента.
        expected: что ожидается.
        received: что пришло на самом деле.

    Returns:
        Исключение, которое остаётся поднять.

    Examples:
        >>> from attnlib._errors import wrong_type
        >>> print(wrong_type("d", "целое число", "float"))
        d: ожидается целое число, получено: float
    """
    return TypeError(f"{name}: ожидается {expected}, получено: {received}")


def whole(name: str, value: SupportsIndex, *, at_least: int = 0) -> int:
    """Возвращает целое число не меньше `at_least`, каким бы целым типом оно ни было задано.

    Args:
        name: имя аргумента для сообщения об ошибке.
        value: проверяемое значение.
        at_least: наименьшее допустимое значение.

    Returns:
        То же число как `int` (без переполнения).

    Raises:
        TypeError: значение не целое (в том числе `bool` и `3.0`) или массив `numpy.ma`.
        ValueError: значение меньше `at_least`.

    Examples:
        >>> import numpy as np
        >>> from attnlib._errors import whole
        >>> whole("n", np.int8(5))
        5
    """
    _refuse_masked(name, value)
    if isinstance(value, bool | np.bool) or not hasattr(value, "__index__"):
        raise wrong_type(name, "целое число", type(value).__name__)
    try:
        number = operator.index(value)
    except TypeError:
        raise wrong_type(name, "целое число", f"массив формы {np.asarray(value).shape}") from None
    if number < at_least:
        raise wrong_value(name, f"целое число ≥ {at_least}", number)
    return number


def real(name: str, value: float) -> float:
    """Возвращает вещественное число; `nan` отвергается.

    Args:
        name: имя аргумента для сообщения об ошибке.
        value: проверяемое значение.

    Returns:
        То же число как `float`.

    Raises:
        TypeError: пришло не одно вещественное число или массив `numpy.ma`.
        ValueError: пришло `nan`.

    Examples:
        >>> import numpy as np
        >>> from attnlib._errors import real
        >>> real("scale", np.float32(0.5))
        0.5
    """
    _refuse_masked(name, value)
    if np.ndim(value) != 0:
        raise wrong_type(name, "одно число", f"массив формы {np.shape(value)}")
    number = np.asarray(value)
    if number.dtype.kind not in "iuf":
        raise wrong_type(name, "вещественное число", type(value).__name__)
    if np.isnan(number):
        raise wrong_value(name, "число", "nan")
    return float(number)


def as_array(name: str, value: ArrayLike) -> Array:
    """Превращает вложенные списки в массив.

    Args:
        name: имя аргумента для сообщения об ошибке.
        value: массив или списки.

    Returns:
        Массив; готовый массив не копируется.

    Raises:
        TypeError: пришёл массив `numpy.ma` (или список с ним): его пропуски потерялись бы.
        ValueError: строки списка разной длины.

    Examples:
        >>> from attnlib._errors import as_array
        >>> as_array("x", [[1, 2], [3, 4]]).shape
        (2, 2)
    """
    _refuse_masked(name, value)
    try:
        return np.asarray(value)
    except ValueError:
        raise wrong_value(name, "прямоугольный массив", "строки разной длины") from None


def real_array(name: str, value: ArrayLike, *, at_least_dims: int = 0) -> Array:
    """Возвращает массив вещественных чисел; целые становятся float64.

    Args:
        name: имя аргумента для сообщения об ошибке.
        value: массив или списки чисел.
        at_least_dims: наименьшее допустимое число осей.

    Returns:
        Массив float16, float32, float64 или longdouble; готовый массив не копируется.

    Raises:
        TypeError: тип элементов не вещественный и не целый, пришёл массив `numpy.ma`.
        ValueError: осей меньше, чем нужно.

    Examples:
        >>> from attnlib._errors import real_array
        >>> real_array("x", [1, 2]).dtype
        dtype('float64')
    """
    array = as_array(name, value)
    if array.dtype.kind not in "iuf":
        raise wrong_type(name, "вещественные или целые числа", f"тип {array.dtype}")
    if array.ndim < at_least_dims:
        raise wrong_value(name, f"не меньше {at_least_dims} осей", f"форма {array.shape}")
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def boolean(name: str, value: ArrayLike) -> NDArray[np.bool]:
    """Возвращает булеву маску (True = разрешено) и объясняет, как её сделать, если она не такова.

    Args:
        name: имя аргумента для сообщения об ошибке.
        value: маска.

    Returns:
        Массив `bool`; готовый массив не копируется.

    Raises:
        TypeError: тип элементов не `bool`, пришёл массив `numpy.ma`.

    Examples:
        >>> from attnlib._errors import boolean
        >>> boolean("mask", [True, False])
        array([ True, False])
    """
    array = as_array(name, value)
    if array.dtype != np.bool:
        hint = f"сделайте её булевой: {name} != 0; добавка к оценкам передаётся как bias"
        raise wrong_type(name, "булева маска (True = разрешено)", f"тип {array.dtype} ({hint})")
    return cast("NDArray[np.bool]", array)


def broadcastable(name: str, array: Array, shape: tuple[int, ...]) -> Array:
    """Дополняет форму слева единицами до нужного числа осей, если массив растягивается до `shape`.

    Args:
        name: имя аргумента для сообщения об ошибке.
        array: маска или добавка.
        shape: форма, до которой массив должен растягиваться по правилам NumPy.

    Returns:
        Тот же массив (вид) с `len(shape)` осями.

    Raises:
        ValueError: массив до `shape` не растягивается.

    Examples:
        >>> import numpy as np
        >>> from attnlib._errors import broadcastable
        >>> broadcastable("mask", np.ones(3, dtype=bool), (2, 4, 3)).shape
        (1, 1, 3)
    """
    missing = len(shape) - array.ndim
    padded = (1,) * missing + array.shape
    if missing < 0 or any(a not in (1, b) for a, b in zip(padded, shape, strict=True)):
        raise wrong_value(name, f"форма, растяжимая до {shape}", array.shape)
    return array.reshape(padded)


def _refuse_masked(name: str, value: object) -> None:
    """Отвергает массивы `numpy.ma`, в том числе внутри списков: NumPy молча теряет их пропуски."""
    module = sys.modules.get("numpy.ma")  # не загружен — значит, и массивов таких нет
    if module is None:
        return
    if isinstance(value, module.MaskedArray):
        came = "numpy.ma.MaskedArray, чьи пропуски потерялись бы"
        ban = f"запретите маской: ~numpy.ma.getmaskarray({name})"
        remedy = f"возьмите {name}.filled(…), а пропуски {ban}"
        raise wrong_type(name, "обычный массив", f"{came} ({remedy})")
    if isinstance(value, list | tuple):
        for item in value:
            _refuse_masked(name, item)
