"""Runs inside the browser's Python: the one place that can make its .pyc files.

(`pyodide py-compile` of pyodide-build does the same where the host's Python is 3.12; the versions
this project supports begin at 3.11, whose bytecode the browser's Python does not read.)

Code objects are stored as unchecked-hash .pyc beside where the source would be, which Python
imports without any source. Docstrings are cut: the runtime never shows them. NumPy's become empty
rather than absent, because NumPy's own import code works on them, which is also why `optimize=2`
cannot be used.
"""

import ast
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

SKIPPED = (
    "/tests/",
    "/test_",
    "lib2to3/",
    "idlelib/",
    "f2py/",
    "distutils/",
    "typing/mypy",
    "turtle",
)
# These two only attach docstrings to what is written in C.
EMPTY = ("numpy/_core/_add_newdocs.py", "numpy/_core/_add_newdocs_scalars.py")


def compile_archive(archive: str, root: str, keep_empty: bool) -> dict[str, bytes]:
    """Every module of a zip or wheel as {path: .pyc}, and its shared libraries as they are."""
    files = {}
    with zipfile.ZipFile(archive) as source:
        for name in source.namelist():
            if any(part in "/" + name for part in SKIPPED):
                continue
            if name.endswith(".so"):
                files[root + name] = source.read(name)
            elif name.endswith(".py"):
                files[root + name + "c"] = _compile(source.read(name), name, root, keep_empty)
    return files


def _compile(source: bytes, name: str, root: str, keep_empty: bool) -> bytes:
    tree = ast.parse(b"" if name in EMPTY else source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            _cut_docstring(node, keep_empty)
    code = compile(tree, root + name, "exec", dont_inherit=True, optimize=0)
    return bytes(_code_to_hash_pyc(code, bytes(8), False))


def _cut_docstring(node, keep_empty: bool) -> None:
    first = node.body[0] if node.body else None
    if not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)):
        return
    if not isinstance(first.value.value, str):
        return
    if keep_empty or len(node.body) == 1 or isinstance(node, ast.Module):
        first.value.value = ""
    else:
        del node.body[0]
