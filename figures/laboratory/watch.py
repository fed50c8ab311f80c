"""Rewrites a program so that the results of its operators and calls are looked at (`arithmetic`).

Code of libraries stays as it is, and so does a program that measures time.
"""

import ast
import contextlib
import copy

OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
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
# What can be looked up twice without a difference: x, x.y, x[i], x[:, 1].
_PLACE = (
    ast.Name
    | ast.Attribute
    | ast.Subscript
    | ast.Constant
    | ast.Slice
    | ast.Tuple
    | ast.UnaryOp
    | ast.USub
    | ast.expr_context
)
_ELEMENTS = """add subtract multiply divide true_divide floor_divide remainder mod power float_power
square reciprocal sqrt exp exp2 expm1 log log2 log10 log1p sinh cosh tan arcsin arccos arctanh"""
_WHOLE = """sum prod cumsum cumprod mean var std dot vdot inner outer matmul tensordot einsum trace
diff convolve cross kron reduce accumulate astype"""
_WATCHED_CALLS = {*_ELEMENTS.split(), *_WHOLE.split()}
CALL = "<вызов>"


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
        with contextlib.suppress(RecursionError):  # a very long formula is looked at in part
            _Watch(_WATCHED_CALLS - own).visit(tree)


class _Watch(ast.NodeTransformer):
    def __init__(self, calls: set[str]) -> None:
        self.calls = calls  # none of the reader's own: a recursion would go half as deep

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if type(node.op) not in OPERATORS or all(map(_is_constant, (node.left, node.right))):
            return node
        return _call_of(name_of(OPERATORS[type(node.op)][0]), [node.left, node.right], node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        plain = all(isinstance(part, _PLACE) for part in ast.walk(node.target))
        self.generic_visit(node)
        if type(node.op) not in OPERATORS or not plain:
            return node
        left = copy.deepcopy(node.target)
        left.ctx = ast.Load()
        value = _call_of(name_of("i" + OPERATORS[type(node.op)][0]), [left, node.value], node)
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        called = node.func
        name = getattr(called, "attr", None) or getattr(called, "id", None)
        if name not in self.calls:
            return node
        return _call_of(CALL, [called, *node.args], node, node.keywords)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.MatchValue:
        return node  # `case 1 + 2j:` is no operation


def name_of(function: str) -> str:
    """Cannot be written in a program, so that none has it."""
    return f"<{function}>"


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_constant(node.left) and _is_constant(node.right)
    return isinstance(node, ast.Constant)


def _call_of(name: str, inputs: list, place: ast.AST, options: list | None = None) -> ast.Call:
    function = ast.copy_location(ast.Name(name, ast.Load()), place)
    return ast.copy_location(ast.Call(function, inputs, options or []), place)
