"""Which modules a program is going to ask for, as far as its text tells."""

import ast
from collections.abc import Iterator

IMPORTING = ("__import__", "import_module")


def mentioned(code: str) -> set[str]:
    """Dotted names that code imports or reaches from a module: `np.fft.fft` is numpy.fft.fft."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()  # the run itself will tell
    known = {"np": "numpy"}
    found = set()
    for node in nodes:
        for name, module in _imported(node):
            known[name] = module
            found.add(module)
    found |= {dotted for node in nodes if (dotted := _dotted(node, known))}
    return found | {name for node in nodes if (name := _named_in_call(node))}


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(name in the program, module behind it)"""
    if isinstance(node, ast.Import):
        for alias in node.names:
            root = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (root, root)
            yield "", alias.name
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield "", node.module
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted(node: ast.AST, known: dict[str, str]) -> str | None:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not parts or not isinstance(node, ast.Name) or node.id not in known:
        return None
    return ".".join([known[node.id], *reversed(parts)])


def _named_in_call(node: ast.AST) -> str | None:
    """The text in `import_module("…")`."""
    if not isinstance(node, ast.Call) or not node.args:
        return None
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None)
    argument = node.args[0]
    text = argument.value if isinstance(argument, ast.Constant) else None
    return text if name in IMPORTING and isinstance(text, str) else None
