"""Search in Russian, in a real browser: word forms, «ё» and «е», words typed half."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.conftest import Visit

LESSON = "lesson/multihead-masks/"
INPUT = "input.md-search__input"
RESULTS = ".md-search-result__link"


def _found(visit: Visit, query: str) -> list[str]:
    """Addresses of the results for a query, best first: those that come with the answer."""
    page = visit.page
    answer, answered = page.locator(".md-search-result__meta"), re.compile("Нашл|Ничего")
    page.fill(INPUT, "")
    expect(answer).not_to_contain_text(answered)
    page.fill(INPUT, query)  # as pasted: no key is pressed
    expect(answer).to_contain_text(answered)
    if "Ничего" not in answer.inner_text():
        expect(page.locator(RESULTS).first).to_be_attached()
    return [str(link.get_attribute("href")) for link in page.query_selector_all(RESULTS)]


@pytest.fixture
def home(visit: Callable[..., Visit]) -> Visit:
    opened = visit("")
    opened.page.click(INPUT)
    opened.page.wait_for_selector(".md-search-result__meta")
    return opened


@pytest.mark.parametrize(
    "forms",
    [
        ("голова", "головы", "голов", "головами", "ГОЛОВ"),
        ("маска", "маску", "масок", "масками"),
        ("плитка", "плиток", "плитками"),
        ("слой", "слоёв", "слоев", "слоями"),
        ("запрещённый", "запрещенный", "запрещённая", "запрещенными"),
        ("заполнитель", "заполнителя"),
        ("распределение", "распределений"),
    ],
)
def test_forms_of_a_word_find_the_lesson(home: Visit, forms: tuple[str, ...]) -> None:
    for form in forms:
        found = _found(home, form)
        assert any(LESSON in address for address in found), f"«{form}» finds {found}"


def test_a_word_typed_half_is_found(home: Visit) -> None:
    for part in ("многоголовос", "заполнит", "распределе"):
        assert any(LESSON in address for address in _found(home, part)), f"«{part}» finds nothing"


def test_several_words(home: Visit) -> None:
    for query in ("причинной маской", "причинная:маска"):
        found = _found(home, query)
        assert any("#causal-mask" in address for address in found), f"{query}: {found}"


@pytest.mark.parametrize("typed", ["маска:", "«маска»", "(маска)", "маска^", "-маска"])
def test_punctuation_is_no_query_language(home: Visit, typed: str) -> None:
    plain = _found(home, "маска")
    assert any(LESSON in address for address in plain), f"«маска» finds {plain}"
    assert _found(home, typed) == plain, f"{typed!r} finds other pages than its word"


def test_nonsense_finds_nothing_in_russian(home: Visit) -> None:
    assert _found(home, "абракадаброй") == []
    assert "Ничего не нашлось" in home.page.inner_text(".md-search-result__meta")
