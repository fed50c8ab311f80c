"""Which browsers a run drives."""

from __future__ import annotations

from pathlib import Path

import pytest

from figures.browsers import find as browsers
from tests import conftest


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("chromium", "Chromium 1.2 ({})"),
        ("chromium-headless-shell", "Chromium 1.2 headless shell ({})"),
    ],
)
def test_a_run_says_what_it_drives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, shown: str
) -> None:
    path = tmp_path / file
    path.write_text("#!/bin/sh\necho Chromium 1.2\n", encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("CHROMIUM", str(path))
    assert conftest.pytest_report_header()[0] == f"browser: {shown.format(path)}"


def test_a_browser_that_is_not_there_is_no_error_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIREFOX", str(tmp_path / "none"))
    assert browsers.described(browsers.FIREFOX).startswith("firefox: none yet")
