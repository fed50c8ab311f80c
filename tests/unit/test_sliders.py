"""Sliders move over tables of values, so no value is a sum of floating-point steps."""

from __future__ import annotations

import re

import pytest

from figures.pipeline import widget_html
from figures.widgets import attention
from figures.widgets.controls import Slider

SLIDERS = [
    pytest.param(control, id=f"{name}-{control.name}")
    for name, module in widget_html.widgets().items()
    for control in module.CONTROLS
    if isinstance(control, Slider)
]


@pytest.mark.parametrize("slider", SLIDERS)
def test_a_slider_is_an_index_into_its_table(slider: Slider) -> None:
    html = slider.html("any")
    assert f'min="0" max="{len(slider.table) - 1}" step="1"' in html, f"{slider.name}: not an index"
    assert not re.search(r"\d\.\d{5,}", html), f"{slider.name}: a value with a tail of digits"
    shown = [str(value) for value in slider.table]
    assert len(set(shown)) == len(slider.table), f"{slider.name}: places that look alike: {shown}"


def test_the_main_widget_reaches_the_values_of_the_lesson() -> None:
    tables = {c.name: list(c.table) for c in attention.CONTROLS if isinstance(c, Slider)}
    assert tables["d"] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768], "head sizes of the lesson"
    assert tables["T"] == [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10], "temperatures"
