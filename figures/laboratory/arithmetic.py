"""Says what NumPy in the browser cannot: division by zero, overflow, nan, integers that wrap.

WebAssembly has no flags for floating-point errors, so NumPy's warnings never come there, and whole
numbers of arrays are 32 bits. A program that `watch` has rewritten calls what is here instead.
"""

import builtins
import math
import operator
import warnings
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from figures.laboratory.watch import CALL, OPERATORS, name_of

_DIVIDING = {"divide", "true_divide", "floor_divide", "remainder", "mod", "power", "reciprocal"}
_LOGARITHMS = {"log", "log2", "log10", "log1p", "arctanh"}
_QUIET = frozenset({int, float, bool, str, list, tuple, type(None)})
_ADDING = {"sum", "prod", "trace"}
# Looking must cost little beside the operation; a larger array is not looked at.
_MOST_NUMBERS = 2**22
_MOST_ADDED = 2**26

_TEXTS = {  # those of NumPy, and one that it does not have
    "divide": "divide by zero encountered in {name}",
    "over": "overflow encountered in {name}",
    "invalid": "invalid value encountered in {name}",
    "wrap": (
        "результат не поместился в 32 бита (тип {dtype}) и завернулся: возьмите dtype=np.int64, "
        "целые Python или float"
    ),
}


class IntegerWrapWarning(RuntimeWarning):
    """Numbers above 2**31 - 1 came out as others, without a word from NumPy."""


def _exactly(compute: Callable) -> Callable:
    """The same in floating point, which does not wrap."""
    return lambda *inputs: compute(*map(_as_float, inputs))


def _operation(compute: Callable, name: str) -> Callable:
    exactly = _exactly(compute)

    def operation(left: object, right: object) -> object:
        result = compute(left, right)
        if result.__class__ not in _QUIET:
            _look(name, [left, right], result, exactly)
        return result

    return operation


def _in_place(compute: Callable, pure: Callable, name: str) -> Callable:
    exactly = _exactly(pure)

    def operation(left: object, right: object) -> object:
        before = left
        if left.__class__ is np.ndarray and left.size <= _MOST_NUMBERS:
            before = left.copy()
        result = compute(left, right)
        if result.__class__ not in _QUIET:
            _look(name, [before, right], result, exactly)
        return result

    return operation


def _call(function: Callable, /, *inputs: object, **options: object) -> object:
    result = function(*inputs, **options)
    if not isinstance(result, np.ndarray | np.generic) or "out" in options:
        return result
    name = getattr(function, "__name__", "")
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ndarray | np.generic):
        inputs = (owner, *inputs)
        if name == "astype":
            _look(name, list(inputs), result, lambda array, *_: array)
            return result

        def again(array: np.ndarray, *rest: object, **changed: object) -> object:
            return getattr(array, name)(*rest, **changed)
    elif isinstance(function, np.ufunc) or isinstance(owner, np.ufunc) or _of_numpy(function):
        again = function
    else:
        return result
    if name in _ADDING:  # adds up as floats what it reads, without a copy
        _look(name, list(inputs), result, partial(again, **{**options, "dtype": float}))
    else:
        wide = {"dtype": float} if "dtype" in options else {}
        _look(name, list(inputs), result, _exactly(partial(again, **{**options, **wide})))
    return result


def _of_numpy(function: Callable) -> bool:
    return str(getattr(function, "__module__", "")).partition(".")[0] in ("numpy", "einops")


def _look(name: str, inputs: list, result: object, again: Callable) -> None:
    """Warn of what went wrong between the inputs and the result, in NumPy's own words."""
    if _is_fine(inputs, result):
        return
    try:
        with np.errstate(all="ignore"):
            inputs = [np.asarray(value) if type(value) is list else value for value in inputs]
            arrays = [np.asarray(value) for value in inputs if _is_number(value)]
            most = _MOST_ADDED if name in _ADDING else _MOST_NUMBERS
            if not arrays or max(array.size for array in arrays) > most:
                return
            troubles = list(_troubles(name, inputs, arrays, result, again))
    except Exception:  # looking must not break a program that works
        return
    for kind in troubles:
        _tell(kind, _TEXTS[kind].format(name=name, dtype=result.dtype))


def _is_fine(inputs: list, result: object) -> bool:
    """What most results are, found out fast. (Of single whole numbers NumPy itself warns.)"""
    if type(result) is np.ndarray:
        return result.size > _MOST_NUMBERS or (
            result.dtype.kind == "f" and bool(np.isfinite(result).all())
        )
    if isinstance(result, np.floating):
        return math.isfinite(result)
    return not isinstance(result, np.generic) or not any(
        isinstance(value, np.ndarray | list) for value in inputs
    )


def _troubles(
    name: str, inputs: list, arrays: list, result: np.ndarray, again: Callable
) -> Iterator[str]:
    if result.dtype.kind in "iu":
        if name in ("floor_divide", "remainder") and not arrays[-1].all():
            yield "divide"
        elif result.dtype.itemsize == 4 and _wraps(inputs, result, again):
            yield "wrap"
    elif result.dtype.kind in "fc":
        yield from _float_troubles(name, arrays, result)


def _float_troubles(name: str, arrays: list, result: np.ndarray) -> Iterator[str]:
    infinite, missing = np.isinf(result), np.isnan(result)
    if not (infinite.any() or missing.any()):
        return
    try:  # an operation on elements: only those are new that come from finite ones
        finite = np.broadcast_to(_all(np.isfinite, arrays), result.shape)
        known = np.broadcast_to(_all(lambda a: ~np.isnan(a), arrays), result.shape)
    except ValueError:
        finite = all(np.isfinite(a).all() for a in arrays)
        known = not any(np.isnan(a).any() for a in arrays)
    born = infinite & finite
    by_zero = born & (name in _LOGARITHMS)
    if name in _DIVIDING:
        by_zero = born & np.broadcast_to(
            (arrays[0 if name == "reciprocal" else -1]) == 0, born.shape
        )
        if name == "power":
            by_zero = born & np.broadcast_to(arrays[0] == 0, born.shape)
    if by_zero.any():
        yield "divide"
    if (born & ~by_zero).any():
        yield "over"
    if (missing & known).any():
        yield "invalid"


def _all(test: Callable, arrays: list) -> np.ndarray:
    together = np.True_
    for array in arrays:
        together = together & test(array)
    return together


def _wraps(inputs: list, result: np.ndarray, again: Callable) -> bool:
    """Does the same in floating point go beyond the type of the result?"""
    limits = np.iinfo(result.dtype)
    exact = np.asarray(again(*inputs), float)
    return not bool(((exact >= limits.min) & (exact <= limits.max)).all())


def _as_float(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biuf":
        return value.astype(float)
    return value


def _is_number(value: object) -> bool:
    if type(value) is np.ndarray or isinstance(value, np.generic):
        return value.dtype.kind in "biufc"
    return isinstance(value, int | float | complex)


def _tell(kind: str, text: str) -> None:
    mode = np.geterr()["over" if kind == "wrap" else kind]
    if mode == "raise":
        raise FloatingPointError(text)
    if mode != "ignore":
        warnings.warn(text, IntegerWrapWarning if kind == "wrap" else RuntimeWarning, stacklevel=4)


def _install() -> None:
    """The names stand where no program looks."""
    vars(builtins)[CALL] = _call
    for python, numpy in OPERATORS.values():
        compute, in_place = getattr(operator, python), getattr(operator, f"i{python}")
        vars(builtins)[name_of(python)] = _operation(compute, numpy)
        vars(builtins)[name_of(f"i{python}")] = _in_place(in_place, compute, numpy)


_install()
