"""The editor of the laboratory, without Python: examples, keys, what of it loads where."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from figures.browsers.server import StaticServer, status
from tests.browser.lab_page import EXAMPLES, ready, should_show, type_code
from tests.browser.pages import Open, a_minute_passes, open_clocked, settled


def test_menu_offers_every_example_in_colour(lab: Page) -> None:
    menu = lab.locator("select[name=example]")
    assert menu.locator("option").count() == len(EXAMPLES) + 1, "the menu lacks examples"
    menu.select_option("tiles")
    should_show(lab, EXAMPLES["tiles"].code.rstrip(), "another example is shown")
    type_code(lab, 'def f(n):  # note\n    return "text" if n > 10 else None')
    tokens = lab.locator(".lab-editor .token")
    for kind, text in {"keyword": "def", "comment": "# note", "string": '"text"'}.items():
        expect(lab.locator(f".lab-editor .token.{kind}").first).to_have_text(text)
    assert tokens.count() > 8, "the code is not coloured"


def test_lesson_opens_an_example_without_a_reload(visit: Open) -> None:
    page = visit("lesson/multihead-masks/").page
    page.evaluate("window.sameDocument = true")
    page.locator('a[href$="#example=silent-errors"]').click()
    ready(page)
    should_show(page, EXAMPLES["silent-errors"].code.rstrip(), "another example is shown")
    assert page.evaluate("window.sameDocument"), "the page was loaded anew"
    page.go_back()
    expect(page.locator("[data-self-check]")).to_have_count(1)
    page.go_forward()
    expect(page.locator(".prism-code-editor"), "one editor after coming back").to_have_count(1)
    should_show(page, EXAMPLES["silent-errors"].code.rstrip(), "the example is lost")


def test_figure_page_opens_its_example(visit: Open) -> None:
    page = visit("figures/tiles/").page
    page.get_by_role("link", name="Открыть в лаборатории").click()
    ready(page)
    should_show(page, EXAMPLES["figure-tiles"].code.rstrip(), "another example is shown")


def test_the_link_to_the_laboratory_looks_alike_everywhere(visit: Open) -> None:
    """A visitor of the lesson alone has no style sheet of the laboratory."""
    looks = {
        path: visit(path)
        .page.locator(".lab-open")
        .first.evaluate(
            "p => { const look = getComputedStyle(p); return look.textAlign + look.fontSize; }"
        )
        for path in ("lesson/multihead-masks/", "figures/tiles/")
    }
    assert set(looks.values()) == {"right13px"}, looks


def test_marks_of_invisible_signs_move_no_letter(lab: Page) -> None:
    """The field lies below its picture: the same letter has the same place in both."""
    type_code(lab, "x = 1  # конец")
    last = lab.locator(".token.comment")
    place = last.bounding_box()
    type_code(lab, "x\u200b\u2060 = \ufeff1  # конец")
    expect(lab.locator(".token.invisible")).to_have_count(2)
    marked = last.bounding_box()
    assert place and marked and abs(marked["x"] - place["x"]) < 0.5, (place, marked)


def test_tab_indents_and_escape_lets_it_leave(lab: Page) -> None:
    field = lab.locator("textarea[name=code]")
    field.focus()
    lab.keyboard.press("Tab")
    should_show(lab, "    ", "Tab does not indent")
    lab.keyboard.press("Escape")
    expect(field, "Esc keeps the place").to_be_focused()
    lab.keyboard.press("Tab")
    expect(lab.get_by_role("button", name="Запустить")).to_be_focused()
    should_show(lab, "    ", "the Tab that leaves indents too")
    lab.keyboard.press("Shift+Tab")
    expect(field).to_be_focused()
    lab.keyboard.press("Tab")
    should_show(lab, " " * 8, "Tab has lost its meaning after coming back")
    lab.keyboard.press("Escape")
    lab.keyboard.press("Shift+Tab")
    leads_back = """field => document.querySelector('.lab').contains(document.activeElement)
      && field.compareDocumentPosition(document.activeElement) === Node.DOCUMENT_POSITION_PRECEDING
    """
    assert field.evaluate(leads_back), "Shift+Tab does not lead back"


def test_hotkeys_of_the_theme_stay_out(lab: Page) -> None:
    address = lab.url
    field = lab.locator("textarea[name=code]")
    field.focus()
    lab.keyboard.type("sf/n.p,")
    should_show(lab, "sf/n.p,", "letters got lost")
    share = lab.get_by_role("button", name="Поделиться ссылкой")
    share.focus()
    for key in ("s", "f", "/", "n", ".", "p", ","):
        lab.keyboard.press(key)
    settled(lab)
    expect(share, "a hotkey took the focus away").to_be_focused()
    assert lab.url == address, "a hotkey opened another lab"


def test_enter_keeps_the_indentation(lab: Page) -> None:
    lab.locator("textarea[name=code]").focus()
    lab.keyboard.type("if 1:\nx = (2)\ny = 3")
    should_show(lab, "if 1:\n    x = (2)\n    y = 3", "the editor does not indent Python")


def test_without_javascript_it_says_so(visit: Open) -> None:
    page = visit("lab/", java_script_enabled=False).page
    expect(page.get_by_text("Лаборатории нужен JavaScript")).to_be_visible()
    assert page.get_by_role("button", name="Запустить").count() == 0, "a dead button"


def test_other_pages_do_not_load_the_editor(host: StaticServer, visit: Open) -> None:
    url = f"{host.url}lesson/multihead-masks/"
    page = open_clocked(visit, url, service_workers="block").page
    a_minute_passes(page)
    loaded = [path for path in host.requests if "/vendor/" in path or "/js/lab/" in path]
    assert not loaded, f"the lesson loads parts of the laboratory: {loaded}"


def test_missing_script_can_be_asked_for_again(host: StaticServer, visit: Open) -> None:
    host.faults["assets/js/lab"] = status(404)
    visited = visit(f"{host.url}lab/")
    visited.page.get_by_text("Редактор не загрузился").wait_for()
    host.faults.clear()
    visited.page.get_by_role("button", name="Повторить").click()
    ready(visited.page)
    visited.forgive()


def test_the_page_does_not_scroll_sideways(lab: Page) -> None:
    type_code(lab, "x = '" + "очень длинная строка " * 20 + "'")
    for width in (320, 390, 1280):
        lab.set_viewport_size({"width": width, "height": 800})
        wide = lab.evaluate("document.scrollingElement.scrollWidth")
        assert wide <= width, f"{wide} px of lab in a window of {width}"
