"""The laboratory without Python: the editor, what is kept, and links with code."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from figures.laboratory.hints import LOOKALIKES
from figures.pipeline import lab_examples
from tests.browser.pages import a_minute_passes, open_clocked, settled
from tests.conftest import until
from tests.static_server import StaticServer, status

Open = Callable[..., Any]

EXAMPLES = {example.name: example for example in lab_examples.examples()}


@pytest.fixture
def page(visit: Open) -> Page:
    return ready(visit("lab/").page)


def ready(page: Page) -> Page:
    expect(page.locator("textarea[name=code]")).to_have_count(1)
    return page


def should_show(page: Page, code: str, because: str) -> None:
    expect(page.locator("textarea[name=code]"), because).to_have_value(code)


def note(page: Page) -> Any:
    return page.locator(".lab-note")


def type_code(page: Page, text: str) -> None:
    page.locator("textarea[name=code]").fill(text)


def paste_code(page: Page, text: str) -> None:
    """Long text at once: typing hundreds of lines takes a browser long."""
    page.locator("textarea[name=code]").evaluate(
        "(field, text) => { field.value = text; field.dispatchEvent(new Event('input')); }", text
    )


def paste(page: Page, text: str) -> None:
    """From the clipboard, over what is selected."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.locator("textarea[name=code]").press("ControlOrMeta+v")


@pytest.fixture
def pasting(visit: Open) -> Page:
    opened = ready(visit("lab/", permissions=["clipboard-write", "clipboard-read"]).page)
    type_code(opened, "")
    return opened


def open_fragment(visit: Open, fragment: str) -> Page:
    return ready(visit(f"lab/#{fragment}").page)


def packed(text: str) -> str:
    squeezed = zlib.compressobj(wbits=-15)
    data = squeezed.compress(text.encode()) + squeezed.flush()
    return "code=z." + base64.urlsafe_b64encode(data).decode().rstrip("=")


def python_state(page: Page) -> str:
    return str(page.evaluate("document.documentElement.dataset.runtime"))


def test_menu_offers_every_example_in_colour(page: Page) -> None:
    menu = page.locator("select[name=example]")
    assert menu.locator("option").count() == len(EXAMPLES) + 1, "the menu lacks examples"
    menu.select_option("tiles")
    should_show(page, EXAMPLES["tiles"].code.rstrip(), "another example is shown")
    type_code(page, 'def f(n):  # note\n    return "text" if n > 10 else None')
    tokens = page.locator(".lab-editor .token")
    for kind, text in {"keyword": "def", "comment": "# note", "string": '"text"'}.items():
        expect(page.locator(f".lab-editor .token.{kind}").first).to_have_text(text)
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


def test_figure_page_opens_its_example(visit: Open) -> None:
    page = visit("figures/tiles/").page
    page.get_by_role("link", name="Открыть в лаборатории").click()
    ready(page)
    should_show(page, EXAMPLES["figure-tiles"].code.rstrip(), "another example is shown")


def test_code_of_a_link_is_shown_and_not_run(visit: Open) -> None:
    text = "import numpy as np\nprint('из ссылки — «да»', 2 ** 10)\n"
    page = ready(open_clocked(visit, f"lab/#{packed(text)}").page)
    expect(note(page)).to_contain_text("ещё не запускался")
    should_show(page, text, "the link carries other code")
    a_minute_passes(page)
    assert python_state(page) == "idle", "code from a link started Python by itself"
    expect(page.locator(".lab-output__text")).to_be_empty()


def test_plain_links_are_read_too(visit: Open) -> None:
    data = base64.urlsafe_b64encode("print('ё')".encode()).decode().rstrip("=")
    should_show(open_fragment(visit, f"code=p.{data}"), "print('ё')", "base64url of UTF-8")


def test_broken_links_are_refused(page: Page) -> None:
    broken = {
        "empty": "code=",
        "letters": "code=z.!!!",
        "cut": "code=z.AAAA",
        "not UTF-8": "code=p.gICA",
        "bomb": packed("0" * 10_000_000),
        "kind": "code=x.YQ",
    }
    page.locator("[data-lab]").evaluate("root => { root.stays = true; }")
    for name, fragment in broken.items():
        page.evaluate("hash => { location.hash = hash; }", "example=tiles")
        expect(page.locator("select[name=example]")).to_have_value("tiles")
        expect(note(page), f"note before the link with {name}").to_have_text("")
        page.evaluate("hash => { location.hash = hash; }", fragment)
        expect(note(page), f"link with {name}").to_contain_text("ссылка повреждена")
        should_show(page, EXAMPLES["tiles"].code.rstrip(), f"link with {name}: nonsense shown")
    page.evaluate("hash => { location.hash = hash; }", "example=%3Cb%3Enothing")
    expect(note(page)).to_contain_text("которого здесь нет")
    assert page.locator("[data-lab]").evaluate("root => root.stays"), "a link brought another page"


@pytest.mark.parametrize(
    "fragment",
    [
        "example=%",
        "example=%E0%A4%A",
        "example=",
        "code=%",
        "code=z.%00",
        "code=p." + "A" * 200_000,
    ],
    ids=lambda fragment: fragment[:16],
)
def test_an_address_that_is_not_ours_is_refused_in_russian(visit: Open, fragment: str) -> None:
    page = open_fragment(visit, fragment)  # and no error in the console, as after every visit
    refusal = "которого здесь нет" if fragment.startswith("example") else "ссылка повреждена"
    expect(note(page)).to_contain_text(refusal)
    should_show(page, next(iter(EXAMPLES.values())).code.rstrip(), "nonsense is shown")


INVISIBLE = (
    'access = "user\u202e \u2066# проверка\u2069"\n'
    "admin\u200b = 1  # всё видно\n"
    '"""строка\nвторая\u00ad"""\n'
    "x = 'ёж\U0001f994'\n"
)


def test_invisible_signs_of_a_link_are_shown_before_it_can_be_run(visit: Open) -> None:
    page = open_fragment(visit, packed(INVISIBLE))
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


def test_marks_of_invisible_signs_move_no_letter(page: Page) -> None:
    """The field lies below its picture: the same letter has the same place in both."""
    type_code(page, "x = 1  # конец")
    last = page.locator(".token.comment")
    place = last.bounding_box()
    type_code(page, "x\u200b\u2060 = \ufeff1  # конец")
    expect(page.locator(".token.invisible")).to_have_count(2)
    marked = last.bounding_box()
    assert place and marked and abs(marked["x"] - place["x"]) < 0.5, (place, marked)


def test_pasted_signs_of_a_word_processor_become_those_of_python(pasting: Page) -> None:
    paste(
        pasting,
        "\ufeffx\u00a0= “слово — «да»” + ‘ещё’\nif x ≥ 2 × 3 − １：\n\u00a0\u00a0print(«ёж»)",
    )
    should_show(
        pasting,
        'x = "слово — «да»" + \'ещё\'\nif x >= 2 * 3 - 1:\n  print("ёж")'.replace(
            "— «да»", "— «да»"
        ),
        "not what Python reads",
    )
    expect(note(pasting)).to_contain_text("При вставке заменены знаки")
    expect(note(pasting)).to_contain_text("× (U+00D7)")
    expect(note(pasting)).to_contain_text("U+FEFF")
    pasting.keyboard.press("ControlOrMeta+z")
    should_show(pasting, "", "pasting cannot be undone")
    type_code(pasting, "y = 2")
    pasting.locator("textarea[name=code]").evaluate("field => field.setSelectionRange(0, 0)")
    paste(pasting, "x = 1 − 2\r\n")
    should_show(pasting, "x = 1 - 2\ny = 2", "lines have run together")


def test_every_sign_that_has_a_hint_is_repaired_too(pasting: Page) -> None:
    for code, (name, instead) in LOOKALIKES.items():
        repaired = pasting.evaluate(
            "sign => attn.lab.repaired('', `x ${sign} y`, '').text", chr(code)
        )
        plain = " " if instead == "обычный пробел" else instead
        assert repaired == f"x {plain} y", f"U+{code:04X}, {name}: {repaired!r}"
    assert len(LOOKALIKES) > 100, "signs are missing"


TEXT = (
    "print('цена — 5\u00a0%, «ёлочки» “лапки” 2 × 2 − 1 …')  # тире — и «кавычки»\n"
    'note = """\nмногострочная — “строка”\n"""\n'
    "f'{1} — {2}'\n"
)


def test_strings_and_comments_are_pasted_as_they_are(pasting: Page) -> None:
    paste(pasting, TEXT)
    should_show(pasting, TEXT, "text was changed")
    expect(note(pasting)).to_be_empty()
    type_code(pasting, "x = ''")
    pasting.locator("textarea[name=code]").evaluate("field => field.setSelectionRange(5, 5)")
    paste(pasting, "“лапки” — да")
    should_show(pasting, "x = '“лапки” — да'", "text pasted into a string was changed")


SESSION = """    >>> import numpy as np
    >>> for i in range(2):
    ...     print(i)
    ...
    0
    1
    >>> np.arange(3) * 2
    array([0, 2, 4])
"""


def test_a_pasted_session_becomes_a_program(pasting: Page) -> None:
    paste(pasting, SESSION)
    program = "import numpy as np\nfor i in range(2):\n    print(i)\n\n# 0\n# 1\nnp.arange(3) * 2\n"
    should_show(pasting, program + "# array([0, 2, 4])", "prompts or output are left")
    expect(note(pasting)).to_contain_text("Приглашения >>> убраны")
    type_code(pasting, '"""\n"""')
    pasting.locator("textarea[name=code]").evaluate("field => field.setSelectionRange(4, 4)")
    paste(pasting, SESSION)
    should_show(pasting, f'"""\n{SESSION}"""', "an example in a docstring was changed")


def test_share_makes_the_round_trip(visit: Open) -> None:
    text = "# общий код\nx = [1, 2]\nprint('привет', x)\n" + "y = 1  # строка\n" * 200
    sender = ready(visit("lab/", permissions=["clipboard-write", "clipboard-read"]).page)
    paste_code(sender, text)
    sender.get_by_role("button", name="Поделиться ссылкой").click()
    expect(note(sender)).to_have_text("Ссылка скопирована.")
    link = sender.locator("input[name=link]").input_value()
    assert link == sender.evaluate("navigator.clipboard.readText()"), "another link was copied"
    assert len(link) < 1000, "repeated lines are not compressed"
    should_show(ready(visit(link).page), text, "the reader gets other code")


def test_a_link_that_would_be_too_long_is_refused(page: Page) -> None:
    noise = "".join(f"x{i} = {pow(7, i, 10**9 + 7)}\n" for i in range(2000))
    paste_code(page, noise)
    page.get_by_role("button", name="Поделиться ссылкой").click()
    expect(note(page)).to_contain_text("Код слишком велик для ссылки")
    expect(page.locator(".lab-sharing")).to_be_hidden()


def test_code_is_kept_and_examples_do_not_lose_it(page: Page) -> None:
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


def kept(page: Page, code: str) -> None:
    until(page.evaluate, f"localStorage.getItem('attn.lab.code')?.includes('own\\\":\\\"{code}')")


def test_two_tabs_do_not_take_code_from_each_other(visit: Open) -> None:
    visited = visit("lab/")
    first, second = ready(visited.page), visited.context.new_page()
    type_code(first, "first = 1")
    kept(first, "first = 1")
    second.goto("lab/")
    ready(second)
    should_show(second, "first = 1", "a new tab does not go on where the last one was")
    type_code(first, "first = 11")
    kept(first, "first = 11")
    type_code(second, "second = 2")
    kept(second, "second = 2")
    type_code(second, "second = 22")  # a second save must not forget what the first has moved aside
    kept(second, "second = 22")
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
    type_code(page, "before = 1")
    kept(page, "before = 1")
    page.locator("select[name=example]").select_option("tiles")
    type_code(page, "after = 2")
    kept(page, "after = 2")
    for again in (page, visited.context.new_page()):
        again.goto("lab/")
        ready(again)
        should_show(again, "after = 2", "the last code is not shown")
        again.get_by_role("button", name="Вернуть мой код").click()
        should_show(again, "before = 1", "the code before it is not offered")


def test_a_link_does_not_replace_what_is_kept(visit: Open) -> None:
    visited = visit("lab/")
    page = ready(visited.page)
    type_code(page, "mine = 1")
    until(page.evaluate, "localStorage.getItem('attn.lab.code')?.includes('mine = 1')")
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


def test_tab_indents_and_escape_lets_it_leave(page: Page) -> None:
    type_code(page, "")
    field = page.locator("textarea[name=code]")
    field.focus()
    page.keyboard.press("Tab")
    should_show(page, "    ", "Tab does not indent")
    page.keyboard.press("Escape")
    expect(field, "Esc keeps the place").to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Запустить")).to_be_focused()
    should_show(page, "    ", "the Tab that leaves indents too")
    page.keyboard.press("Shift+Tab")
    expect(field).to_be_focused()
    page.keyboard.press("Tab")
    should_show(page, " " * 8, "Tab has lost its meaning after coming back")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Tab")
    expect(page.locator("select[name=example]")).to_be_focused()


def test_hotkeys_of_the_theme_stay_out(page: Page) -> None:
    address = page.url
    type_code(page, "")
    field = page.locator("textarea[name=code]")
    field.focus()
    page.keyboard.type("sf/n.p,")
    should_show(page, "sf/n.p,", "letters got lost")
    share = page.get_by_role("button", name="Поделиться ссылкой")
    share.focus()
    for key in ("s", "f", "/", "n", ".", "p", ","):
        page.keyboard.press(key)
    settled(page)
    expect(share, "a hotkey took the focus away").to_be_focused()
    assert page.url == address, "a hotkey opened another page"


def test_enter_keeps_the_indentation(page: Page) -> None:
    type_code(page, "")
    page.locator("textarea[name=code]").focus()
    page.keyboard.type("if 1:\nx = (2)\ny = 3")
    should_show(page, "if 1:\n    x = (2)\n    y = 3", "the editor does not indent Python")


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
    host.faults["prism-code-editor/editor"] = status(404)
    visited = visit(f"{host.url}lab/")
    visited.page.get_by_text("Редактор не загрузился").wait_for()
    host.faults.clear()
    visited.page.get_by_role("button", name="Повторить").click()
    ready(visited.page)
    visited.forgive()


def test_the_page_does_not_scroll_sideways(page: Page) -> None:
    type_code(page, "x = '" + "очень длинная строка " * 20 + "'")
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        wide = page.evaluate("document.scrollingElement.scrollWidth")
        assert wide <= width, f"{wide} px of page in a window of {width}"
