"""The table of known faults (1 to 16) inside the browser: the same rows, the same slow judge."""

from __future__ import annotations

import ast
import json
from pathlib import Path

from figures.browsers.server import StaticServer
from figures.runtime.bare_page import ROOT, lay_out
from tests.browser.runtime_calls import run
from tests.unit import table

TABLE = {
    f"tests/unit/{name}": (ROOT / "tests" / "unit" / name).read_bytes()
    for name in ("cases.py", "facts.py", "limits.py", "reference.py", "rejections.py", "table.py")
}


def test_every_row_holds_in_the_browser(tmp_path: Path, open_bare) -> None:
    with StaticServer(lay_out(tmp_path / "site", TABLE)) as server:
        page = open_bare(server.url)
        answer = run(page, "import json\nfrom tests.unit import table\njson.dumps(table.report())")
    assert answer["ok"], answer["error"]
    report = json.loads(ast.literal_eval(answer["value"]["repr"]))
    assert report["numpy"] == "2.0.2", f"the browser has NumPy {report['numpy']}"
    assert not report["failed"], f"rows that fail in the browser: {report['failed']}"
    assert report["passed"] == len(list(table.rows())), "rows were lost on the way to the browser"
