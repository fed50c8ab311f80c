"""Says what NumPy in the browser cannot: division by zero, overflow, nan, integers that wrap.

WebAssembly has no flags for floating-point errors, so NumPy's warnings never come there, and whole
numbers of arrays are 32 bits. `watch` rewrites the reader's own operators and calls so that each
result is looked at. Code of libraries stays as it is, and so does a program that measures time.
"""

import ast
import builtins
import math
import operator
import warnings
from collections.abc import Callable, Iterator

import numpy as np

_OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("add", "add"),
    ast.Sub: ("sub", "subtract"),
    ast.Mult: ("mul", "multiply"),
    ast.Div: ("truediv", "divide"),
    ast.FloorDiv: ("floordiv", "floor_divide"),
    ast.Mod: ("mod", "remainder"),
    ast.Pow: ("pow", "power"),
    ast.MatMult: ("matmul", "matmul"),
}
_CLOCKS = {"time", "timeit"}
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_ELEMENTS = """add subtract multiply divide true_divide floor_divide remainder mod power float_power
square reciprocal sqrt exp exp2 expm1 log log2 log10 log1p sinh cosh tan arcsin arccos arctanh"""
_WHOLE = """sum prod cumsum cumprod mean var std dot vdot inner outer matmul tensordot einsum trace
diff convolve cross kron reduce accumulate astype"""
_WATCHED_CALLS = {*_ELEMENTS.split(), *_WHOLE.split()}
_DIVIDING = {"divide", "true_divide", "floor_divide", "remainder", "mod", "power", "reciprocal"}
_LOGARITHMS = {"log", "log2", "log10", "log1p", "arctanh"}
_QUIET = frozenset({int, float, bool, str, list, tuple, type(None)})
# Looking must cost little beside the operation; a larger array is not looked at.
_MOST_NUMBERS = 2**20
_CALL = "<вызов>"

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


def watch(tree: ast.Module) -> None:
    """Let the operators and calls of a program be looked at, unless it measures time."""
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    names = {
        name
        for node in imports
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    if names.isdisjoint(_CLOCKS):
        own = {node.name for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)}
        _Watch(_WATCHED_CALLS - own).visit(tree)


class _Watch(ast.NodeTransformer):
    def __init__(self, calls: set[str]) -> None:
        self.calls = calls  # none of the reader's own: a recursion would go half as deep

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if type(node.op) not in _OPERATORS or all(map(_is_constant, (node.left, node.right))):
            return node
        return _call_of(_name(node.op), [node.left, node.right], node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if type(node.op) not in _OPERATORS or not isinstance(node.target, ast.Name):
            return node
        left = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        value = _call_of(_name(node.op, "i"), [left, node.value], node)
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        called = node.func
        name = getattr(called, "attr", None) or getattr(called, "id", None)
        if name not in self.calls:
            return node
        return _call_of(_CALL, [called, *node.args], node, node.keywords)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.MatchValue:
        return node  # `case 1 + 2j:` is no operation


def _name(op: ast.operator, prefix: str = "") -> str:
    return f"<{prefix}{_OPERATORS[type(op)][0]}>"


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_constant(node.left) and _is_constant(node.right)
    return isinstance(node, ast.Constant)


def _call_of(name: str, inputs: list, place: ast.AST, options: list | None = None) -> ast.Call:
    function = ast.copy_location(ast.Name(name, ast.Load()), place)
    return ast.copy_location(ast.Call(function, inputs, options or []), place)


def _operation(compute: Callable, name: str) -> Callable:
    def operation(left: object, right: object) -> object:
        result = compute(left, right)
        if result.__class__ not in _QUIET:
            _look(name, [left, right], result, compute)
        return result

    return operation


def _in_place(compute: Callable, pure: Callable, name: str) -> Callable:
    def operation(left: object, right: object) -> object:
        before = left
        if left.__class__ is np.ndarray and left.size <= _MOST_NUMBERS:
            before = left.copy()
        result = compute(left, right)
        if result.__class__ not in _QUIET:
            _look(name, [before, right], result, pure)
        return result

    return operation


def _call(function: Callable, /, *inputs: object, **options: object) -> object:
    result = function(*inputs, **options)
    if type(result) in _QUIET or not isinstance(result, np.ndarray | np.generic):
        return result
    exactly = {**options, "dtype": float} if "dtype" in options else options
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__name__", "")
    if isinstance(owner, np.ndarray | np.generic):
        inputs = (owner, *inputs)

        def again(first: np.ndarray, *rest: object) -> object:
            return first if name == "astype" else getattr(first, name)(*rest, **exactly)
    elif isinstance(function, np.ufunc) or isinstance(owner, np.ufunc) or _of_numpy(function):

        def again(*those: object) -> object:
            return function(*those, **exactly)
    else:
        return result
    if "out" not in options:
        _look(name, list(inputs), result, again)
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
            if not arrays or max(array.size for array in arrays) > _MOST_NUMBERS:
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
    """Does the same in floating point, which does not wrap, go beyond the type of the result?"""
    limits = np.iinfo(result.dtype)
    exact = np.asarray(again(*map(_as_float, inputs)), float)
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
    """The names stand where no program looks, and cannot be written in one."""
    vars(builtins)[_CALL] = _call
    for python, numpy in _OPERATORS.values():
        compute, in_place = getattr(operator, python), getattr(operator, f"i{python}")
        vars(builtins)[f"<{python}>"] = _operation(compute, numpy)
        vars(builtins)[f"<i{python}>"] = _in_place(in_place, compute, numpy)


_install()
