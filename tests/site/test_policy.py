"""The content policy: complete on every page."""

from __future__ import annotations

import re
from pathlib import Path

from bs4 import BeautifulSoup

from figures.pipeline.content_policy import script_hashes


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
