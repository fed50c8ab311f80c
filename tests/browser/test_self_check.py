"""«Проверьте себя» as a reader meets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from figures.questions.model import Choice, Number
from figures.questions.multihead_masks import questions
from tests.browser.pages import settled

Open = Callable[..., Any]

LESSON = "lesson/multihead-masks/"
CHOICES = [question for question in questions() if isinstance(question, Choice)]
NUMBERS = [question for question in questions() if isinstance(question, Number)]
PARTS = "[data-self-check] [data-question]"


@pytest.fixture(scope="module")
def kept(stay: Open) -> Page:
    return ready(stay(LESSON, service_workers="block").page)


@pytest.fixture
def page(kept: Page) -> Page:
    """The questions, none of them answered: one page for all tests."""
    kept.locator(".self-check__again").evaluate("button => button.click()")  # hidden if none is
    expect(kept.locator(".self-check__score")).to_contain_text("Отвечено: 0")
    return kept


def ready(page: Page) -> Page:
    expect(page.locator(f"{PARTS} form")).to_have_count(len(questions()))
    return page


def item(page: Page, name: str) -> Locator:
    return page.locator(f'[data-question="{name}"]')


def check(question: Locator) -> None:
    question.get_by_role("button", name="Проверить").click()


def verdict(question: Locator) -> Locator:
    return question.get_by_role("status")


def explanation(question: Locator, index: int) -> str:
    text = question.locator("[data-why] dd").nth(index).text_content()
    assert text, "an explanation is empty"
    return text


def test_every_option_explains_itself(page: Page) -> None:
    for asked in CHOICES:
        question = item(page, asked.name)
        for index, option in enumerate(asked.options):
            question.get_by_role("radio").nth(index).check()
            check(question)
            word = "Верно." if option.correct else "Неверно."
            expect(verdict(question)).to_have_text(f"{word} {explanation(question, index)}")


def test_every_usual_mistake_explains_itself(page: Page) -> None:
    for asked in NUMBERS:
        question = item(page, asked.name)
        given = [asked.value, *(mistake.value for mistake in asked.mistakes), asked.value + 30]
        for index, value in enumerate(given):
            question.get_by_role("textbox").fill(str(float(value)))
            check(question)
            word = "Неверно." if index else "Верно."
            expect(verdict(question)).to_have_text(f"{word} {explanation(question, index)}")


def test_numbers_may_be_typed_as_people_type_them(page: Page) -> None:
    question = item(page, "used-share")
    for typed in ("53,125", " 53.1 % ", "53,13"):
        question.get_by_role("textbox").fill(typed)
        check(question)
        expect(verdict(question), f"«{typed}» is the right answer").to_contain_text("Верно.")
    for typed in ("", "половина", "1e999x"):
        question.get_by_role("textbox").fill(typed)
        check(question)
        expect(verdict(question), f"«{typed}» is no number").to_contain_text("Введите число")


def test_score_counts_first_attempts_and_survives_a_reload(page: Page) -> None:
    score = page.locator(".self-check__score")
    check(item(page, "pattern"))
    expect(verdict(item(page, "pattern"))).to_have_text("Сначала выберите ответ.")
    expect(score, "nothing was chosen, so nothing is counted").to_contain_text("Отвечено: 0")
    answer_right_after_wrong(page)
    expect(score).to_have_text("Верно с первой попытки: 1 из\u00a010. Отвечено: 2.")
    page.reload()
    ready(page)
    expect(score, "the score is kept").to_contain_text("попытки: 1 из")
    expect(verdict(item(page, "more-heads")), "the verdict is kept").to_contain_text("Верно.")
    page.get_by_role("button", name="Начать заново").click()
    expect(score).to_contain_text("Отвечено: 0")
    expect(verdict(item(page, "more-heads"))).to_be_empty()
    page.reload()
    ready(page)
    expect(score, "the old answers came back").to_contain_text("Отвечено: 0")


def answer_right_after_wrong(page: Page) -> None:
    for name, options in (("pattern", (1, 0)), ("more-heads", (1,))):
        for option in options:
            item(page, name).get_by_role("radio").nth(option).check()
            check(item(page, name))


def test_keyboard_alone(page: Page) -> None:
    question = item(page, "more-heads")
    question.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    expect(question.get_by_role("radio").nth(1)).to_be_checked()
    expect(verdict(question), "moving through the options is no answer yet").to_be_empty()
    page.keyboard.press("Enter")
    expect(verdict(question)).to_contain_text("Верно.")
    page.keyboard.press("Tab")
    expect(question.get_by_role("button", name="Проверить")).to_be_focused()
    page.keyboard.press("Tab")
    expect(question.locator("summary"), "the explanation is next").to_be_focused()
    page.keyboard.press("Enter")
    expect(question.locator("details")).to_have_attribute("open", "")


def test_hotkeys_of_the_theme_stay_out(page: Page) -> None:
    question = item(page, "more-heads")
    address = page.url
    for place in (question.get_by_role("radio").first, question.get_by_role("button")):
        place.focus()
        for key in ("s", "f", "/", "n", ".", "p", ","):
            page.keyboard.press(key)
        settled(page)
        expect(place, "a hotkey took the focus away").to_be_focused()
    assert page.url == address, "a hotkey opened another page"


def test_without_javascript_the_answers_unfold(visit: Open) -> None:
    page = visit(LESSON, java_script_enabled=False).page
    assert page.locator(f"{PARTS} :is(input, button)").count() == 0, "a dead control"
    question = item(page, "cache-size")
    expect(question.locator("[data-options] li")).to_have_count(4)
    expect(question.locator("dd").first).to_be_hidden()
    question.locator("summary").click()
    expect(question.locator("[data-right]")).to_contain_text("1\u00a0ГиБ — верно")


def test_refused_storage_does_not_matter(visit: Open) -> None:
    visited = visit("404.html")
    visited.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('refused'); }})"
    )
    page = visited.page
    page.goto(LESSON)
    ready(page)
    answer_right_after_wrong(page)
    expect(page.locator(".self-check__score")).to_contain_text("Отвечено: 2")
    assert set(visited.problems) <= {"refused"}, f"more than the refusal: {visited.problems}"
    visited.forgive()  # the theme keeps its palette, and says that it could not


def test_coming_back_by_in_site_navigation(page: Page) -> None:
    answer_right_after_wrong(page)
    page.get_by_role("link", name="Рисунки").first.click()
    expect(page.locator("[data-self-check]")).to_have_count(0)
    page.go_back()
    ready(page)
    expect(page.locator(".self-check__score")).to_have_count(1)
    assert page.evaluate("document.documentElement.dataset.runtime") == "idle", (
        "a self-check needs no Python"
    )
    expect(page.locator(".self-check__score")).to_contain_text("Отвечено: 2")
