"""The reader's own code in the worker: its output and value, and the packs that it asks for."""

from __future__ import annotations

import pytest

from figures.browsers.server import status
from tests.browser.runtime_calls import is_russian, run


@pytest.fixture
def page(bare_server, open_bare):
    return open_bare(bare_server.url)


def test_output_streams_and_the_last_expression_is_the_value(page):
    result = run(page, "print('привет')\nnp.arange(6.).reshape(2, 3)")
    assert result["ok"] and result["error"] is None, result["error"]
    assert result["output"] == result["streamed"] == "привет\n", "output was lost or doubled"
    assert result["value"]["shape"] == [2, 3], "the value has another shape"
    assert result["value"]["dtype"] == "float64", "the value has another type"
    assert result["value"]["heat"] == [[0, 1, 2], [3, 4, 5]], "the heat map has other cells"


def test_huge_output_is_cut_with_a_note(page):
    result = run(page, "for i in range(100_000): print('строка', i)")
    assert len(result["output"]) < 110_000 and "вывод обрезан" in result["output"], "output not cut"
    assert result["streamed"] == result["output"], "the page saw another text than the result has"


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("np.random.default_rng(0).integers(0, 100, 3).tolist()", "[85, 63, 51]"),
        ("np.fft.fft(np.arange(4.0))[0].real", "np.float64(6.0)"),
        ("import numpy.ma as ma; int(ma.masked_array([1, 2, 3], [0, 1, 0]).sum())", "4"),
        ("import decimal; str(decimal.Decimal(1) / 4)", "'0.25'"),
        ("__import__('importlib').import_module('difflib').__name__", "'difflib'"),
    ],
)
def test_rest_of_the_library_comes_when_it_is_imported(page, code, value):
    result = run(page, f"print('раз')\n{code}")
    assert result["value"] and result["value"]["repr"] == value, result["error"]
    assert result["streamed"] == "раз\n", "output was doubled when a pack came"


def test_pack_that_cannot_be_fetched_is_told_and_can_be_tried_again(page, bare_server):
    bare_server.faults["/numpy-rest"] = status(503)
    error = run(page, "np.random.rand()")["error"]
    assert error and is_russian(error["message"]), f"a missing pack is not told: {error}"
    bare_server.faults["/stdlib-rest"] = status(503)
    error = run(page, "__import__('unit' + 'test')")["error"]
    assert error and is_russian(error["message"]), f"a missing pack is not told: {error}"
    result = run(page, "def never():\n    import unittest\n'без него'")
    assert result["value"]["repr"] == "'без него'", "a module that is not used stops the program"
    bare_server.faults.clear()
    assert run(page, "np.random.rand() < 1")["value"]["repr"] == "True", "no second attempt"


def test_a_program_that_names_a_rare_module_half_way_runs_once(page):
    output = run(page, "import random; x = random.random(); print(x); import unittest; print(x)")[
        "output"
    ]
    first, second = output.split()
    assert first == second and 0 <= float(first) < 1, f"not one number twice: {output!r}"
    result = run(page, "try:\n    import unittest\nexcept:\n    print('нет')\n'да'")
    assert (result["output"], result["value"]["repr"]) == ("", "'да'"), "a module was not found"


def test_a_program_that_hides_what_it_imports_begins_anew_and_is_seen_once(page):
    result = run(
        page,
        "x = __import__('random').random()\nprint(x)\n"
        "while True:\n    try:\n        unit = __import__('unit' + 'test'); break\n"
        "    except:\n        print('нет')\n"
        "calendar = __import__('calen' + 'dar')\nprint(x)\n"
        "np.__getattr__('f' + 'ft').fft(np.ones(2)).real.tolist()",
    )
    assert result["error"] is None, result["error"]
    first, second = result["output"].split()
    assert first == second, f"two attempts are seen as one: {result['output']!r}"
    assert result["streamed"] == result["output"], "the page has kept the output of an attempt"
    assert result["value"]["repr"] == "[2.0, 0.0]", "the second pack was not brought"


def test_module_that_does_not_exist_is_not_looked_for_in_packs(page, bare_server):
    error = run(page, "import torch")["error"]
    assert error["type"] == "ModuleNotFoundError" and is_russian(error["hint"]), error
    assert not [p for p in bare_server.requests if "-rest" in p], "a pack was fetched for nothing"
