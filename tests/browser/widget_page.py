"""A widget on a page, as a reader uses it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from figures.widgets import attention, controls
from tests.conftest import eventually

BARE = "w/attention/"
LESSON = "lesson/multihead-masks/"
READY_MS = 120_000

# A reader who pays for each byte: nothing of Python is loaded unasked.
SAVE_DATA = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}});"

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


def default_state() -> dict[str, Any]:
    return controls.defaults(attention.CONTROLS)


class Widget:
    """The main widget of an open page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator('section[data-widget="attention"]')
        expect(self.root.locator("fieldset:enabled")).not_to_have_count(0)

    def input(self, name: str) -> Locator:
        return self.root.locator(f'[name="{name}"]')

    def set(self, name: str, value: Any) -> None:
        """Move a control as a reader does: click, arrow keys, typing."""
        field = self.input(name)
        kind = field.get_attribute("data-control")
        if kind == "checkbox":
            field.set_checked(value)
        elif kind == "slider":
            table = next(c.values for c in attention.CONTROLS if c.name == name)
            field.focus()
            steps = table.index(value) - int(field.input_value())
            for _ in range(abs(steps)):
                self.page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
        else:
            field.fill(value)

    def wait_for(self, source: str) -> None:
        expect(self.root).to_have_attribute("data-source", source, timeout=READY_MS)

    def start(self) -> None:
        """Start Python and wait until it has answered."""
        self.root.locator("[data-start]").click()
        self.wait_for("python")

    def controls(self) -> dict[str, str]:
        """What the controls of the packed states say."""
        checks = {name: str(self.input(name).is_checked()).lower() for name in ("scale", "causal")}
        sliders = {n: self.input(n).get_attribute("aria-valuetext") or "" for n in ("d", "T")}
        return {**checks, **sliders}

    def readouts(self) -> dict[str, str]:
        return self.shown()["readouts"]

    def shown(self) -> dict[str, Any]:
        """The numbers of the figure, all of one moment."""
        return self.root.evaluate(SHOWN)

    def should_show(self, frame: dict[str, Any], because: str) -> None:
        """Wait until the page shows a frame of Python, or tell where it differs."""
        eventually(self.shown, shown_of(frame), because)

    def cell(self, matrix: str, row: int, column: int) -> Locator:
        return self.root.locator(
            f'table[data-matrix="{matrix}"] td[data-row="{row}"][data-col="{column}"]'
        )

    def everything(self) -> str:
        """All text of the figure, to the space."""
        return self.root.locator("[data-figure]").evaluate("figure => figure.textContent")


def shown_of(frame: dict[str, Any]) -> dict[str, Any]:
    """What the page must show for a frame of Python."""
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
