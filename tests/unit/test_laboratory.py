"""The laboratory's Python without a browser: output, values, errors, packs that come later."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from figures.laboratory import arithmetic, execution, hints, lazy, service, values


@pytest.fixture
def run(monkeypatch):
    """Run code as the worker does; returns the answer and what was sent while it ran."""
    sent: list[str] = []
    monkeypatch.setattr(service, "_send", lambda _, text: sent.append(text), raising=False)
    monkeypatch.setattr(service, "_lack", lambda _, pack: sent.append(f"<{pack}>"), raising=False)

    def call(code: str, number: int = 1) -> tuple[dict, str]:
        return json.loads(service.run(number, code)), "".join(sent)

    return call


@pytest.fixture
def pack(monkeypatch):
    """A pack "extra" that provides the module `later`, and never comes."""
    finder = lazy.PackFinder({"extra": {"later", "package.part"}, "numbers": {"numpy.later"}})
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, finder])
    monkeypatch.setattr(lazy, "_finder", finder)
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


HIDING = {
    "nothing": "{}",
    "except ImportError": "try:\n    {}\nexcept ImportError:\n    print('нет')",
    "bare except": "try:\n    {}\nexcept:\n    print('нет')",
    "finally": "try:\n    {}\nfinally:\n    print('конец')",
}


@pytest.mark.parametrize("hiding", HIDING)
def test_a_pack_that_is_asked_for_is_told_of_before_anything_else_happens(run, pack, hiding):
    _, sent = run("print('раз')\n" + HIDING[hiding].format("import later"))
    assert sent.startswith("раз\n<extra>"), f"{hiding} hid the request for a pack: {sent!r}"


MENTIONS = {
    "import later": ["extra"],
    "import os, later.inner as x": ["extra"],
    "from later import name": ["extra"],
    "from package import part": ["extra"],
    "def f():\n    import package.part": ["extra"],
    "import package as p\np.part.f()": ["extra"],
    "import importlib\nimportlib.import_module('later')": ["extra"],
    "__import__('package.part')": ["extra"],
    "np.later.f(1)[0]": ["numbers"],
    "import numpy as N\nN.later": ["numbers"],
    "from numpy import later\nimport later": ["extra", "numbers"],
    "import random\nrandom.later()": [],
    "np.f(x).later\nx.later": [],
    "print('later', 'package.part')  # import later": [],
    "from . import later\nimport package": [],
    "import later(": [],
}


@pytest.mark.parametrize("code", MENTIONS)
def test_packs_are_read_from_the_text_of_a_program(pack, code):
    assert json.loads(service.needed(code)) == MENTIONS[code]


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


WAYS_TO_ASK = (
    "input('имя? ')",
    "import sys; sys.stdin.readline()",
    "import sys; sys.stdin.read()",
    "import sys; [line for line in sys.stdin]",
    "import sys; sys.__stdin__.readlines()",
    "import fileinput; next(fileinput.input([]))",
    "raise OSError(29 if False else __import__('errno').EIO, 'I/O error')",
    "raise AttributeError('prompt')",
    "raise ImportError(\"cannot import name 'prompt' from 'js'\")",
)


@pytest.mark.parametrize("code", WAYS_TO_ASK)
def test_every_way_to_ask_gets_the_hint_about_the_keyboard(run, code):
    assert run(code)[0]["error"]["hint"] == hints.NO_KEYBOARD, code


HOSTILE = {
    "GeneratorExit": "raise GeneratorExit",
    "Mine": "class Mine(BaseException): pass\nraise Mine",
    "NoText": "class NoText(Exception):\n  def __str__(self): return None\nraise NoText",
    "Raises": "class Raises(Exception):\n  def __str__(self): raise GeneratorExit\nraise Raises",
    "BaseExceptionGroup": "raise BaseExceptionGroup('обе', [KeyboardInterrupt(), ValueError('b')])",
    "Nameless": "class M(type):\n  __name__ = property(lambda c: 1 / 0)\n"
    "class Nameless(Exception, metaclass=M): pass\nraise Nameless",
    "TypeError": "import sys\nsys.stdout.write(b'x')",
    "NameError": "import builtins\nfor name in list(vars(builtins)):\n"
    "  if len(name) > 3: vars(builtins).pop(name)",
    "ZeroDivisionError": "import json, sys, traceback\ntraceback.extract_tb = json.dumps = None\n"
    "sys.setrecursionlimit(60)\nsys.stdout = sys.stderr = None\n1 / 0",
    "RuntimeError": "class A:\n  def __repr__(self): raise RuntimeError\nA()",
    "RecursionError": "class A:\n  def __repr__(self): return f'{self!r}'\nA()",
    "ValueError": "class S(str):\n  __len__ = __getitem__ = None\nraise ValueError(S('x'))",
    "OSError": "import sys\nclass Deaf:\n  def write(self, text): raise OSError\n"
    "sys.stdout = Deaf()\nprint(1)",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_code_is_told_like_any_error(run, kind):
    error = run(HOSTILE[kind])[0]["error"]
    assert error["type"] == kind and error["line"] and error["hint"], error
    assert run("print('жив')")[1] == "жив\n", "Python is damaged"


def test_error_in_showing_the_value_is_that_of_its_line(run):
    error = run("x = 1\nclass A:\n  def __repr__(self): return 5\nA()")[0]["error"]
    assert (error["type"], error["line"]) == ("TypeError", 4), error


def test_endless_messages_are_cut(run):
    error = run("class E(Exception): pass\nE.__name__ = 'x' * 10**6\nraise E('я' * 10**6)")[0][
        "error"
    ]
    lengths = {name: len(error[name]) for name in ("type", "message", "traceback")}
    assert max(lengths.values()) <= hints.TRACEBACK_LIMIT + 2, lengths
    assert lengths["message"] <= hints.MESSAGE_LIMIT + 2, lengths


def test_all_parts_of_a_group_are_told(run):
    error = run("raise ExceptionGroup('обе', [ValueError('раз'), TypeError('два')])")[0]["error"]
    assert "раз" in error["traceback"] and "два" in error["traceback"], error["traceback"]


def test_output_of_a_program_that_takes_its_terminal_away(run):
    def printed(code):
        return run(code)[0]["output"]

    assert printed("import sys\nsys.stdout.close()\nprint(1)") == "1\n", "lost after close()"
    code = "import sys\nprint(1, file=sys.__stdout__)\nprint(2, file=sys.__stderr__)"
    assert printed(code) == "1\n2\n", "output to the first terminal is lost"
    assert printed("print('\\ud800')\n'\\udc00'") == "\ud800\n", "half a character in output"


def test_caret_stands_under_the_last_line_too(run):
    assert "    1/0\n    ~^~\n" in run("1/0")[0]["error"]["traceback"], "the marks are shifted"


def test_every_lookalike_is_named_with_what_to_type_instead(run):
    named = 0
    for code, (name, instead) in hints.LOOKALIKES.items():
        error = run(f"x = 1 {chr(code)} 2")[0]["error"]
        if "character" not in error["message"]:
            assert code > 0xFF00, f"Python takes U+{code:04X} for what it is not: {error}"
            continue
        hint = error["hint"]
        assert name in hint and f"(U+{code:04X})" in hint, hint
        assert instead in hint and ("сотрите" in hint) == (not instead), hint
        named += 1
    assert "знак «№» (U+2116)" in run("x = № 1")[0]["error"]["hint"], "a sign of no table"
    assert named > 50, f"only {named} of {len(hints.LOOKALIKES)} signs were looked at"


def test_session_with_prompts_is_named(run):
    assert run(">>> 1 + 1\n2")[0]["error"]["hint"] == hints.SESSION


@pytest.mark.parametrize(
    "code",
    [
        "n = np.array([8192, 131072], np.int32)\n2 * 32 * 8 * 128 * n * 2",
        "n = np.arange(100_000, dtype=np.int32)\nn.sum(dtype=np.int32)",
        "n = np.array([2**30], np.int32)\nprint(f'{n * 4}')",
        "n = [2**30, 2**30]\nnp.sum(n, dtype=np.int32)",
        "n = np.array([2**30], np.int32)\nn *= 4",
        "n = np.array([2**16], np.int32)\nn @ n",
        "n = np.array([2**16], np.int32)\nn ** 2",
        "n = np.array([2**30] * 3, np.int32)\nnp.add.reduce(n, dtype=np.int32)",
        "n = np.array([3e9])\nn.astype(np.int32)",
        "n = np.array([-(2**30)], np.int32)\nn - 2**30 - 1",
        "n = np.array([1], np.uint32)\nn - 2",
        "n = np.ones(5_000_000, np.int32)\n(n).sum(dtype=np.int32, initial=2**31 - 2)",
        "n = np.full((2, 3), 2**30, np.int32)\nn[0, 1:] *= 4",
        "n = [np.array([2**30], np.int32)]\nn[-1] += 2**30",
    ],
)
def test_whole_numbers_that_wrap_are_told_once_with_their_line(run, code):
    for repeated in (code, f"for _ in range(3):\n  {code.replace(chr(10), chr(10) + '  ')}"):
        sent = run(repeated)[1]
        line = 2 if repeated == code else 3
        assert sent.count(f"строка {line}: результат не поместился в 32 бита") == 1, sent


@pytest.mark.parametrize(
    "code",
    [
        "n = np.array([2**30], np.int32)\nn - n, n * 1, n + 2**29, n // 3, n.sum()",
        "n = np.array([8192, 131072], np.int64)\nprint(2 * 32 * 8 * 128 * n * 2)",
        "s = np.array([0.0, -np.inf])\nw = np.exp(s - s.max())\nw / w.sum()",
        "a, b = [1], 'x'\na *= 3\nb += 'y'\na + [2], b % ()",
        "with np.errstate(all='ignore'):\n  np.array([1.0]) / 0",
        "import warnings\nwarnings.simplefilter('ignore')\nnp.array([2**30], np.int32) * 4",
        "places = iter([0, 1])\nn = [0, 0]\nn[next(places)] += 1\nassert n == [1, 0]",
        "class A: x = [1]\nA.x += [2]\nA.x[0] -= 1\nassert A.x == [0, 2]",
        "match 1 + 2j:\n  case 1 + 2j: pass",
    ],
)
def test_code_without_such_faults_is_not_warned(run, code):
    answer, sent = run(code)
    assert answer["ok"] and "Предупреждение" not in sent, (answer["error"], sent)


def test_recursion_goes_as_deep_as_without_the_watch(run):
    for name in ("power", "mine"):
        code = f"def {name}(x, n):\n  return x * {name}(x, n - 1) if n else 1\n{name}(1, 900)"
        assert run(code)[0]["value"], f"{name}() does not go 900 levels deep"


def test_long_formula_is_computed(run):
    assert run("n = 1\n" + "n" + " + n" * 700)[0]["value"]["repr"] == "701"


def test_warnings_are_shown_in_russian_once_for_a_line(run):
    code = "import warnings\nfor _ in range(3):\n  warnings.warn('осторожно')\nnp.mean([])"
    sent = run(code)[1]
    assert sent.count("Предупреждение, строка 3: UserWarning: осторожно") == 1, sent
    assert "строка 4: среднее пустого массива (RuntimeWarning: Mean of empty" in sent, sent
    twice = "x = np.int32(2**31 - 1)\nx * np.int32(2)\nx * np.int32(2)\nnp.mean([])\nnp.mean([])"
    sent = run(twice)[0]["output"]
    told = [f"строка {line}: {text}" in sent for line in (2, 3) for text in ("число вышло",)]
    told += [f"строка {line}: среднее" in sent for line in (4, 5)]
    assert all(told), f"a second place that comes to the same line of NumPy is silent: {sent}"


FLOATS = (
    *(
        f"np.array([{a}]) {op} np.array([{b}])"
        for op in ("+", "-", "*", "/", "//", "%", "**")
        for a in ("1.0", "0.0", "-1e300", "np.inf", "np.nan")
        for b in ("0.0", "1e300", "-np.inf", "-0.5")
    ),
    *(
        f"np.{name}(np.array([{x}]))"
        for name in ("exp", "log", "log2", "sqrt", "square", "reciprocal", "arccos")
        for x in ("0.0", "-2.0", "1000.0", "-np.inf", "np.nan")
    ),
    "np.array([1]) / 0",
    "np.array([5, 6]) // np.array([1, 0])",
    "np.array([5]) % 0",
    "np.full((2, 2), 1e200) @ np.full((2, 2), 1e200)",
    "np.float64(1) / 0",
    "np.float64(1e300) * 1e300",
)


@pytest.mark.parametrize("code", FLOATS)
def test_the_browser_is_told_what_numpy_tells_here(run, monkeypatch, code):
    """WebAssembly has no floating-point flags: there only `arithmetic` notices."""
    told = set()
    monkeypatch.setattr(arithmetic, "_tell", lambda kind, text: told.add(kind))
    sent = run(code)[1]  # NumPy's own
    words = {"divide": "divide by zero", "over": "overflow", "invalid": "invalid value"}
    assert told == {kind for kind, words in words.items() if words in sent}, sent
