"""The laboratory as a reader finds it, before any Python."""

from __future__ import annotations

import base64
import zlib
from typing import Any

from playwright.sync_api import Page, expect

from figures.pipeline import lab_examples

EXAMPLES = {example.name: example for example in lab_examples.examples()}


def ready(page: Page) -> Page:
    expect(page.locator("textarea[name=code]")).to_have_count(1)
    return page


def should_show(page: Page, code: str, because: str) -> None:
    expect(page.locator("textarea[name=code]"), because).to_have_value(code)


def note(page: Page) -> Any:
    return page.locator(".lab-note")


def type_code(page: Page, text: str) -> None:
    page.locator("textarea[name=code]").fill(text)


def packed(text: str) -> str:
    squeezed = zlib.compressobj(wbits=-15)
    data = squeezed.compress(text.encode()) + squeezed.flush()
    return "code=z." + base64.urlsafe_b64encode(data).decode().rstrip("=")
