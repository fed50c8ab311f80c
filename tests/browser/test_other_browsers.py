"""What looks otherwise in another browser, with larger letters, in colours of the system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from figures.browsers.firefox import Firefox
from figures.browsers.server import StaticServer
from tests.browser.any_widget import Open
from tests.browser.exports import picture
from tests.browser.pages import LAB, LESSON, open_quiet, settled

# One of each kind of mark that must not rely on colour: cells, bars, a small mask, a drawing.
HATCHED = {
    "w/attention/": [
        'table[data-matrix="weights"] td[data-k="blocked"]',
        ".aw-bars [data-blocked] .aw-bar-track",
    ],
    "w/masks/": ['table[data-matrix="mask"] td[data-k="blocked"]'],
    "figures/causal_mask/": ['.fig-svg path[style*="url(#"]'],
}
BOX = """(css) => {
  const all = [...document.querySelectorAll(css)];
  const box = all[all.length - 1].getBoundingClientRect();
  return {x: Math.ceil(box.x + scrollX), y: Math.ceil(box.y + scrollY),
          width: Math.floor(box.width) - 1, height: Math.floor(box.height) - 1};
}"""

WIDEST = (
    f"{LESSON}?heads.h=12&heads.order=reshape&masks.n=64&padding.n=12&kv-cache.n=131072"
    "&kv-cache.batch=64",
    "w/heads/?heads.h=12",
    "w/masks/?masks.n=64",
    "w/masks/?masks.mask=own",
    "w/kv-cache/?kv-cache.model=own",
    "w/attention/",
    "w/padding/?padding.n=12",
    "w/noise/?noise.others=15",
    LAB,
    "",
    "offline/",
    "contributing/",
)
WIDTHS = (320, 390, 1280)
LARGE = 24  # pixels of the letters that a reader has chosen; browsers start with 16
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
READY = """Promise.all([document.fonts.ready, ...[...document.querySelectorAll('[data-widget]')]
  .filter(root => location.search.includes(root.dataset.widget + '.'))
  .map(async root => { while (root.dataset.source === 'build' && !('outdated' in root.dataset))
    await new Promise(requestAnimationFrame); })]).then(() => true)"""


def is_hatched(image: bytes, where: str) -> None:
    """Two colours alternate: neither one flat ground nor nothing."""
    shown = picture(image).astype(int) @ (1 << 16, 1 << 8, 1)
    pixels = shown.size
    most = np.unique(shown, return_counts=True)[1].max()
    assert 0.2 < most / pixels < 0.88, f"{where}: {most} of {pixels} pixels have one colour"


@pytest.mark.parametrize("forced", [False, True], ids=["own colours", "forced colours"])
def test_what_is_forbidden_is_hatched_in_firefox(server: StaticServer, forced: bool) -> None:
    colours: dict[str, object] = {"browser.display.document_color_use": 2} if forced else {}
    with Firefox(colours) as firefox:
        firefox.resize(1280, 900)
        for path, marks in HATCHED.items():
            firefox.open(server.url + path)
            assert firefox.evaluate("matchMedia('(forced-colors: active)').matches") == forced
            for css in marks:
                box = firefox.evaluate(f"({BOX})({css!r})")
                is_hatched(firefox.screenshot(box), f"{path} {css}")


@pytest.mark.parametrize("forced", ["none", "active"])
def test_what_is_forbidden_is_hatched_in_chromium(
    visit: Open, server: StaticServer, forced: str
) -> None:
    page = open_quiet(visit, "about:blank", forced_colors=forced)
    for path, marks in HATCHED.items():
        page.goto(server.url + path)
        settled(page)
        for css in marks:
            box = page.evaluate(BOX, css)
            is_hatched(page.screenshot(full_page=True, clip=box), f"{path} {css}")


def sideways(open_: Callable[[str], Any], resize: Any, evaluate: Callable[[str], Any]) -> list[str]:
    """Pages that slide sideways, in their widest states."""
    found = []
    for width in WIDTHS:
        resize(width)
        for path in WIDEST:
            open_(path)
            evaluate(READY)
            if (more := evaluate(SIDEWAYS)) > 0:
                found.append(f"{path} at {width} px: {more} px too wide")
    return found


def test_no_page_slides_sideways_in_firefox_with_large_letters(server: StaticServer) -> None:
    sizes: dict[str, object] = {
        f"font.size.variable.x-{script}": LARGE for script in ("western", "cyrillic")
    }
    with Firefox(sizes) as firefox:
        found = sideways(
            lambda path: firefox.open(server.url + path),
            lambda width: firefox.resize(width, 900),
            firefox.evaluate,
        )
        letters = firefox.evaluate(
            "parseFloat(getComputedStyle(document.documentElement).fontSize)"
        )
    assert letters == LARGE * 1.25, f"letters of {letters} px: the reader's choice is lost"
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("letters", [16, LARGE])
def test_no_page_slides_sideways_in_chromium(
    visit: Open, server: StaticServer, letters: int
) -> None:
    page = open_quiet(visit, "about:blank")
    client = page.context.new_cdp_session(page)
    client.send("Page.enable")
    sizes = {"standard": letters, "fixed": letters - 3}
    client.send("Page.setFontSizes", {"fontSizes": sizes})
    found = sideways(
        lambda path: page.goto(server.url + path),
        lambda width: page.set_viewport_size({"width": width, "height": 900}),
        page.evaluate,
    )
    assert found == [], "\n".join(found)
