"""W1 with live Python: own sentence, failure and retry, stop, late answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from figures.browsers.server import StaticServer, status
from figures.widgets import attention
from tests.browser.any_widget import READY_MS, AnyWidget
from tests.browser.pages import a_minute_passes, open_clocked
from tests.conftest import eventually, until

Open = Callable[..., Any]

BARE = "w/attention/"
PARTS = r"/assets/runtime/"


SHOWN = """root => {
  const cells = (name) =>
    [...root.querySelector(`table[data-matrix="${name}"] tbody`).rows].map(row =>
      [...row.cells].slice(1).map(cell => cell.textContent));
  return {
    readouts: Object.fromEntries([...root.querySelectorAll('[data-readout]')]
      .map(output => [output.dataset.readout, output.textContent])),
    ...Object.fromEntries(['scores', 'masked', 'weights'].map(name => [name, cells(name)])),
  };
}"""


def shown_of(frame: dict[str, Any]) -> dict[str, Any]:
    """Its numbers; the HTML of a build is that of a sentence with more words."""
    n = len(frame["tokens"])
    blocked = [[not allowed for allowed in row] for row in frame["mask"]]
    scores, weights = frame["scores"]["short"], frame["weights"]["short"]
    return {
        "readouts": frame["readouts"],
        "scores": scores,
        "masked": [
            [attention.BLOCKED_SCORE if blocked[q][k] else scores[q][k] for k in range(n)]
            for q in range(n)
        ],
        "weights": [
            [attention.BLOCKED if blocked[q][k] else weights[q][k] for k in range(n)]
            for q in range(n)
        ],
    }


def should_count(widget: AnyWidget, state: dict[str, Any], because: str) -> None:
    wanted = shown_of(attention.frame(widget.state(state)))
    eventually(lambda: widget.root.evaluate(SHOWN), wanted, because)


def runtime_state(page: Page, state: str) -> None:
    expect(page.locator("html")).to_have_attribute("data-runtime", state, timeout=READY_MS)


def test_first_touch_starts_python_and_the_own_sentence_is_computed(visit: Open) -> None:
    page = visit(BARE).page
    widget = AnyWidget(page)
    widget.set("causal", False)
    expect(widget.root).to_have_attribute("data-source", re.compile("table|python"))
    widget.wait_for("python")
    widget.should_show({"causal": False}, "live frame of the touched state")
    line = widget.root.locator("[data-status]")
    expect(line).to_have_text(re.compile(r"^считает NumPy 2\.0\.2 в\sвашем браузере · \d+\sмс$"))

    for sentence in (
        "мама мыла раму",
        "кот <img src=x onerror=alert(1)> & “кот”",
        "я",
        " ".join(f"слово{number}" for number in range(14)),
        "?!",
        "   ",
    ):
        widget.set("sentence", sentence)
        state = widget.state({"causal": False, "sentence": sentence})
        should_count(widget, state, f"live frame of {sentence!r}")
        heads = widget.root.locator('table[data-matrix="weights"] thead .aw-token')
        tokens = attention.frame(state)["tokens"]
        eventually(heads.all_inner_texts, tokens, f"names of the keys of {sentence!r}")
        expect(widget.root.locator("[data-remark]")).to_have_text(attention.frame(state)["remark"])
    assert widget.root.locator("img").count() == 0, "a sentence became HTML"

    widget.set("sentence", "<s> кот сел на коврик.")
    widget.set("causal", True)
    widget.should_show({}, "typed by hand")


def test_an_own_sentence_in_a_link_waits_for_the_reader(host: StaticServer, visit: Open) -> None:
    page = open_clocked(visit, f"{host.url}{BARE}?attention.sentence=раз+два").page
    widget = AnyWidget(page)
    expect(widget.root.locator("[data-status]")).to_contain_text("только Python")
    a_minute_passes(page)
    runtime_state(page, "idle")
    assert not [path for path in host.requests if "/assets/runtime/" in path], "loaded unasked"
    widget.start()
    should_count(widget, {"sentence": "раз два"}, "the sentence of the link")


def test_a_failed_start_is_told_once_python_is_needed_and_retry_works(
    host: StaticServer, visit: Open
) -> None:
    made = visit(host.url + BARE)
    widget = AnyWidget(made.page)
    line = widget.root.locator("[data-status]")
    retry = widget.root.get_by_role("button", name="Повторить")
    host.faults[PARTS] = status(503)
    for name, value in (("d", 8), ("T", 2)):
        widget.set(name, value)
        runtime_state(made.page, "error")
        wanted = {"d": 8, name: value}
        widget.should_show(wanted, "after a failure the controls no longer answer")
        expect(line).to_contain_text("рассчитано при сборке")
        expect(line).to_contain_text("Python не запустился")
        expect(widget.root).not_to_have_attribute("data-failed", "")
        expect(retry).to_be_hidden()
        expect(widget.root.locator("[data-start]")).to_be_visible()

    widget.set("sentence", "мама мыла раму")
    expect(retry).to_be_visible()
    expect(widget.root).to_have_attribute("data-failed", "")
    expect(line).to_contain_text(re.compile("^Python не\\sзапустился: .*503"))
    widget.set("sentence", widget.state()["sentence"])
    expect(retry).to_be_hidden()
    expect(widget.root).not_to_have_attribute("data-failed", "")
    widget.root.locator("[data-start]").click()
    expect(retry).to_be_visible()
    host.faults.clear()
    retry.click()
    widget.wait_for("python")
    expect(widget.root).not_to_have_attribute("data-failed", "")
    widget.should_show(wanted, "the live frame after a retry")
    made.forgive()


def test_without_network_a_touch_is_answered_and_no_error_is_shown(visit: Open) -> None:
    made = visit(BARE)
    widget = AnyWidget(made.page)
    until(made.page.evaluate, "Boolean(window.attn.packed?.attention)")
    made.context.set_offline(True)
    widget.set("causal", False)
    wanted = {"causal": False}
    widget.should_show(wanted, "a touch without a network")
    expect(made.page.locator("html")).to_have_attribute("data-runtime", "error")
    widget.should_show(wanted, "a touch without a network, Python having failed")
    expect(widget.root.locator("[data-status]")).to_contain_text("рассчитано при сборке")
    expect(widget.root.locator("[data-start]")).to_be_visible()
    made.forgive()


def test_a_long_run_can_be_stopped_and_python_comes_back(visit: Open) -> None:
    page = visit(BARE).page
    widget = AnyWidget(page)
    widget.start()
    page.evaluate("void attn.runtime.run({code: 'while True: pass'}).catch(() => {})")
    widget.set("causal", False)
    widget.wait_for("table")
    wanted = {"causal": False}
    widget.should_show(wanted, "while Python is busy the packed frame is not shown")
    stop = widget.root.get_by_role("button", name="Стоп")
    stop.click()
    runtime_state(page, "idle")
    expect(stop).to_be_hidden()
    widget.set("d", 8)
    widget.wait_for("python")
    widget.should_show({"causal": False, "d": 8}, "Python again")


@pytest.mark.parametrize("kind", ["saveData: true", "effectiveType: '2g'", "type: 'cellular'"])
def test_a_careful_connection_starts_python_by_the_button_only(
    host: StaticServer, visit: Open, kind: str
) -> None:
    made = visit("about:blank")
    made.context.add_init_script(
        f"Object.defineProperty(navigator, 'connection', {{value: {{{kind}}}}});"
    )
    made.page.clock.install()
    made.page.goto(host.url + BARE)
    widget = AnyWidget(made.page)
    widget.set("causal", False)
    widget.wait_for("table")
    a_minute_passes(made.page)
    runtime_state(made.page, "idle")
    button = widget.root.locator("[data-start]")
    expect(button).to_have_text(re.compile(r"^Запустить Python \(≈ \d+\.\d\sМБ\)$"))
    assert not [path for path in host.requests if "/assets/runtime/" in path], kind
