"""Imports run one way, never round: attnlib ← what figures share ← figures ← the build ← tests."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter

from figures.tree import ROOT, own_files


def home(module: str) -> str:
    """The part of the house that a module of this project belongs to; empty for all others."""
    top, _, rest = module.partition(".")
    if top != "figures":
        return top if top in ("attnlib", "tests") else ""
    folder = rest.partition(".")[0]
    return f"figures.{folder}" if folder and (ROOT / "figures" / folder).is_dir() else "figures"


def imports() -> dict[str, dict[str, str]]:
    """Part → the parts it imports, each with a place, also where an import stands in a function."""
    found: dict[str, dict[str, str]] = {}
    for path in [*own_files(ROOT / "attnlib"), *own_files(ROOT / "figures")]:
        if path.suffix != ".py":
            continue
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        uses = found.setdefault(home(module), {})
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                named = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            for name in filter(None, map(home, named)):
                uses.setdefault(name, f"{path.relative_to(ROOT)}:{node.lineno}")
    for part, uses in found.items():
        uses.pop(part, None)
    return found


def test_imports_run_one_way() -> None:
    found = imports()
    assert len(found) > 8, f"only {sorted(found)} are looked at"
    assert not found["attnlib"], f"attnlib imports {found['attnlib']}"
    to_tests = {part: uses["tests"] for part, uses in found.items() if "tests" in uses}
    assert not to_tests, f"what is published imports tests: {to_tests}"
    order = [*TopologicalSorter(found).static_order()]  # raises CycleError, which names the cycle
    assert (
        order.index("figures.shared")
        < order.index("figures.widgets")
        < order.index("figures.pipeline")
    )
