"""The build's own steps for both offline editions, on small folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mkdocs.exceptions import PluginError

from figures.pipeline import offline_edition, offline_files, offline_release


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


PAGE = '<head></head><script src="../assets/js/x.js"></script><a href="../assets/js/none.js">'
STYLE = "a { src: url(../fonts/f.woff2) } b { background: url(data:image/png,x) }"


def small_site(folder: Path) -> Path:
    files = {
        "lesson/index.html": PAGE,
        "index.html": '<head></head><i data-script="assets/js/y.js">',
        "assets/js/x.js": "1",
        "assets/js/y.js": "2",
        "assets/css/s.css": STYLE,
        "assets/fonts/f.woff2": "font",
    }
    return write(folder, files)


def test_addresses_carry_the_hash_of_the_content(tmp_path: Path) -> None:
    root = small_site(tmp_path)
    pages = {path: path.read_text("utf-8") for path in root.rglob("*.html")}
    offline_release.stamp(root, pages)
    x, y = (offline_release.short_hash(root / f"assets/js/{name}.js") for name in "xy")
    page, home = pages[root / "lesson/index.html"], pages[root / "index.html"]
    assert f'src="../assets/js/x.js?{x}"' in page, "a script's address does not tell its content"
    assert 'href="../assets/js/none.js"' in page, "an address of no file got a hash"
    assert f'data-script="assets/js/y.js?{y}"' in home, "an address in data lacks a hash"
    font = offline_release.short_hash(root / "assets/fonts/f.woff2")
    style = (root / "assets/css/s.css").read_text("utf-8")
    assert f"url(../fonts/f.woff2?{font})" in style, "a font's address does not tell its content"
    assert "url(data:image/png,x)" in style, "a data address was changed"


@pytest.mark.parametrize("changed", ["index.html", "assets/js/x.js", "assets/fonts/f.woff2"])
def test_release_changes_with_any_file(tmp_path: Path, changed: str) -> None:
    before = offline_release.release_id(small_site(tmp_path / "a"))
    assert before == offline_release.release_id(small_site(tmp_path / "b")), "equal sites differ"
    write(tmp_path / "b", {changed: "new"})
    assert before != offline_release.release_id(tmp_path / "b"), f"{changed} is not counted"


def test_only_what_a_reader_sees_is_cached(site: Path) -> None:
    shown = {file.relative_to(site).as_posix() for file in offline_files.shown(site)}
    for path in ("index.html", "search/search_index.json", "lab/index.html"):
        assert path in shown, f"{path} is missing without a network"
    wrong = [path for path in shown if path.startswith(offline_files.RUNTIME)]
    assert not wrong, "Python would be fetched by readers who did not ask for it"
    wrong = [path for path in shown if path.endswith((".map", ".zip")) or "lunr.ar" in path]
    assert not wrong, "readers would fetch what no page shows"


def test_addresses_of_the_installed_site_are_relative(site: Path) -> None:
    manifest = json.loads((site / "manifest.webmanifest").read_text("utf-8"))
    icons = manifest.pop("icons")
    for key in ("id", "start_url", "scope"):
        assert manifest[key] == "./", f"{key} binds the site to one place"
    for icon in icons:
        assert (site / icon["src"]).is_file(), f"no icon {icon['src']}"


def test_links_of_the_archive_name_files(tmp_path: Path) -> None:
    files = {"index.html": "", "lesson/masks.html": "", "figures/index.html": ""}
    root = write(tmp_path, files)
    text = '<a href="../lesson/masks/#heads"> <a href=".."> <a href="../figures/"> <a href="#x">'
    named = offline_edition.name_files(text, root / "lesson" / "masks.html", root)
    wanted = '<a href="../lesson/masks.html#heads"> <a href="../index.html">'
    assert named == f'{wanted} <a href="../figures/index.html"> <a href="#x">', "a link is wrong"
    with pytest.raises(PluginError, match=r"masks\.html: no file for the link '\.\./nowhere/'"):
        offline_edition.name_files('<a href="../nowhere/">', root / "lesson" / "masks.html", root)
