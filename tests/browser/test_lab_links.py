"""Links with code: what they carry is shown and not run, what is broken is refused."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab_page import EXAMPLES, note, packed, ready, should_show, type_code
from tests.browser.pages import Open, a_minute_passes, open_clocked


def paste_code(page: Page, text: str) -> None:
    """Long text at once: typing hundreds of lines takes a browser long."""
    page.locator("textarea[name=code]").evaluate(
        "(field, text) => { field.value = text; field.dispatchEvent(new Event('input')); }", text
    )


def test_code_of_a_link_is_shown_and_not_run(visit: Open) -> None:
    text = "import numpy as np\nprint('из ссылки — «да»', 2 ** 10)\n"
    page = ready(open_clocked(visit, f"lab/#{packed(text)}").page)
    expect(note(page)).to_contain_text("ещё не запускался")
    should_show(page, text, "the link carries other code")
    a_minute_passes(page)
    assert page.evaluate("attn.runtime.state") == "idle", (
        "code from a link started Python by itself"
    )
    expect(page.locator(".lab-output__text")).to_be_empty()


def follow(lab: Page, fragment: str) -> None:
    """A link within the page: its anchor brings no other document."""
    lab.evaluate("hash => { location.hash = hash; }", fragment)


def test_plain_links_are_read_too(lab: Page) -> None:
    data = base64.urlsafe_b64encode("print('ё')".encode()).decode().rstrip("=")
    follow(lab, f"code=p.{data}")
    should_show(lab, "print('ё')", "base64url of UTF-8")


DAMAGED, UNKNOWN = "ссылка повреждена", "которого здесь нет"
BROKEN = {
    "code=": DAMAGED,
    "code=%": DAMAGED,
    "code=z.!!!": DAMAGED,
    "code=z.AAAA": DAMAGED,  # cut
    "code=z.%00": DAMAGED,
    "code=p.gICA": DAMAGED,  # not UTF-8
    "code=p." + "A" * 200_000: DAMAGED,
    packed("0" * 10_000_000): DAMAGED,  # a bomb
    "code=x.YQ": DAMAGED,
    "example=": UNKNOWN,
    "example=%": UNKNOWN,
    "example=%E0%A4%A": UNKNOWN,
    "example=%3Cb%3Enothing": UNKNOWN,
}


def test_broken_links_are_refused(lab: Page) -> None:
    lab.locator("[data-lab]").evaluate("root => { root.stays = true; }")
    for fragment, refusal in BROKEN.items():
        follow(lab, "example=tiles")
        expect(lab.locator("select[name=example]")).to_have_value("tiles")
        expect(note(lab), f"note before {fragment:.20}").to_have_text("")
        follow(lab, fragment)
        expect(note(lab), fragment[:20]).to_contain_text(refusal)
        should_show(lab, EXAMPLES["tiles"].code.rstrip(), f"{fragment:.20}: nonsense is shown")
    assert lab.locator("[data-lab]").evaluate("root => root.stays"), "a link brought another page"


@pytest.mark.parametrize("fragment", ["example=%", "code=%"])
def test_an_address_that_is_not_ours_is_refused_on_arrival(visit: Open, fragment: str) -> None:
    page = ready(visit(f"lab/#{fragment}").page)  # and no error in the console
    expect(note(page)).to_contain_text(BROKEN[fragment])
    should_show(page, next(iter(EXAMPLES.values())).code.rstrip(), "nonsense is shown")


INVISIBLE = (
    'access = "user\u202e \u2066# проверка\u2069"\n'
    "admin\u200b = 1  # всё видно\n"
    '"""строка\nвторая\u00ad"""\n'
    "x = 'ёж\U0001f994'\n"
)


def test_invisible_signs_of_a_link_are_shown_before_it_can_be_run(lab: Page) -> None:
    page = lab
    follow(page, packed(INVISIBLE))
    warning = page.locator("[data-part=invisible]")
    expect(warning).to_contain_text("Невидимых знаков в\u00a0коде: 5\u00a0— в\u00a0строках 1, 2, 4")
    expect(warning).to_contain_text("(U+202E, U+2066, U+2069, U+200B, U+00AD)")
    expect(page.locator(".token.invisible")).to_have_count(5)
    expect(page.locator(".token.invisible-names")).to_have_text(
        ["U+202E U+2066 U+2069", "U+200B", "U+00AD"]
    )
    lines = page.locator(".pce-line").all_text_contents()
    assert not set("\u202e\u2066\u2069") & set("".join(lines)), "the picture is turned round"
    assert lines[0].startswith('access = "user # проверка"'), f"shown out of order: {lines[0]!r}"
    should_show(page, INVISIBLE, "the code itself was changed")
    type_code(page, "x = 1")
    expect(warning, "a warning about nothing").to_be_empty()


def test_share_makes_the_round_trip(lab: Page, visit: Open) -> None:
    text = "# общий код\nx = [1, 2]\nprint('привет', x)\n" + "y = 1  # строка\n" * 200
    sender = lab
    paste_code(sender, text)
    sender.get_by_role("button", name="Поделиться ссылкой").click()
    expect(note(sender)).to_have_text("Ссылка скопирована.")
    link = sender.locator("input[name=link]").input_value()
    assert link == sender.evaluate("navigator.clipboard.readText()"), "another link was copied"
    assert len(link) < 1000, "repeated lines are not compressed"
    should_show(ready(visit(link).page), text, "the reader gets other code")


def test_a_link_that_would_be_too_long_is_refused(lab: Page) -> None:
    noise = "".join(f"x{i} = {pow(7, i, 10**9 + 7)}\n" for i in range(2000))
    paste_code(lab, noise)
    lab.get_by_role("button", name="Поделиться ссылкой").click()
    expect(note(lab)).to_contain_text("Код слишком велик для ссылки")
    expect(lab.locator(".lab-sharing")).to_be_hidden()
