"""The content policy at work: what a stranger would have a page do is refused."""

from __future__ import annotations

from collections.abc import Callable

from tests.conftest import Visit


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
