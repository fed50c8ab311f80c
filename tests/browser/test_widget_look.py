"""The cells of W1 in both themes: their contrast, and what is told without colour."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from figures.browsers.server import StaticServer
from tests.browser.any_widget import open_careful

Open = Callable[..., Any]

CONTRAST = """root => {
  const probe = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const channels = (colour) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (colour) => channels(colour)
    .map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  return [...root.querySelectorAll('table[data-matrix] td[data-row]')].map(cell => {
    const number = cell.firstElementChild;
    const own = getComputedStyle(number).backgroundColor;
    const paper = cell.dataset.k === 'blocked' ? own : getComputedStyle(cell).backgroundColor;
    const [ink, ground] = [luminance(getComputedStyle(number).color), luminance(paper)];
    return {text: cell.textContent, kind: cell.dataset.k, ground,
            hatched: getComputedStyle(cell).backgroundImage.includes('repeating-linear-gradient'),
            contrast: (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05)};
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_of_cells_is_readable_at_every_weight(
    visit: Open, server: StaticServer, scheme: str
) -> None:
    widget = open_careful(visit, server, "attention", color_scheme=scheme, reduced_motion="reduce")
    for change in ({}, {"causal": False, "d": 768}, {"T": 10}, {"T": 0.1, "scale": False}):
        widget.should_show(widget.apply(change), f"frame of {change}")
        cells = widget.root.evaluate(CONTRAST)
        worst = min(cells, key=lambda cell: cell["contrast"])
        assert worst["contrast"] >= 4.5, f"{scheme}, {change}: {worst}"
        for cell in cells:
            assert cell["hatched"] == (cell["kind"] == "blocked"), f"hatching of {cell}"
            assert ("−∞" in cell["text"]) == (cell["kind"] == "blocked"), f"text of {cell}"
        grounds = {c["text"]: c["ground"] for c in cells if c["text"] in ("0.00", "0.50", "1.00")}
        assert len({round(ground, 2) for ground in grounds.values()}) == len(grounds), (
            f"weights that differ look alike without colour: {grounds}"
        )
        widget.reset()
        widget.should_show({}, "the default state")
