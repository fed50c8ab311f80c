"""KaTeX in V8 (mini-racer): TeX in, finished HTML with MathML out."""

from __future__ import annotations

import atexit
import json
import re
from dataclasses import dataclass
from functools import cache
from html import escape

from py_mini_racer import MiniRacer

from figures.pipeline.sources import ROOT

SCRIPT = ROOT / "docs" / "assets" / "katex" / "katex.min.js"

# KaTeX paints a command that it does not trust instead of failing: the colour gives it away.
_REFUSED = "#0bad0b"
_SETUP = f"""
const TRUSTED = ["\\\\htmlData", "\\\\htmlClass"];
function renderAll(formulas) {{
  return formulas.map(({{tex, display}}) => {{
    try {{
      return {{html: katex.renderToString(tex, {{
        displayMode: display,
        output: "htmlAndMathml",
        throwOnError: true,
        errorColor: "{_REFUSED}",
        trust: (context) => TRUSTED.includes(context.command),
        strict: (code) => code === "htmlExtension" ? "ignore" : "error",
      }})}};
    }} catch (error) {{
      return {{error: error.message}};
    }}
  }});
}}
"""
_ANNOTATION = re.compile(
    r'(<annotation encoding="application/x-tex">).*?(</annotation>)', re.DOTALL
)
_HTML_COMMAND = re.compile(r"\\html(?:Data|Class)\s*")


@dataclass(frozen=True)
class Formula:
    tex: str
    display: bool


class FormulaError(ValueError):
    """KaTeX's message about a formula, with the formula."""

    def __init__(self, message: str, tex: str) -> None:
        super().__init__(f"{message}\n  formula: {tex.strip()}")
        self.tex = tex


def render(formulas: list[Formula]) -> list[str]:
    """The HTML of each formula; the first that KaTeX refuses raises FormulaError."""
    request = json.dumps([{"tex": f.tex, "display": f.display} for f in formulas])
    answers = json.loads(_engine().eval(f"JSON.stringify(renderAll({request}))"))
    return [_checked(f, answer) for f, answer in zip(formulas, answers, strict=True)]


def plain_tex(tex: str) -> str:
    r"""Drops \htmlData{…}{body} and \htmlClass{…}{body} around their bodies."""
    while match := _HTML_COMMAND.search(tex):
        _, after = _group(tex, match.end())
        body, end = _group(tex, after)
        tex = tex[: match.start()] + body + tex[end:]
    return tex


@cache
def _engine() -> MiniRacer:
    engine = MiniRacer()
    atexit.register(engine.close)  # later its own thread would be waited for, and never end
    engine.eval(SCRIPT.read_text(encoding="utf-8"))
    engine.eval(_SETUP)
    return engine


def _checked(formula: Formula, answer: dict[str, str]) -> str:
    if "error" in answer:
        raise FormulaError(answer["error"], formula.tex)
    html = answer["html"]
    if _REFUSED in html:
        raise FormulaError("a command that is not trusted", formula.tex)
    tex = escape(plain_tex(formula.tex), quote=False)
    return _ANNOTATION.sub(lambda match: match[1] + tex + match[2], html)


def _group(tex: str, start: int) -> tuple[str, int]:
    """The text between the braces that open at `start`, and the position after them."""
    depth = 0
    position = start
    while position < len(tex):
        if tex[position] == "\\":
            position += 1
        elif tex[position] == "{":
            depth += 1
        elif tex[position] == "}":
            depth -= 1
            if depth == 0:
                return tex[start + 1 : position], position + 1
        position += 1
    raise FormulaError("unbalanced braces", tex)
