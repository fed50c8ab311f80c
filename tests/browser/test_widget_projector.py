"""On a projector: a widget is the whole screen, is read from the last row, works by keyboard."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from figures.browsers.server import StaticServer
from tests.browser.any_widget import MODULES, AnyWidget
from tests.browser.pages import LESSON, Open, open_quiet, settled
from tests.conftest import eventually

SCREENS = ((1280, 720), (1920, 1080))
LINES = 55  # of the smallest text would fill the height of the screen

# Small text, names and numbers that are cut, boxes that would have to be scrolled sideways.
UNREADABLE = """(root, least) => {
  const found = [];
  for (const element of root.querySelectorAll('*')) {
    if (!element.checkVisibility({visibilityProperty: true})) continue;
    if (element.closest('.katex, caption, .aw-hidden')) continue;
    const text = [...element.childNodes].filter(node => node.nodeType === 3)
      .map(node => node.data.trim()).join('');
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (text && size < least) found.push(`${size} px: ${text.slice(0, 40)}`);
    if (element.matches('th, td, .aw-scroll') && element.scrollWidth > element.clientWidth + 1)
      found.push(`cut: ${element.textContent.trim().slice(0, 40)}`);
  }
  if (root.scrollWidth > root.clientWidth) found.push(`${root.scrollWidth} px wide`);
  return found;
}"""


def is_full(root: Locator) -> bool:
    return bool(root.evaluate("root => document.fullscreenElement === root"))


def test_everything_can_be_read_from_afar(visit: Open, server: StaticServer) -> None:
    page = open_quiet(visit, "about:blank")
    problems = []
    for name in MODULES:
        page.goto(f"{server.url}w/{name}/")
        root = page.locator(f'section[data-widget="{name}"]')
        expect(root.locator("fieldset:disabled")).to_have_count(0)
        button = root.locator("[data-fullscreen]")
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            button.click()
            expect(button).to_have_text("Обычный размер")
            eventually(
                lambda root=root: root.evaluate("root => [root.offsetWidth, root.offsetHeight]"),
                [width, height],
                f"{name} is not the whole screen",
            )
            settled(page)
            expect(root.locator("[data-readout]").first).to_be_in_viewport()
            found = root.evaluate(UNREADABLE, height / LINES)
            problems += [f"{name} on {width} × {height}: {bad}" for bad in found]
            button.click()
            expect(button).to_have_text("Во весь экран")
    assert problems == [], "\n".join(problems)


def test_keyboard_stays_inside_and_leaving_puts_everything_back(
    visit: Open, server: StaticServer
) -> None:
    page = open_quiet(visit, server.url + LESSON, viewport={"width": 1280, "height": 720})
    widget = AnyWidget(page)
    button = widget.root.locator("[data-fullscreen]")
    button.scroll_into_view_if_needed()
    before = place(page)
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    assert is_full(widget.root), "another element has the screen"
    expect(widget.root).to_be_focused()

    page.keyboard.press("s")
    assert not page.locator("#__search").is_checked(), "a hotkey of the theme opens the search"
    stops = []
    for _ in range(60):
        page.keyboard.press("Tab")
        stops.append(
            widget.root.evaluate(
                """root => {
                  const focus = document.activeElement;
                  if (focus === document.body) return 'the window';
                  if (!root.contains(focus)) return `behind: ${focus.outerHTML.slice(0, 80)}`;
                  const {bottom, top} = focus.getBoundingClientRect();
                  const seen = bottom > 0 && top < innerHeight;
                  return seen ? focus.name || focus.localName : `unseen: ${focus.outerHTML}`;
                }"""
            )
        )
    lost = [stop for stop in stops if stop.startswith(("behind", "unseen"))]
    assert lost == [], f"the focus cannot be seen: {lost}"
    assert {"scale", "causal", "d", "T", "sentence", "td", "button"} <= set(stops), stops

    widget.set("d", 8)
    widget.wait_for("table")
    readouts = widget.readouts()
    page.evaluate("document.exitFullscreen()")  # as Esc does, which is the browser's own key
    expect(button).to_have_text("Во весь экран")
    expect(widget.field("d")).to_be_focused()
    expect(widget.field("d")).to_be_in_viewport()
    assert widget.readouts() == readouts, "leaving the full screen changed the figure"
    eventually(lambda: place(page), before, "the page behind is not as it was")

    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(button).to_be_focused()
    eventually(lambda: place(page), before, "the page behind is not as it was")
    page.locator(".md-header a.md-logo").focus()
    expect(page.locator(".md-header a.md-logo")).to_be_focused()


def place(page: Page) -> dict[str, object]:
    """What the reader has of the page: size of letters, where it stands, what is out of reach."""
    settled(page)
    return page.evaluate(
        """() => ({
          letters: getComputedStyle(document.documentElement).fontSize,
          top: Math.round(document.querySelector('.attn-widget').getBoundingClientRect().top),
          inert: document.querySelectorAll('[inert]').length,
        })"""
    )


def test_navigation_away_from_the_full_screen_frees_the_page(
    visit: Open, server: StaticServer
) -> None:
    page = open_quiet(visit, server.url)
    page.locator(f'article a[href*="{LESSON}"]').first.click()
    page.wait_for_url(f"**/{LESSON}*")
    root = AnyWidget(page).root
    root.locator("[data-fullscreen]").click()
    expect(root.locator("[data-fullscreen]")).to_have_attribute("aria-pressed", "true")
    page.go_back()
    page.wait_for_url(server.url)
    expect(page.locator("section[data-widget=attention]")).to_have_count(0)
    expect(page.locator("[inert]")).to_have_count(0)
    expect(page.locator("html.aw-projector")).to_have_count(0)


def test_no_dead_button_where_the_browser_has_no_full_screen(
    visit: Open, server: StaticServer
) -> None:
    made = visit("about:blank")
    made.context.add_init_script(
        "Object.defineProperty(document, 'fullscreenEnabled', {value: false});"
    )
    made.page.goto(f"{server.url}w/heads/")
    root = made.page.locator("section[data-widget=heads]")
    expect(root.locator("[data-reset]")).to_be_visible()
    expect(root.locator("[data-fullscreen]")).to_be_hidden()
