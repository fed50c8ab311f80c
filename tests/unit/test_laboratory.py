"""The laboratory's Python without a browser: output, values, errors, packs that come later."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from figures.laboratory import execution, hints, lazy, service, values


@pytest.fixture
def run(monkeypatch):
    """Run code as the worker does; returns the answer and what was sent while it ran."""
    sent: list[str] = []
    monkeypatch.setattr(service, "_send", lambda _, text: sent.append(text), raising=False)

    def call(code: str, number: int = 1) -> tuple[dict, str]:
        return json.loads(service.run(number, code)), "".join(sent)

    return call


@pytest.fixture
def pack(monkeypatch):
    """A pack "extra" that provides the module `later`, which arrives when the test says so."""
    finder = lazy.PackFinder({"extra": {"later", "package.part"}})
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, finder])
    return finder


def test_value_of_the_last_expression_only(run):
    assert run("1 + 1")[0]["value"]["repr"] == "2", "an expression has no value"
    assert run("x = 1")[0]["value"] is None, "an assignment has a value"
    assert run("1 + 1\nx = 2")[0]["value"] is None, "an earlier expression became the value"
    assert run("")[0]["ok"], "empty code is an error"


def test_output_goes_out_once_and_is_cut_once():
    sent: list[str] = []
    output = execution.Output(sent.append)
    for _ in range(3):
        output.write("x" * 60_000)
    output.flush()
    text = "".join(sent)
    assert text == output.text, "what was sent differs from what was collected"
    assert text.count("вывод обрезан") == 1, "the note about cut output is not there exactly once"
    assert text.startswith("x" * execution.OUTPUT_LIMIT + "\n"), "the limit is another one"


def test_output_of_a_repeated_run_is_sent_from_where_it_stopped(run, pack):
    answer, sent = run("print('раз')\nimport later\nprint('два')")
    assert answer == {"need": "extra"}, f"the missing pack was not asked for: {answer}"
    assert sent == "раз\n", "output before the import was lost"
    pack.installed("extra")
    sys.modules["later"] = sys
    try:
        answer, sent = run("print('раз')\nimport later\nprint('два')")
    finally:
        del sys.modules["later"]
    assert answer["ok"] and answer["output"] == "раз\nдва\n", answer
    assert sent == "раз\nдва\n", "output was doubled or lost when the run was repeated"


def test_missing_pack_is_not_swallowed_by_except_import_error(run, pack):
    answer, _ = run("try:\n    import later\nexcept ImportError:\n    print('нет')")
    assert answer == {"need": "extra"}, "`except ImportError` hid a module that exists"


def test_only_names_of_packs_ask_for_packs(pack):
    for name in ("package.part", "package.part.inner", "later.inner"):
        with pytest.raises(lazy.PackNeeded):
            pack.find_spec(name)
    for name in ("package", "package.parts", "laterr"):
        assert pack.find_spec(name) is None, f"{name} asked for a pack that does not have it"


@pytest.mark.parametrize(
    ("code", "kind", "line"),
    [
        ("x = (", "SyntaxError", 1),
        ("a = 1\nb", "NameError", 2),
        ("def f():\n    return 1 / 0\n\nf()", "ZeroDivisionError", 2),
        ("import sys\nsys.exit(3)", "SystemExit", 2),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", 1),
        ("import attnlib\nattnlib.softmax('x')", "TypeError", 2),
    ],
)
def test_error_names_its_type_line_and_a_hint(run, code, kind, line):
    error = run(code)[0]["error"]
    assert (error["type"], error["line"]) == (kind, line), error
    assert error["hint"], "no hint"
    assert execution.__file__ not in error["traceback"], "the traceback shows the laboratory itself"


def test_every_exception_of_python_has_a_hint():
    assert hints.describe(Exception("?"))["hint"] == hints.OTHER, "an unknown error has no hint"
    assert hints.describe(MemoryError("Unable"))["message"] == "не хватило памяти", "not Russian"


def test_heat_map_is_thinned_and_leaves_out_what_is_not_finite():
    cells = values.heat(np.arange(130.0 * 65).reshape(130, 65))
    assert (len(cells), len(cells[0])) == (44, 33), "thinned to another size"
    assert cells[1][1] == 3 * 65 + 2, "thinning takes other cells"
    assert values.heat(np.array([1.0, np.nan, np.inf])) == [[1.0, None, None]], "nan or inf shown"
    assert values.heat(np.array(["a"])) is None, "text has a heat map"
    assert values.heat(np.array(3.0)) is None, "a number has a heat map"
    assert values.heat(np.zeros((0, 3))) is None, "an empty array has a heat map"
    assert values.heat(np.ones((2, 3, 4, 5), bool)) == [[1.0] * 5] * 4, "not the last two axes"


def test_question_about_a_widget_that_does_not_exist_is_an_answer():
    answer = json.loads(service.ask("../secret", "{}"))
    assert not answer["ok"] and "виджет" in answer["error"]["message"], answer


def test_what_is_printed_goes_out_at_once() -> None:
    sent: list[str] = []
    output = execution.Output(sent.append)
    print("раз", file=output)
    print("два", file=output)
    assert "".join(sent) == "раз\nдва\n", "a slow program after this would hide what it printed"


def test_much_printing_goes_out_in_batches() -> None:
    sent: list[str] = []
    output = execution.Output(sent.append)
    for number in range(10_000):
        print(number, file=output)
    output.flush()
    assert "".join(sent) == "".join(f"{number}\n" for number in range(10_000)), "a piece is lost"
    assert len(sent) < 2000, f"{len(sent)} messages for 10 000 lines"
