"""What a newcomer meets first: the card of a shared link, the home page, the laboratory."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from PIL import Image

from figures.pipeline import lab_examples


def _og(page: BeautifulSoup, name: str) -> str:
    found = page.select_one(f'meta[property="og:{name}"]')
    assert found, f"og:{name} is missing"
    return str(found["content"])


def test_every_page_has_a_card(site: Path, pages: dict[str, BeautifulSoup]) -> None:
    for path, page in pages.items():
        if path == "404.html":
            continue
        assert re.search("[а-яё]", _og(page, "title")), f"{path}: {_og(page, 'title')!r}"
        assert re.search("[а-яё]", _og(page, "description")), f"{path}: no Russian description"
        address = urlsplit(_og(page, "image"))
        assert address.scheme and address.netloc, f"{path}: the picture's address is not absolute"
        assert (site / address.path.lstrip("/")).is_file(), f"{path}: {address.path} is missing"
        assert _og(page, "url").endswith(path.removesuffix("index.html")), f"{path}: wrong address"


def test_the_card_is_a_picture_of_the_weights(site: Path) -> None:
    from figures.style.palette import LIGHT

    with Image.open(site / "assets/images/card.png") as card:
        assert card.size == (1200, 630), f"the card is {card.size}"
        shown = {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b) in card.convert("RGB").getcolors(10**6)}
    for tone in ("weight-20", "hatch", "paper"):
        assert LIGHT[tone] in shown, f"the card lacks the colour of {tone}"


def test_the_home_page_shows_a_figure(pages: dict[str, BeautifulSoup]) -> None:
    home = pages["index.html"]
    assert home.select_one(".home .home-text a.md-button"), "no way into the lesson"
    assert home.select_one(".home > figure.fig svg[aria-label]"), "no figure beside the text"


def test_the_laboratory_is_offered_after_the_output(lesson: BeautifulSoup) -> None:
    links = lesson.select("article .lab-open")
    wanted = sum(example.group == "Урок" for example in lab_examples.examples())
    assert len(links) == wanted > 0, f"{len(links)} links for {wanted} runnable blocks"
    for link in links:
        after = link.find_next_sibling()
        assert after is None or "output" not in after.get("class", []), (
            f"the link stands between code and output: {link.a['href']}"
        )
