"""The figures: texts, fonts, colours, size of letters, and that they show what attnlib gives."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import attnlib
from attnlib import masks, pitfalls
from figures.pipeline import drawing, sources, svg
from figures.style import cells, palette, sheets
from figures.style.oklch import contrast, luminance
from figures.vendor import fonts as web_fonts
from figures.widgets.formats import binary_size, fixed
from figures.widgets.models import MODELS

ROOT = Path(__file__).parents[2]
NAMES = [sources.name_of(script) for script in sources.scripts()]
PHONE_COLUMN = 358  # px: what a 390 px wide screen leaves to a figure
SMALLEST_LETTERS = 8.9  # px
TEXT = f"{{{svg.SVG}}}text"


@pytest.fixture(scope="module")
def drawn() -> dict[str, drawing.Drawing]:
    return {name: drawing._draw(sources.STATIC / f"fig_{name}.py") for name in NAMES}


def texts(figure: drawing.Drawing) -> list[str]:
    """The words and numbers of a figure, in the order of drawing."""
    return ["".join(element.itertext()).strip() for element in ET.fromstring(figure.svg).iter(TEXT)]


def table(values: np.ndarray, digits: int, allowed: np.ndarray, blocked: str) -> list[str]:
    return [
        fixed(value, digits) if may else blocked
        for value, may in zip(values.flat, allowed.flat, strict=True)
    ]


def has_run(found: list[str], expected: list[str]) -> bool:
    """Whether `expected` stands in `found` without a gap."""
    length = len(expected)
    return any(found[i : i + length] == expected for i in range(len(found) - length + 1))


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_russian_sentences(name: str, drawn: dict[str, drawing.Drawing]) -> None:
    figure = drawn[name]
    for key in ("title", "caption", "description"):
        text = getattr(figure, key)
        russian = len(re.findall(r"[а-яё]", text.lower()))
        assert russian > 8, f"{name}: {key} is not Russian: {text!r}"
        assert '"' not in text and " - " not in text, f"{name}: {key} is typed as on a typewriter"
    assert figure.caption.endswith("."), f"{name}: the caption is not a sentence"
    assert len(figure.description) > 120, f"{name}: the description does not describe the figure"
    assert not figure.title.endswith("."), f"{name}: a title has no full stop"


def test_gallery_shows_every_figure() -> None:
    gallery = (ROOT / "docs" / "figures" / "index.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\[\[figure: (\w+)\]\]$", gallery, re.M)
    assert sorted(shown) == NAMES, "the gallery and figures/static differ"


def test_drawing_is_the_same_in_another_process(
    tmp_path: Path, drawn: dict[str, drawing.Drawing]
) -> None:
    code = (
        "import sys; from figures.pipeline import drawing, sources\n"
        "for name in reversed(sys.argv[1:]):\n"
        "    print(name, hash('x'), file=sys.stderr)\n"
        "    open(name, 'w', encoding='utf-8').write("
        "drawing._draw(sources.STATIC / f'fig_{name}.py').svg)\n"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": "77",
        "TZ": "Asia/Tokyo",
    }
    run = [sys.executable, "-c", code, *NAMES]
    done = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in NAMES:
        again = (tmp_path / name).read_text(encoding="utf-8")
        assert again == drawn[name].svg, f"{name}: another process draws another SVG"


@pytest.mark.parametrize("name", NAMES)
def test_letters_are_in_the_font_of_the_site(name: str, drawn: dict[str, drawing.Drawing]) -> None:
    cut = (
        web_fonts.LATIN,
        web_fonts.PUNCTUATION,
        web_fonts.CYRILLIC,
        web_fonts.GREEK,
        web_fonts.SUPERSCRIPTS,
        web_fonts.ARROWS,
        web_fonts.OPERATORS,
        web_fonts.SIGNS,
        [0x2003],  # a space that every browser has
    )
    known = {chr(code) for part in cut for code in part}
    used = set("".join(texts(drawn[name])))
    assert used - known <= {"\n"}, f"{name}: letters that dejavu-sans.woff2 lacks: {used - known}"


def test_a_letter_that_no_font_has_stops_the_build() -> None:
    figure, axes = sheets.canvas(height=40)
    axes.text(10, 10, "\U0001f408")
    with pytest.raises(svg.FigureError, match="lacks a letter"):
        svg.render(figure, "cat")


def test_a_colour_outside_the_palette_stops_the_build() -> None:
    figure, axes = sheets.canvas(height=40)
    axes.plot([0, 10], [0, 10], color="#123456")
    with pytest.raises(svg.FigureError, match="#123456"):
        svg.render(figure, "colour")


@pytest.mark.parametrize("name", NAMES)
def test_every_letter_is_readable_on_a_phone(name: str, drawn: dict[str, drawing.Drawing]) -> None:
    root = ET.fromstring(drawn[name].svg)
    scale = PHONE_COLUMN / float(root.attrib["viewBox"].split()[2])
    for element in root.iter(TEXT):
        size = float(re.search(r"font(?:-size)?: ([\d.]+)px", element.attrib["style"])[1])
        letters = "".join(element.itertext())
        assert size * scale >= SMALLEST_LETTERS, (
            f"{name}: {letters!r} is {size * scale:.1f} px high on a phone"
        )


@pytest.mark.parametrize("name", NAMES)
def test_every_letter_follows_the_theme(name: str, drawn: dict[str, drawing.Drawing]) -> None:
    for element in ET.fromstring(drawn[name].svg).iter(TEXT):
        style = element.attrib["style"]
        assert "fill: var(--fig-" in style, f"{name}: {element.text!r} has no colour of the theme"


@pytest.mark.parametrize("theme", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
def test_text_is_readable_on_every_ground(theme: dict[str, str]) -> None:
    grounds = [name for name in theme if name.startswith(("weight-", "head-"))]
    pairs = [(palette.text_on(ground), ground) for ground in grounds]
    pairs += [(tone, "paper") for tone in ("ink", "muted", "wrong")] + [("ink", "forbidden")]
    for text, ground in pairs:
        ratio = contrast(theme[text], theme[ground])
        assert ratio >= 4.5, f"{text} on {ground}: {ratio:.2f}"


@pytest.mark.parametrize("theme", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
def test_grounds_differ_without_colour(theme: dict[str, str]) -> None:
    levels = [luminance(theme[f"weight-{i:02d}"]) for i in range(palette.LEVELS)]
    steps = np.diff(levels)
    assert (steps > 0).all() or (steps < 0).all(), "the scale of weights is not monotone in grey"
    heads = sorted(luminance(theme[f"head-{i}"]) for i in range(1, 5))
    for darker, lighter in pairwise(heads):
        ratio = (lighter + 0.05) / (darker + 0.05)
        assert ratio > 1.15, f"two heads look alike in grey: ratio {ratio:.2f}"


def test_stylesheet_is_the_palette() -> None:
    kept = palette.STYLESHEET.read_text(encoding="utf-8")
    assert kept == palette.css(), "run `python -m figures.style.palette`"


def test_forbidden_zero_and_small_weight_look_different() -> None:
    figure, axes = sheets.canvas(height=40)
    cells.forbidden_cell(axes, (0, 0), (20, 20))
    cells.cell(axes, (20, 0), (20, 20), fill=palette.weight_tone(0.0))
    cells.cell(axes, (40, 0), (20, 20), fill=palette.weight_tone(0.1))
    styles = re.findall(r"fill: (url\(#[^)]+\)|var\([^)]+\))", svg.render(figure, "three"))
    looks = [style for style in styles if style.startswith("url") or "weight" in style]
    assert len(set(looks)) == 3, f"three kinds of cells share a look: {looks}"


def test_split_heads_shows_the_heads(drawn: dict[str, drawing.Drawing]) -> None:
    x = np.arange(48).reshape(1, 4, 12)
    found = texts(drawn["split_heads"])
    for part in (x[0], *attnlib.split_heads(x, 3)[0]):
        assert has_run(found, [str(n) for n in part.flat]), f"no table with {part.flat[:4]}…"
    terms = set(re.findall(r'data-k="(\w+)"', drawn["split_heads"].svg))
    assert terms == {"split", "concat", "proj"}, "terms of the formula without a place"


def test_split_orders_shows_three_orders(drawn: dict[str, drawing.Drawing]) -> None:
    x = np.arange(12).reshape(1, 2, 6)
    found = texts(drawn["split_orders"])
    for split in (
        attnlib.split_heads,
        pitfalls.split_heads_d_h,
        pitfalls.split_heads_without_transpose,
    ):
        for block in split(x, 3)[0]:
            numbers = [str(n) for n in block.flat]
            assert has_run(found, numbers), f"{split.__name__}: no block {numbers}"


def lesson_rows() -> tuple[np.ndarray, np.ndarray]:
    """Scores and causal mask of the lesson's sentence, from the seed and the definition."""
    x = np.random.default_rng(4745612).standard_normal((768, 2, 6))[:64]
    return x[:, 0].T @ x[:, 1] / 8, masks.causal(6)


def test_causal_mask_shows_scores_and_weights(drawn: dict[str, drawing.Drawing]) -> None:
    scores, allowed = lesson_rows()
    weights = attnlib.softmax(scores, mask=allowed)
    found = texts(drawn["causal_mask"])
    assert has_run(found, table(scores, 2, allowed, "−∞")), "scores differ from attnlib's"
    assert has_run(found, table(weights, 2, allowed, "0")), "weights differ from attnlib's"
    terms = set(re.findall(r'data-k="(\w+)"', drawn["causal_mask"].svg))
    assert terms == {"allowed", "blocked"}, "terms of the formula without a place"


def test_why_not_zero_shows_three_rows(drawn: dict[str, drawing.Drawing]) -> None:
    scores, allowed = (part[1] for part in lesson_rows())
    found = texts(drawn["why_not_zero"])
    wrong = pitfalls.mask_by_zero_score(scores, allowed)
    late = pitfalls.mask_after_softmax(scores, allowed)
    for weights, fault in ((wrong, "украдено"), (late, "потеряно")):
        kept = weights[allowed].sum()
        note = f"разрешённым {fixed(kept, 2)}, {fault} {fixed(1 - kept, 2)}"
        assert note in found, f"no «{note}» in {found}"
    right = attnlib.softmax(scores, mask=allowed)
    pieces = ["<s>", fixed(right[0], 2), "кот", fixed(right[1], 2)]
    assert found[-4:] == pieces, f"the last bar shows {found[-4:]}, not {pieces}"


def test_tiles_are_counted_by_the_kernel(drawn: dict[str, drawing.Drawing]) -> None:
    found = texts(drawn["tiles"])
    for allowed in (masks.causal(64), masks.sliding_window(64, 20)):
        x = np.zeros((64, 1))
        blocks = {"block_q": 8, "block_k": 8}
        _, stats = attnlib.flash_attention(x, x, x, mask=allowed, return_stats=True, **blocks)
        counts = ("пропущено", stats.skipped, "с маской", stats.partial, "целиком", stats.full)
        assert has_run(found, [str(part) for part in counts]), f"no legend {counts}"
        computed = f"посчитано {stats.partial + stats.full} плиток из 64"
        assert computed in found, f"no «{computed}»"


def test_four_masks_count_their_cells(drawn: dict[str, drawing.Drawing]) -> None:
    pattern = np.eye(4, dtype=bool)
    pattern[:, 0] = True
    padded = np.broadcast_to(masks.padding([8], 12)[0, 0], (12, 12))
    four = (
        masks.causal(12),
        padded,
        masks.sliding_window(12, 4),
        masks.block_sparse(12, 3, pattern),
    )
    counts = [text for text in texts(drawn["four_masks"]) if text.startswith("разрешено")]
    assert counts == [f"разрешено {mask.sum()} из 144" for mask in four]


def test_padding_shows_equal_and_different_outputs(drawn: dict[str, drawing.Drawing]) -> None:
    q, k, v = np.random.default_rng(7).standard_normal((3, 1, 1, 5, 2))
    alone = attnlib.attention(q[..., :3, :], k[..., :3, :], v[..., :3, :])
    forgotten = pitfalls.attention_forgetting_padding(q, k, v)[..., :3, :]
    masked = attnlib.attention(q, k, v, mask=masks.padding([3], 5))[..., :3, :]
    found = texts(drawn["padding"])
    everywhere = np.ones((3, 2), bool)
    for out in (alone, forgotten, masked):
        assert has_run(found, table(out[0, 0], 2, everywhere, "")), f"no output {out[0, 0]}"
        if out is not alone:
            note = f"отличие от одиночного {fixed(np.abs(out - alone).max(), 2)}"
            assert note in found, f"no «{note}»"


def test_kv_cache_shows_the_library_s_bytes(drawn: dict[str, drawing.Drawing]) -> None:
    found = texts(drawn["kv_cache"])
    for model in MODELS:
        length = min(model.context, model.window or model.context)
        shape = (model.layers, model.kv_heads, model.head_dim, length)
        own = binary_size(attnlib.cost.kv_cache_bytes(*shape))
        assert own in found, f"{model.name}: no «{own}»"
        ratio = model.heads // model.kv_heads
        assert ratio == 1 or f"×{ratio}" in found, f"{model.name}: no ×{ratio}"


def test_cosine_noise_marks_the_lesson_s_sizes(drawn: dict[str, drawing.Drawing]) -> None:
    found = " ".join(texts(drawn["cosine_noise"]))
    for d in (8, 64, 768):
        noise = fixed(attnlib.measures.cosine_noise(d), 3)
        assert noise in found, f"no {noise} for d = {d}"


def test_time_curve_is_the_bench_record(drawn: dict[str, drawing.Drawing]) -> None:
    record = json.loads((sources.STATIC / "bench_record.json").read_text(encoding="utf-8"))
    gain = fixed(1 / record["attention"][-1]["ratio_full"], 1)
    figure = drawn["time_curve"]
    assert f"в {gain} раза" in texts(figure), "the figure quotes another ratio"
    for part in (record["machine"], f"в {gain} раза"):
        assert part in figure.caption, f"the caption does not say «{part}»"
    assert all(str(row["n"]) in texts(figure) for row in record["attention"]), "a length is missing"


def test_draw_returns_a_figure_without_pyplot() -> None:
    module = drawing._execute(sources.STATIC / "fig_kv_sharing.py")
    assert isinstance(module.draw(), Figure), "draw() does not return a Figure"
