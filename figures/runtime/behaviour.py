"""Proves the made parts by behaviour: the same battery of code in stock Pyodide and in each start.

The snapshot cannot be made twice with the same bytes, so what it does is compared instead, in
Chromium and in Firefox. Cases are whole little programs; their output must be the same text.
"""

import json
import tempfile
from pathlib import Path

from figures.browsers.firefox import Firefox
from figures.runtime.bare_page import lay_out
from figures.runtime.workshop import chromium_page, workshop

HERE = Path(__file__).parent
WAYS = ("snapshot", "trimmed", "plain")


def cases() -> dict[str, str]:
    """Name → code; a case in battery.py is what stands under `# case: name`."""
    found: dict[str, str] = {}
    name = ""
    for line in (HERE / "battery.py").read_text("utf-8").splitlines():
        if line.startswith("# case: "):
            name = line.removeprefix("# case: ")
            found[name] = ""
        elif name:
            found[name] += line + "\n"
    return found


def same_as_stock(stock: Path) -> bool:
    """Run the battery everywhere, print what differs, and say whether nothing does."""
    battery = json.dumps(cases())
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        site = lay_out(Path(folder) / "site")
        folders = {"/stock/": stock, "/runtime/": HERE, "/site/": site}
        with workshop(folders) as place:
            for name, evaluate in (
                ("Chromium", lambda *call: _in_chromium(*call)),
                ("Firefox", lambda *call: _in_firefox(*call)),
            ):
                expected = evaluate(
                    f"{place.address}/runtime/stock.html", f"stockBattery({battery})"
                )
                for way in WAYS:
                    address = f"{place.address}/site/index.html"
                    got = evaluate(address, f"({_RUN})({battery}, '{way}')")
                    fine &= _compare(name, way, expected, got)
    return fine


_RUN = """async (battery, way) => {
  await attn.runtime.start({ ways: [way] });
  const outcomes = {};
  for (const [name, code] of Object.entries(battery)) {
    const { output, error } = await attn.runtime.run({ code });
    outcomes[name] = output + (error ? `${error.type}: ${error.message}` : '');
  }
  return outcomes;
}"""


def _in_chromium(address: str, expression: str) -> dict[str, str]:
    with chromium_page(address) as page:
        return page.evaluate(expression)


def _in_firefox(address: str, expression: str) -> dict[str, str]:
    with Firefox() as firefox:
        firefox.open(address)
        return firefox.evaluate(expression)


def _compare(browser: str, way: str, expected: dict[str, str], got: dict[str, str]) -> bool:
    different = [name for name in expected if got.get(name) != expected[name]]
    print(
        f"runtime: {browser}, {way}: {len(expected) - len(different)} of {len(expected)} "
        "cases as in stock Pyodide"
    )
    for name in different:
        print(f"  {name}\n    stock: {expected[name]!r}\n    {way}: {got.get(name)!r}")
    return not different
