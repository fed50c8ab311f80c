"""What is pasted into the laboratory becomes Python, and text stays text."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from figures.laboratory.hints import LOOKALIKES
from tests.browser.lab_page import note, should_show, type_code


def paste(page: Page, text: str) -> None:
    """From the clipboard, over what is selected."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.locator("textarea[name=code]").press("ControlOrMeta+v")


def test_pasted_signs_of_a_word_processor_become_those_of_python(lab: Page) -> None:
    paste(
        lab,
        "\ufeffx\u00a0= “слово — «да»” + ‘ещё’\nif x ≥ 2 × 3 − １：\n\u00a0\u00a0print(«ёж»)",
    )
    should_show(
        lab,
        'x = "слово — «да»" + \'ещё\'\nif x >= 2 * 3 - 1:\n  print("ёж")'.replace(
            "— «да»", "— «да»"
        ),
        "not what Python reads",
    )
    expect(note(lab)).to_contain_text("При вставке заменены знаки")
    expect(note(lab)).to_contain_text("× (U+00D7)")
    expect(note(lab)).to_contain_text("U+FEFF")
    lab.keyboard.press("ControlOrMeta+z")
    should_show(lab, "", "lab cannot be undone")
    type_code(lab, "y = 2")
    lab.locator("textarea[name=code]").evaluate("field => field.setSelectionRange(0, 0)")
    paste(lab, "x = 1 − 2\r\n")
    should_show(lab, "x = 1 - 2\ny = 2", "lines have run together")


def test_every_sign_that_has_a_hint_is_repaired_too(lab: Page) -> None:
    for code, (name, instead) in LOOKALIKES.items():
        repaired = lab.evaluate("sign => attn.lab.repaired('', `x ${sign} y`, '').text", chr(code))
        plain = " " if instead == "обычный пробел" else instead
        assert repaired == f"x {plain} y", f"U+{code:04X}, {name}: {repaired!r}"
    assert len(LOOKALIKES) > 100, "signs are missing"


TEXT = (
    "print('цена — 5\u00a0%, «ёлочки» “лапки” 2 × 2 − 1 …')  # тире — и «кавычки»\n"
    'note = """\nмногострочная — “строка”\n"""\n'
    "f'{1} — {2}'\n"
)


def test_strings_and_comments_are_pasted_as_they_are(lab: Page) -> None:
    paste(lab, TEXT)
    should_show(lab, TEXT, "text was changed")
    expect(note(lab)).to_be_empty()
    type_code(lab, "x = ''")
    lab.locator("textarea[name=code]").evaluate("field => field.setSelectionRange(5, 5)")
    paste(lab, "“лапки” — да")
    should_show(lab, "x = '“лапки” — да'", "text pasted into a string was changed")


SESSION = """    >>> import numpy as np
    >>> for i in range(2):
    ...     print(i)
    ...
    0
    1
    >>> np.arange(3) * 2
    array([0, 2, 4])
"""


def test_a_pasted_session_becomes_a_program(lab: Page) -> None:
    paste(lab, SESSION)
    program = "import numpy as np\nfor i in range(2):\n    print(i)\n\n# 0\n# 1\nnp.arange(3) * 2\n"
    should_show(lab, program + "# array([0, 2, 4])", "prompts or output are left")
    expect(note(lab)).to_contain_text("Приглашения >>> убраны")
    type_code(lab, '"""\n"""')
    lab.locator("textarea[name=code]").evaluate("field => field.setSelectionRange(4, 4)")
    paste(lab, SESSION)
    should_show(lab, f'"""\n{SESSION}"""', "an example in a docstring was changed")
