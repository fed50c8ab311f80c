"""The table of known faults, one test per row."""

import re

import pytest

from attnlib import flash, masks
from tests.unit import cases, rejections, table

ROWS = list(table.rows())


@pytest.mark.parametrize("run", [run for _, run in ROWS], ids=[name for name, _ in ROWS])
def test_row(run):
    run()


def test_every_fault_has_a_row():
    faults = {int(name.split(".")[0]) for name, _ in ROWS}
    assert faults == set(range(1, 17)), f"faults without a row: {set(range(1, 17)) - faults}"


@pytest.mark.parametrize("case", cases.CASES, ids=lambda case: f"{case.fault} {case.name}")
def test_row_in_two_threads(case, monkeypatch):
    monkeypatch.setattr(flash, "THREADS_PAY_FROM", 0)
    monkeypatch.setattr(flash, "_threads", lambda: 2)
    cases.run_case(case, "small tiles")


def test_both_calls_of_each_pair_are_made(monkeypatch):
    made = []
    for name in ("attention", "flash_attention"):
        monkeypatch.setattr(rejections.attnlib, name, lambda *_, name=name, **__: made.append(name))
    for call, _, _ in rejections.REJECTIONS:
        if any(call in pair for pair in rejections.PAIRS):
            call()
    assert made == ["attention", "flash_attention"] * 24, f"{len(made)} calls of 24 pairs"


def test_every_message_is_one_line():
    form = re.compile(r"^\w+: ожидается .+, получено: .+$")
    wrong = [message for _, _, message in rejections.REJECTIONS if not form.match(message)]
    assert not wrong, f"messages not of the form «аргумент: ожидается …, получено: …»: {wrong}"


def test_registry_names_every_mask():
    assert {info.build.__name__ for info in masks.REGISTRY.values()} == set(masks.REGISTRY), (
        "a registry key is not the name of its function"
    )
    for name, info in masks.REGISTRY.items():
        assert info.rule.endswith("."), f"the rule of {name} is not a sentence: {info.rule}"
        assert info.title == info.title.lower() != "", f"{name} has no title"
