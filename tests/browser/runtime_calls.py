"""What the runtime tests say to `attn.runtime`, and the number they expect from it."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from figures.widgets import attention
from figures.widgets.controls import defaults

# softmax([1000, 1001]) by attnlib: wrong as soon as memory, NumPy or attnlib is not right.
NUMBER_CODE = "float(attnlib.softmax(np.array([1000.0, 1001.0]))[0])"
NUMBER = "0.2689414213699951"


STATE = defaults(attention.CONTROLS)


def start(page: Page, *ways: str) -> dict[str, Any]:
    """Start and tell how it went: state, way, reason, error, seconds since the call."""
    options = f"{{ ways: {list(ways)} }}" if ways else ""
    return page.evaluate(
        f"""async () => {{
          const began = performance.now();
          let error = null;
          await attn.runtime.start({options}).catch((failure) => {{ error = failure.message; }});
          const {{ state, path, reason }} = attn.runtime;
          const shown = {{ ...document.documentElement.dataset }};
          const seconds = (performance.now() - began) / 1000;
          return {{ state, path, reason, error, shown, seconds }};
        }}"""
    )


def run(page: Page, code: str) -> dict[str, Any]:
    """The laboratory's answer to code, and the text that came while it ran."""
    return page.evaluate(
        """async (code) => {
          let streamed = '';
          const onOutput = (text) => { streamed += text; };
          const onRestart = () => { streamed = ''; };
          const result = await attn.runtime.run({ code, onOutput, onRestart });
          return { ...result, streamed };
        }""",
        code,
    )


def in_worker(code: str) -> str:
    """A script for the page that puts code before the text of every worker it makes."""
    return f"""
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => make(new Blob([{json.dumps(code)}, blob]));
    """


def number(page: Page) -> str:
    """The number that shows whether Python computes rightly."""
    value = run(page, NUMBER_CODE)["value"]
    return value["repr"] if value else "no value"


def is_russian(text: str | None) -> bool:
    return bool(text) and any("а" <= letter <= "я" for letter in text.lower())
