"""Code in the laboratory: what it prints, how it fails, and that the page outlives it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from figures.browsers import server as static_server
from figures.browsers.server import StaticServer

START_MS = 120_000


@pytest.fixture(scope="module")
def started(browser: Any, server: Any) -> Iterator[Page]:
    """One laboratory with a running Python for the whole module."""
    context = browser.new_context(base_url=server.url, locale="ru-RU")
    context.set_default_timeout(START_MS)
    page = context.new_page()
    page.goto("lab/")
    run(page, "print(2 ** 10)")
    expect(printed(page)).to_have_text("1024\n")
    yield page
    context.close()


@pytest.fixture
def lab(started: Page) -> Iterator[Page]:
    """The laboratory; code that a failed test has left running is stopped."""
    yield started
    stop = started.get_by_role("button", name="Стоп")
    stop.evaluate("stop => stop.click()")  # does nothing where nothing runs
    ended(started)


def run(page: Page, code: str) -> None:
    start(page, code)
    ended(page)


def ended(page: Page) -> None:
    expect(page.locator(".lab[data-running]")).to_have_count(0, timeout=START_MS)


def start(page: Page, code: str) -> None:
    page.locator("textarea[name=code]").fill(code)
    page.get_by_role("button", name="Запустить").click()


def printed(page: Page) -> Locator:
    return page.locator(".lab-output__text")


def error(page: Page) -> Locator:
    return page.locator(".lab-error")


def status(page: Page) -> Locator:
    return page.locator(".lab-status")


def alive(page: Page) -> None:
    """After a stop; of other ends of a run the run of the next test tells as much."""
    run(page, "print('жив')")
    expect(printed(page), "the page does not run code any more").to_have_text("жив\n")
    expect(error(page)).to_be_empty()


def test_output_comes_while_the_code_runs(lab: Page) -> None:
    start(lab, "import time\nprint('сразу')\nwhile True:\n    time.sleep(0.1)")
    expect(printed(lab), "nothing is shown before the end").to_have_text("сразу\n")
    expect(lab.locator(".lab[data-running]")).to_have_count(1)
    lab.get_by_role("button", name="Стоп").click()
    expect(status(lab)).to_contain_text("Остановлено")
    alive(lab)


def test_output_of_a_program_that_began_anew_for_a_module_is_shown_once(lab: Page) -> None:
    run(lab, "print('раз')\n__import__('unit' + 'test')\nprint('два')")
    expect(printed(lab)).to_have_text("раз\nдва\n")
    expect(status(lab)).to_contain_text("Готово")


def test_endless_loop_is_stopped_and_the_code_stays(lab: Page) -> None:
    start(lab, "print('идёт')\nwhile True:\n    pass")
    stop = lab.get_by_role("button", name="Стоп")
    expect(stop).to_be_enabled()
    expect(printed(lab)).to_have_text("идёт\n")
    stop.click()
    expect(status(lab)).to_contain_text("Остановлено")
    expect(stop).to_be_disabled()
    assert lab.locator("textarea[name=code]").input_value().endswith("pass"), "code is lost"
    alive(lab)


def test_a_second_press_does_not_start_a_second_run(lab: Page) -> None:
    lab.evaluate(
        """() => {
          const run = attn.runtime.run;
          window.runs = 0;
          attn.runtime.run = (question) => { window.runs += 1; return run(question); };
        }"""
    )
    start(lab, "print('идёт')\nwhile True:\n    pass")
    expect(printed(lab)).to_have_text("идёт\n")
    button = lab.get_by_role("button", name="Запустить")
    button.evaluate(
        "button => button.click()"
    )  # Playwright's own click waits until the run is over
    lab.locator("textarea[name=code]").press("Control+Enter")
    lab.get_by_role("button", name="Стоп").click()
    ended(lab)
    alive(lab)  # a run that waits its turn would come first
    assert lab.evaluate("window.runs") == 2, "the code ran twice"


def test_control_enter_runs(lab: Page) -> None:
    field = lab.locator("textarea[name=code]")
    field.fill("print('с клавиатуры')")
    field.press("Control+Enter")
    expect(printed(lab)).to_have_text("с клавиатуры\n")
    ended(lab)
    expect(field, "the place is kept").to_be_focused()
    assert field.input_value() == "print('с клавиатуры')", "Ctrl+Enter has changed the code"


FAILURES = {
    "syntax error": ("x = (1, 2\nprint(x)", "SyntaxError (строка 1)", "проверьте скобки"),
    "too much memory": ("np.ones((10**8, 8))", "ValueError (строка 1)", "уменьшите размеры"),
    "unknown name": ("a = 1\nprint(b)", "NameError (строка 2)", "Имя ещё не определено"),
    "wrong import": ("import torch", "ModuleNotFoundError (строка 1)", "Такого модуля здесь нет"),
    "wrong name": ("from attnlib import nothing", "ImportError", "В модуле нет такого имени"),
    "no plots": ("import matplotlib.pyplot", "ModuleNotFoundError", "массив последней строкой"),
    "mask of numbers": (
        "attnlib.softmax([1.0, 2.0], mask=[1, 0])",
        "TypeError (строка 1)",
        "сделайте её булевой",
    ),
    "heads do not divide": (
        "attnlib.split_heads(np.zeros((1, 2, 10)), 3)",
        "ValueError (строка 1)",
        "делитель ширины",
    ),
    "recursion": ("def f():\n    f()\nf()", "RecursionError", "условие остановки"),
    "exit": ("raise SystemExit", "SystemExit", "завершила работу"),
    "question": ("input('имя? ')", "EOFError (строка 1)", "Ввода с клавиатуры здесь нет"),
    "question to the engine": ("open(0).read()", "OSError (строка 1)", "Ввода с клавиатуры"),
    "no text": (
        "class E(BaseException):\n  def __str__(self): return None\nraise E",
        "E (строка 3)",
        "Прочитайте сообщение",
    ),
    "bytes": ("import sys\nsys.stdout.write(b'x')", "TypeError (строка 2)", "посмотрите type"),
    "minus": ("x = 5 − 2", "SyntaxError (строка 1)", "знак минуса «−» (U+2212)"),
    "session": (">>> 1 + 1\n2", "SyntaxError (строка 1)", "уберите приглашения"),
    "more than 32 bits": ("np.array([1]) * 2**31", "OverflowError (строка 1)", "dtype=np.int64"),
}


TELL = """
import json
from figures.laboratory.execution import Output, execute
codes = {codes!r}
errors = {{name: execute(code, Output(lambda text: None))["error"] for name, code in codes.items()}}
print(json.dumps(errors))
"""


def test_failures_are_told_in_russian(lab: Page) -> None:
    """By the laboratory's own Python, in one run: here numbers and memory are of 32 bits."""
    code = TELL.format(codes={name: code for name, (code, _, _) in FAILURES.items()})
    answer = lab.evaluate("code => attn.runtime.run({ code })", code)
    assert answer["ok"], answer["error"]
    errors = json.loads(answer["output"])
    assert errors.keys() == FAILURES.keys()
    for name, (_, kind, hint) in FAILURES.items():
        error = errors[name]
        assert f"{error['type']} (строка {error['line']})".startswith(kind), f"{name}: {error}"
        assert hint in error["message"] + error["hint"], f"{name}: {error}"


def test_a_failure_is_shown_with_its_line_and_a_hint(lab: Page) -> None:
    code, kind, hint = FAILURES["unknown name"]
    run(lab, code)
    expect(status(lab)).to_have_text("Код остановился с\u00a0ошибкой.")
    expect(error(lab)).to_contain_text(kind)
    expect(error(lab)).to_contain_text(hint)
    alive(lab)


BREAKS = {
    "repr of itself": (
        "class A:\n  def __repr__(self): return repr(self)\nA()",
        "условие остановки",
    ),
    "key that sorts": ("def f(x): return sorted([1], key=f)\nf(1)", "условие остановки"),
    "deep list": ("x = []\nfor _ in range(10**5): x = [x]\nx", "условие остановки"),
    "end of the process": ("import os\nos._exit(0)", "завершила работу"),
    "abort": ("import os\nos.abort()", "нарушила работу Python"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_end_of_python_itself_is_told_with_a_hint(lab: Page, name: str) -> None:
    code, hint = BREAKS[name]
    run(lab, f"print('до')\n{code}")
    expect(printed(lab), "what was printed is lost").to_have_text("до\n")
    expect(status(lab)).to_have_text(
        "Код остановил работу Python. При следующем запуске он начнёт заново."
    )
    expect(error(lab)).to_contain_text(hint)
    assert "stack" not in (lab.locator("[data-lab]").inner_text()), "the engine's own words"


WARNINGS = {
    "2 * 32 * 8 * 128 * np.array([8192, 131072]) * 2": "результат не поместился в 32 бита",
    "np.arange(100000).sum()": "результат не поместился в 32 бита",
    "print(f'{np.arange(100000).sum()}')": "результат не поместился в 32 бита",
    "np.array([1.])/0": "деление на ноль",
    "np.log(np.zeros(2))": "деление на ноль",
    "np.exp(np.array([1000.0]))": "число вышло за пределы своего типа",
    "np.array([0.0]) / 0": "недопустимое действие",
    "np.int32(2**31 - 1) * np.int32(2)": "число вышло за пределы своего типа; целые здесь 32",
}


def test_what_numpy_cannot_say_here_is_said(lab: Page) -> None:
    """Once for each line, however often that is passed."""
    lines = [line for code in WARNINGS for line in ("for _ in range(2):", f"    y = {code}", code)]
    run(lab, "\n".join(lines))
    wanted = [
        f"Предупреждение, строка {3 * place + line}: {told}"
        for place, told in enumerate(WARNINGS.values())
        for line in (2, 3)
    ]
    said = lab.locator(".lab-output__warning")
    expect(said).to_have_count(len(wanted))
    for index, text in enumerate(wanted):
        expect(said.nth(index)).to_contain_text(text)
    expect(status(lab)).to_contain_text("Готово")


def test_largest_whole_number_stands_by_the_type(lab: Page) -> None:
    run(lab, "np.arange(3) * 2")
    facts = lab.locator(".lab-value__facts")
    expect(facts).to_contain_text("тип int32, не\u00a0больше 2\u202f147\u202f483\u202f647")
    expect(lab.locator(".lab-output__warning"), "a warning about nothing").to_have_count(0)


def test_attnlib_does_not_warn(lab: Page) -> None:
    run(lab, "q = np.zeros((1, 1, 3, 4))\nattnlib.attention(q, q, q, mask=np.zeros((3, 3), bool))")
    expect(status(lab)).to_contain_text("Готово")
    expect(lab.locator(".lab-output__warning")).to_have_count(0)


def test_half_a_character_is_printed(lab: Page) -> None:
    run(lab, "print(len('\\ud83d'), '\\ud83d')\n'\\udc00'")
    expect(printed(lab)).to_contain_text("1 ")
    expect(lab.locator(".lab-value__repr")).to_have_text("'\\udc00'")


def test_a_hundred_million_numbers(lab: Page) -> None:
    run(lab, "np.zeros(10**8, dtype=np.int8)")
    expect(lab.locator(".lab-value__facts")).to_contain_text("форма (100000000,) · тип int8")
    run(lab, "np.zeros(10**8)")
    expect(status(lab), "neither shown nor refused").to_have_text(
        "Код остановился с ошибкой.", timeout=START_MS
    )
    expect(error(lab)).to_contain_text("не хватило памяти")
    alive(lab)


def test_huge_print_is_cut(lab: Page) -> None:
    run(lab, "for i in range(200_000):\n    print(i, 'строка')")
    expect(printed(lab)).to_contain_text("вывод обрезан")
    shown = len(printed(lab).text_content() or "")
    assert shown < 110_000, f"{shown} letters on the page"
    run(lab, "print('я' * 10**7)")
    expect(printed(lab)).to_contain_text("вывод обрезан")


def test_markup_in_output_stays_text(lab: Page) -> None:
    run(lab, "print('<b>x</b>')\n'<img src=x>'")
    expect(printed(lab)).to_have_text("<b>x</b>\n")
    assert lab.locator(".lab-output b, .lab-value img").count() == 0, "output became markup"


def test_small_array_is_a_table(lab: Page) -> None:
    run(lab, "np.array([[0.1 + 0.2, -1], [np.nan, 2]])")
    expect(lab.locator(".lab-value__facts")).to_contain_text("форма (2, 2) · тип float64")
    cells = lab.locator(".lab-heat tbody td")
    expect(cells).to_have_text(["0.3", "−1", "nan", "2"])
    colours = cells.evaluate_all("cells => cells.map(cell => getComputedStyle(cell).background)")
    assert len(set(colours)) == 4, f"cells of different value look alike: {colours}"
    expect(lab.locator(".lab-legend")).to_have_text("−1 2")


def test_large_array_is_a_picture_that_follows_the_theme(lab: Page) -> None:
    run(lab, "np.add.outer(np.arange(100), np.arange(40))")
    expect(lab.locator(".lab-value")).to_contain_text("прорежена с 100 × 40 до 50 × 40")
    picture = lab.locator("canvas.lab-heat-canvas")
    light = picture.evaluate("canvas => canvas.toDataURL()")
    corners = picture.evaluate(
        "c => [0, 1].map(i => [...c.getContext('2d').getImageData(i * (c.width - 1), "
        "i * (c.height - 1), 1, 1).data].join())"
    )
    assert corners[0] != corners[1], "the smallest and the largest number have one colour"
    lab.locator("label.md-header__button[for^=__palette]:visible").click()
    expect(lab.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    assert picture.evaluate("canvas => canvas.toDataURL()") != light, "the picture stays light"
    lab.locator("label.md-header__button[for^=__palette]:visible").click()


def test_more_axes_and_odd_values(lab: Page) -> None:
    run(lab, "np.zeros((2, 3, 4, 5))")
    expect(lab.locator(".lab-value")).to_contain_text("матрица [0, 0]")
    for code in (
        "np.zeros((0, 3))",
        "np.float64(2)",
        "np.array(['а', 'б'])",
        "[1, 2]",
        "'ё' * 9999",
    ):
        run(lab, code)
        expect(status(lab), f"{code} is not shown").to_contain_text("Готово")
        expect(lab.locator(".lab-value__repr")).not_to_be_empty()
    run(lab, "x = 1")
    expect(lab.locator(".lab-value")).to_be_empty()
    expect(status(lab)).to_contain_text("ничего не напечатал")


def test_the_way_python_was_started_is_shown(lab: Page) -> None:
    alive(lab)
    line = lab.locator(".lab-runtime")
    expect(line).to_contain_text("Python готов: запущен")
    assert lab.evaluate("document.documentElement.dataset.runtimePath") in (
        "snapshot",
        "trimmed",
        "plain",
    ), "the way is not named"


def test_python_survives_a_visit_to_the_lesson(lab: Page) -> None:
    alive(lab)
    lab.get_by_role("link", name="Урок").first.click()
    expect(lab.locator("[data-self-check]")).to_have_count(1)
    assert lab.evaluate("attn.runtime.state") == "ready", "navigation has stopped Python"
    lab.get_by_role("link", name="Лаборатория").first.click()
    expect(lab.locator("textarea[name=code]")).to_have_count(1)
    alive(lab)


def test_leaving_the_page_stops_a_running_loop(lab: Page) -> None:
    start(lab, "while True:\n    pass")
    expect(lab.locator(".lab[data-running]")).to_have_count(1)
    lab.get_by_role("link", name="Урок").first.click()
    expect(lab.locator("[data-self-check]")).to_have_count(1)
    expect(lab.locator("html")).to_have_attribute("data-runtime", "idle")
    lab.get_by_role("link", name="Лаборатория").first.click()
    alive(lab)


def test_python_that_does_not_come_is_said_and_can_be_retried(
    host: StaticServer, visit: Callable[..., Any]
) -> None:
    host.faults[r"assets/runtime/"] = static_server.status(404)
    visited = visit(f"{host.url}lab/")
    page = visited.page
    run(page, "print(1)")
    expect(status(page)).to_contain_text("Python не запустился")
    host.faults.clear()
    page.get_by_role("button", name="Запустить").click()
    expect(printed(page)).to_have_text("1\n", timeout=START_MS)
    visited.forgive()
