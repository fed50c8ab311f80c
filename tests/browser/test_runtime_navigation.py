"""A walk through the site: one Python, one request per step, and each page comes to life again."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.any_widget import READY_MS
from tests.browser.pages import LAB, LESSON
from tests.browser.runtime_calls import NUMBER, number, start

COUNT_WORKERS = """
window.pythonWorkers = 0;
const make = URL.createObjectURL;
URL.createObjectURL = (blob) => {
  if (blob.type === 'text/javascript' && blob.size > 1e6) pythonWorkers += 1;
  return make(blob);
};
"""
COUNT_QUESTIONS = """() => {
  window.questions = 0;
  const ask = attn.runtime.ask;
  attn.runtime.ask = (question) => { window.questions += 1; return ask(question); };
}"""
FORMULAS = """() => {
  const article = document.querySelector('article');
  const words = article.cloneNode(true);
  words.querySelectorAll('code, .katex').forEach((element) => element.remove());
  return {
    formulas: article.querySelectorAll('.katex-html').length,
    mathml: article.querySelectorAll('.katex-mathml').length,
    errors: article.querySelectorAll('.katex-error, .katex em').length,
    raw: words.textContent.match(/\\$|\\\\[([]/g),
  };
}"""


def test_lesson_laboratory_back_and_forward_five_times(visit, server):
    made = visit("about:blank", service_workers="block")  # which fetches pages for itself
    page = made.page
    made.context.add_init_script(COUNT_WORKERS)
    page.goto(server.url + LESSON)
    formulas = page.evaluate(FORMULAS)
    assert formulas["formulas"] > 50 and not formulas["errors"] and not formulas["raw"], formulas
    page.goto(server.url)
    page.evaluate("window.sameDocument = true")
    server.forget()
    page.locator(f'article a[href*="{LESSON}"]').first.click()
    page.wait_for_url(f"**/{LESSON}*")
    check_lesson(page, formulas, "after in-site navigation")
    assert start(page)["state"] == "ready", "the runtime did not start on the lesson page"
    page.locator(f'.md-tabs a[href$="{LAB}"], .md-nav a[href$="{LAB}"]').first.click()
    page.wait_for_url(f"**/{LAB}")
    for _ in range(5):
        page.go_back()
        page.wait_for_url(f"**/{LESSON}*")
        page.go_forward()
        page.wait_for_url(f"**/{LAB}")
    expect(page.locator("[data-lab]")).to_have_count(1)  # the address changes before the page
    assert number(page) == NUMBER, "wrong number after navigation"
    page.go_back()
    page.wait_for_url(f"**/{LESSON}*")
    check_lesson(page, formulas, "after going back")

    roots = page.locator("section[data-widget]")
    assert roots.count() >= 5, "the lesson has lost its widgets"
    page.evaluate(COUNT_QUESTIONS)
    for touched, root in enumerate(roots.all(), 1):
        control = root.locator("fieldset :is(input, select):enabled").first
        is_check = control.get_attribute("type") == "checkbox"
        control.press("Space" if is_check else "ArrowRight")
        expect(root).to_have_attribute("data-source", "python", timeout=READY_MS)
        expect(root.locator("[data-status]")).to_have_text(re.compile("^считает NumPy"))
        asked = page.evaluate("questions")
        assert asked == touched, f"{asked} questions in {touched} touches: a lost page asks too"

    assert page.evaluate("window.sameDocument"), "navigation loaded whole documents"
    # One for the run of code, one in its place afterwards.
    assert page.evaluate("pythonWorkers") == 2, "a change of page started another worker"
    parts = [path for path in server.requests if path.endswith(".bin")]
    assert parts and len(parts) == len(set(parts)), f"parts were fetched again: {parts}"
    steps = 13
    pages = [path for path in server.requests if path.endswith((LESSON, LAB))]
    assert len(pages) <= steps, f"{len(pages)} pages fetched in {steps} steps"


def check_lesson(page, formulas, when):
    """The lesson is there as on a load of its own: its formulas, controls that are enabled."""
    expect(page.locator("article .katex-html")).to_have_count(formulas["formulas"])
    assert page.evaluate(FORMULAS) == formulas, f"formulas {when} are others"
    expect(page.locator("section[data-widget] fieldset:disabled")).to_have_count(0)
