"""Every example of the reference runs, and every public name has a Russian docstring."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import attnlib
from attnlib import mask_counts

MODULES = [info.name for info in pkgutil.iter_modules(attnlib.__path__, "attnlib.")]
PAGES = sorted((Path(__file__).parents[2] / "docs" / "reference").glob("*.md"))


assert len(MODULES) > 10 and PAGES, "modules or pages of the library are not found"


def examples_of(path):
    return len(re.findall(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_module(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, globs={})
    assert result.attempted == examples_of(Path(str(module.__file__))), f"{name}: examples not run"
    assert result.failed == 0, f"{result.failed} examples of {name} print something else"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_of_page(page):
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted == examples_of(page), f"{page.name}: examples that are not run"
    assert result.failed == 0, f"{result.failed} examples of {page.name} print something else"


def public_objects():
    for name in MODULES:
        module = importlib.import_module(name)
        for label, value in vars(module).items():
            own = getattr(value, "__module__", None) == name and not label.startswith("_")
            if own and (inspect.isfunction(value) or inspect.isclass(value)):
                yield pytest.param(value, id=f"{name}.{label}")


@pytest.mark.parametrize("value", list(public_objects()))
def test_docstring_is_russian_and_complete(value):
    doc = inspect.getdoc(value) or ""
    first = doc.split("\n\n")[0].replace("\n", " ")
    assert re.match(r"[А-ЯЁ]|Softmax|KV", first) and first.endswith((".", "?")), (
        f"the docstring does not open with a Russian sentence: {first!r}"
    )


PUBLIC = [getattr(attnlib, name) for name in attnlib.__all__]


@pytest.mark.parametrize(
    "function",
    [f for f in PUBLIC if inspect.isfunction(f)]
    + [f for m in [*filter(inspect.ismodule, PUBLIC), mask_counts] for n, f in vars(m).items()
       if inspect.isfunction(f) and f.__module__ == m.__name__ and not n.startswith("_")],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_docstring_names_every_argument(function):
    doc = inspect.getdoc(function)
    missing = [n for n in inspect.signature(function).parameters if f"\n    {n}:" not in doc]
    assert not missing, f"{function.__name__}: the section of arguments does not name {missing}"
    assert "Returns:" in doc and ">>>" in doc, f"{function.__name__}: no result or no example"
    own = function is not attnlib.tiled_attention
    assert "Raises:" in doc or not own, f"{function.__name__}: no errors"


def reference_name(value):
    return f"{value.__module__}.{value.__name__}"


def test_reference_shows_every_public_name():
    public = [value for value in PUBLIC if not inspect.ismodule(value)]
    for module in filter(inspect.ismodule, PUBLIC):
        listed = getattr(module, "__all__", None)
        for name in listed or [n for n in vars(module) if not n.startswith("_")]:
            value = getattr(module, name)
            if inspect.isfunction(value) and (listed or value.__module__ == module.__name__):
                public.append(value)
    own = {reference_name(value) for value in public}
    entries = re.findall(
        r"^::: (\S+)\.(\w+)$", "\n".join(p.read_text("utf-8") for p in PAGES), re.M
    )
    shown = [getattr(importlib.import_module(module), name) for module, name in entries]
    missing = own - {reference_name(value) for value in shown if callable(value)}
    assert len(own) > 30 and not missing, f"not in docs/reference: {sorted(missing)}"


def test_types_are_shipped():
    assert (Path(attnlib.__file__).parent / "py.typed").is_file(), "py.typed is missing"
