"""The code of a reader is kept, whatever tabs, examples and links bring."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.lab_page import note, packed, ready, should_show, type_code
from tests.browser.pages import Open
from tests.conftest import until


def keep(page: Page, code: str) -> None:
    """Types code and waits until it is kept."""
    type_code(page, code)
    until(page.evaluate, f"localStorage.getItem('attn.lab.code')?.includes('own\\\":\\\"{code}')")


def test_code_is_kept_and_examples_do_not_lose_it(visit: Open) -> None:
    page = ready(visit("lab/").page)
    type_code(page, "mine = 1")
    page.reload()
    ready(page)
    should_show(page, "mine = 1", "the code was not kept")
    page.locator("select[name=example]").select_option("tiles")
    back = page.get_by_role("button", name="Вернуть мой код")
    back.click()
    should_show(page, "mine = 1", "the example has replaced the reader's code")
    expect(back).to_be_hidden()
    page.locator("select[name=example]").select_option("tiles")
    type_code(page, "other = 2")
    back.click()
    should_show(page, "mine = 1", "editing an example lost the code before it")
    back.click()
    should_show(page, "other = 2", "the edited example is lost")


def test_two_tabs_do_not_take_code_from_each_other(visit: Open) -> None:
    visited = visit("lab/")
    first, second = ready(visited.page), visited.context.new_page()
    keep(first, "first = 1")
    second.goto("lab/")
    ready(second)
    should_show(second, "first = 1", "a new tab does not go on where the last one was")
    keep(first, "first = 11")
    keep(second, "second = 2")
    keep(second, "second = 22")  # a second save must not forget what the first has moved aside
    for page, mine, other in (
        (first, "first = 11", "second = 22"),
        (second, "second = 22", "first = 11"),
    ):
        page.reload()
        ready(page)
        should_show(page, mine, "a reload shows the code of another tab")
        page.get_by_role("button", name="Вернуть мой код").click()
        should_show(page, other, "the code of the other tab is lost")
    third = visited.context.new_page()
    third.goto("lab/")
    ready(third)
    should_show(third, "second = 22", "a new tab does not show the last code")
    third.get_by_role("button", name="Вернуть мой код").click()
    should_show(third, "first = 11", "what one of two tabs had is lost for a plain visit")


def test_what_is_kept_is_offered_on_a_plain_visit(visit: Open) -> None:
    visited = visit("lab/")
    page = ready(visited.page)
    keep(page, "before = 1")
    page.locator("select[name=example]").select_option("tiles")
    keep(page, "after = 2")
    for again in (page, visited.context.new_page()):
        again.goto("lab/")
        ready(again)
        should_show(again, "after = 2", "the last code is not shown")
        again.get_by_role("button", name="Вернуть мой код").click()
        should_show(again, "before = 1", "the code before it is not offered")


def test_a_link_does_not_replace_what_is_kept(visit: Open) -> None:
    visited = visit("lab/")
    page = ready(visited.page)
    keep(page, "mine = 1")
    page.goto("about:blank")
    page.goto(f"lab/#{packed('theirs = 2')}")
    ready(page)
    expect(note(page)).to_contain_text("пришёл по ссылке")
    page.get_by_role("button", name="Вернуть мой код").click()
    should_show(page, "mine = 1", "a link has replaced the reader's code")


def test_refused_storage_is_said_once_and_nothing_breaks(visit: Open) -> None:
    visited = visit("404.html")
    visited.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('refused'); }})"
    )
    page = visited.page
    page.goto("lab/")
    ready(page)
    type_code(page, "mine = 1")
    expect(note(page)).to_contain_text("не даёт сохранять")
    assert set(visited.problems) <= {"refused"}, f"more than the refusal: {visited.problems}"
    visited.forgive()  # the theme keeps its palette, and says that it could not
