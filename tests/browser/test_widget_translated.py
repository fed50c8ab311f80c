"""A page that the browser translates: its text nodes are wrapped, and widgets still work."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from figures.browsers.server import StaticServer
from figures.widgets.controls import Slider, defaults
from tests.browser.any_widget import (
    AnyWidget,
    Open,
    built,
    ends,
    every,
    listed,
    open_careful,
)
from tests.browser.pages import LAB, LESSON, open_quiet

# What Chrome's translator does: every text node of what may be translated gives way to two nested
# <font> with the other language's text, inline elements of a sentence change places, and what the
# page writes later is treated alike.
TRANSLATE = """() => {
  const SKIPPED = 'script, style, noscript, textarea, font, [translate="no"], .notranslate';
  const LATIN = [...'abvgdeojziyklmnoprstufhcqwx_e_yuae'];
  const latin = (text) => text.replace(/[а-яё]/gi, (letter) =>
    LATIN[(letter.toLowerCase().charCodeAt(0) - 0x430) % LATIN.length]);
  window.translated = 0;
  const wrap = (node) => {
    if (!node.data.trim() || !node.parentElement || node.parentElement.closest(SKIPPED)) return;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    for (const font of [outer, inner]) font.style.verticalAlign = 'inherit';
    inner.append(latin(node.data));
    outer.append(inner);
    const { parentElement } = node;
    node.replaceWith(outer);
    window.translated += 1;
    const spans = [...parentElement.children].filter((one) => one.matches('span, b'));
    if (parentElement.matches('p') && spans.length > 1) parentElement.append(spans[0]);
  };
  const walk = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    nodes.forEach(wrap);
  };
  new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        if (node.nodeType === 3) wrap(node);
        else if (node.localName !== 'font') walk(node);
      }
    }
  }).observe(document.body, { childList: true, subtree: true });
  walk(document.body);
}"""

# What of a figure stays as it is: texts that are not to be translated, in the order of their kinds.
KEPT = """(figure, html) => {
  const made = html && new DOMParser().parseFromString(`<main>${html}</main>`, 'text/html');
  const root = made ? made.querySelector('main') : figure;
  const kept = [];
  for (const part of root.querySelectorAll('[translate="no"]')) {
    if (part.closest('[hidden], .aw-tip, .katex, .arithmatex, svg, code')) continue;
    if (part.parentElement.closest('[translate="no"]')) continue;
    if (part.querySelector('.katex, .arithmatex')) continue;
    kept.push(`${part.localName} ${JSON.stringify(part.dataset)}: ${part.textContent}`);
  }
  return kept.sort();
}"""


def should_keep(widget: AnyWidget, state: dict[str, Any], because: str) -> int:
    """The numbers on the page become those of the state; how many they are."""
    html = built(widget.module, state)
    wanted = widget.page.evaluate(f"html => ({KEPT})(null, html)", html)
    figure = widget.root.locator("[data-figure]")
    for _ in range(600):  # a busy machine is slow, not wrong
        shown = figure.evaluate(KEPT)
        if shown == wanted:
            return len(shown)
        widget.page.wait_for_timeout(50)
    assert shown == wanted, because
    raise AssertionError


def check_sliders(widget: AnyWidget, answered: set[str]) -> None:
    """Every slider of which somebody knows the states."""
    start = defaults(widget.module.CONTROLS)
    moved = 0
    sliders = [c for c in widget.module.CONTROLS if isinstance(c, Slider) and c.name in answered]
    for control in sliders:
        needed = {control.needs[0]: control.needs[1]} if control.needs else {}
        for value in ends(control):
            state = widget.apply({**needed, control.name: value})
            kept = should_keep(widget, state, f"{control.name} = {value!r}")
            assert kept > 3, f"only {kept} numbers are kept from translation"
            output = widget.root.locator(f'output[for="{widget.name}-{control.name}"]')
            label = widget.field(control.name).get_attribute("aria-valuetext")
            assert output.text_content() == label, f"the value beside {control.name}"
            moved += 1
        widget.root.locator("[data-reset]").click()  # its name is translated
        should_keep(widget, start, f"{control.name} after «Сбросить»")
    assert moved == 2 * len(sliders) > 0, f"{moved} positions of {len(sliders)} sliders"


@every
def test_sliders_work_on_a_translated_page(visit: Open, server: StaticServer, name: str) -> None:
    widget = open_careful(visit, server, name)
    widget.page.evaluate(TRANSLATE)
    assert widget.page.evaluate("translated") > 20, "nothing was translated"
    check_sliders(widget, listed(widget.module))
    assert widget.root.locator("[data-figure] font").count() > 0, "no translation in the figure"

    widget.start()
    check_sliders(widget, {control.name for control in widget.module.CONTROLS})
    assert widget.root.get_attribute("data-source") == "python"


def counts(page: Page) -> dict[str, int]:
    return page.evaluate(
        """() => Object.fromEntries(['.katex', 'pre', 'code', 'svg', '[data-readout]',
             'table[data-matrix] td:not(.aw-corner)', '.lab-editor'].map((kind) => {
               const all = [...document.querySelectorAll(`article ${kind}`)];
               const open = all.filter((one) => one.querySelector('font') ||
                 (one.textContent.trim() && !one.closest('[translate="no"]')));
               if (open.length) throw new Error(`${kind}: ${open[0].outerHTML.slice(0, 300)}`);
               return [kind, all.length];
             }))"""
    )


@pytest.mark.parametrize(
    ("path", "least"),
    [
        (LESSON, {".katex": 150, "pre": 10, "code": 100, "svg": 10, "[data-readout]": 20}),
        ("reference/masks/", {"pre": 5, "code": 30}),
        (LAB, {".lab-editor": 1}),
    ],
)
def test_formulas_code_and_numbers_are_not_translated(
    visit: Open, server: StaticServer, path: str, least: dict[str, int]
) -> None:
    page = open_quiet(visit, server.url + path)
    page.evaluate(TRANSLATE)
    expect(page.locator("article font").first).to_be_attached()
    found = counts(page)
    for kind, number in least.items():
        assert found[kind] >= number, f"{path}: {found}"
