"""Find the browsers that the tests drive, and install those that are missing.

`python -m figures.browsers.find` (part of `make test`) leaves both ready, or says in
one line what is missing and how to get it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Browser:
    """Where a browser may be: commands on PATH, usual places outside it, its Debian packages."""

    name: str
    commands: tuple[str, ...]
    places: tuple[str, ...]
    packages: tuple[str, ...]  # the first that can be had

    @property
    def variable(self) -> str:
        """Environment variable that names the executable by hand."""
        return self.name.upper()

    def find(self) -> str | None:
        """Path of an installed executable, the named one first."""
        named = os.environ.get(self.variable)
        if named:
            return named if Path(named).exists() else None
        on_path = (shutil.which(command) for command in self.commands)
        elsewhere = (place for place in self.places if Path(place).exists())
        return next((path for path in (*on_path, *elsewhere) if path), None) or self._playwright()

    def install(self) -> str | None:
        """Install Debian's package, else Playwright's build; the executable, or None."""
        if shutil.which("apt-get"):
            self._apt()
        if not self.find() and self.name == "chromium":
            subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
        return self.find()

    def _apt(self) -> None:
        root = [] if os.geteuid() == 0 else ["sudo", "-n"]
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        if root and not shutil.which("sudo"):
            return
        install = ["install", "--yes", "--no-install-recommends"]
        for command in (["update"], *([*install, package] for package in self.packages)):
            subprocess.run([*root, "apt-get", "-qq", *command], check=False, env=quiet)
            if self.find():
                return

    def _playwright(self) -> str | None:
        if self.name != "chromium":
            return None
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            path = playwright.chromium.executable_path
        return path if Path(path).exists() else None


CHROMIUM = Browser(
    "chromium",
    # The headless shell is the same engine without a window: half the processor time per page.
    (
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ),
    ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",),
    ("chromium-headless-shell", "chromium"),
)
FIREFOX = Browser(
    "firefox",
    ("firefox-esr", "firefox"),
    ("/Applications/Firefox.app/Contents/MacOS/firefox",),
    ("firefox-esr", "firefox"),
)


def described(browser: Browser) -> str:
    """What the tests will drive: `Chromium 140.0.1 (/usr/bin/chromium)`."""
    path = browser.find()
    if not path:
        return f"{browser.name}: none yet, installed when it is needed"
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    shell = " headless shell" if "headless" in Path(path).name else ""
    return f"{said.stdout.strip() or browser.name}{shell} ({path})"


def require(browser: Browser) -> str:
    """Executable of a browser; an installed one, else a fresh one, else a clear stop."""
    path = browser.find() or browser.install()
    if not path:
        raise SystemExit(
            f"tests need {browser.name}: install the package '{browser.packages[0]}' "
            f"or set {browser.variable}=/path/to/{browser.name}"
        )
    return path


if __name__ == "__main__":
    for wanted in (CHROMIUM, FIREFOX):
        print(f"{wanted.name}: {require(wanted)}")
