"""The content policy: complete on every page, without a violation, and effective."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect

from figures.pipeline.content_policy import script_hashes
from tests.conftest import Visit, until

PAGES = ["", "lesson/multihead-masks/", "figures/", "figures/causal_mask/", "lab/", "contributing/"]


def test_every_page_has_the_same_policy_first(site: Path, pages: dict[str, BeautifulSoup]) -> None:
    policies = set()
    for path, page in pages.items():
        metas = page.select('meta[http-equiv="Content-Security-Policy"]')
        assert len(metas) == 1, f"{path} has {len(metas)} policies"
        policies.add(metas[0]["content"])
        text = (site / path).read_text(encoding="utf-8")
        assert text.index("Content-Security-Policy") < text.index("<script"), (
            f"{path}: a script stands before the policy"
        )
    assert len(policies) == 1, "pages differ in their policy, so in-site navigation breaks it"


def test_policy_is_narrow_and_covers_inline_scripts(
    site: Path, pages: dict[str, BeautifulSoup]
) -> None:
    for path, page in pages.items():
        policy = str(page.select_one('meta[http-equiv="Content-Security-Policy"]')["content"])
        rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split("; ")}
        assert rules["default-src"] == ["'self'"]
        assert rules["connect-src"] == ["'self'"]
        assert rules["object-src"] == rules["base-uri"] == rules["form-action"] == ["'none'"]
        assert not {"'unsafe-eval'", "'unsafe-inline'", "blob:", "*"} & set(rules["script-src"])
        missing = script_hashes((site / path).read_text(encoding="utf-8")) - {
            source.strip("'") for source in rules["script-src"]
        }
        assert not missing, f"{path}: inline scripts that the policy refuses"


def test_no_inline_handlers(pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        elements = page.find_all(True)
        assert len(elements) > 20, f"{path}: {len(elements)} elements are looked at"
        handlers = [
            (element.name, name)
            for element in elements
            for name in element.attrs
            if re.fullmatch(r"on[a-z]+", name)
        ]
        assert not handlers, f"{path}: {handlers}"
        assert not page.select('a[href^="javascript:"]'), f"{path}: a link that is a script"


@pytest.mark.parametrize("path", PAGES)
def test_pages_open_without_a_violation(visit: Callable[..., Visit], path: str) -> None:
    opened = visit(path)
    until(opened.page.evaluate, "typeof document$ !== 'undefined'")
    opened.page.evaluate("new Promise((done) => requestIdleCallback(done))")
    assert opened.page.locator("h1").count() == 1, f"{path} is not the page that was meant"


def test_in_site_navigation_keeps_the_page_alive(visit: Callable[..., Visit]) -> None:
    opened = visit("")
    opened.page.evaluate("window.stillHere = true")
    for name in ("Урок", "Рисунки", "Урок"):
        opened.page.click(f".md-tabs__link:has-text('{name}')")
        expect(opened.page.locator(".md-tabs__item--active")).to_contain_text(name)
    assert opened.page.evaluate("window.stillHere") is True, "the page was loaded anew"
    assert opened.page.locator(".katex").count() > 20, "formulas got lost on the way"
    assert opened.page.locator(".katex-error").count() == 0


def test_other_hosts_are_out_of_reach(visit: Callable[..., Visit]) -> None:
    opened = visit("")
    answer = opened.page.evaluate(
        "fetch('http://127.0.0.1:1/').then(() => 'answered', error => error.message)"
    )
    assert "Failed to fetch" in answer
    evaluated = opened.page.evaluate(
        """() => {
          const script = document.createElement('script');
          script.textContent = 'window.broken = true';
          document.body.append(script);
          return window.broken === true;
        }"""
    )
    assert not evaluated, "an inline script of a stranger would run"
    refused = [text for text in opened.problems if "Content Security Policy" in text]
    assert len(refused) >= 2, f"the policy did not refuse: {opened.problems}"
    opened.problems.clear()
