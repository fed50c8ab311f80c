"""`make runtime`: from published originals to the vendored parts, checked against stock Pyodide.

Needed only when Pyodide, NumPy, einops or the list of preloaded modules changes; building, serving
and testing the site use the parts in docs/assets/runtime as they are.
"""

import sys

from figures.runtime import behaviour, bytecode, manifest, packs, parts, snapshot
from figures.runtime.originals import CACHE, fetch_all


def main() -> None:
    stock = fetch_all()
    print("runtime: compiling modules in stock Pyodide")
    made = parts.make(stock)
    packed = CACHE / "packed"
    packed.mkdir(exist_ok=True)
    for name in snapshot.PARTS:
        (packed / name).write_bytes(packs.compress(made[name]))
    print("runtime: taking the memory snapshot in Chromium")
    made["snapshot"], report = snapshot.make(stock, packed)
    parts.keep_imported(made, set(report["modules"]))
    entries = manifest.write(made, stock)["parts"]
    for entry in entries:
        print(f"runtime: {entry['bytes']:>9,} bytes  {entry['file']}")
    print(f"runtime: {sum(entry['bytes'] for entry in entries):>9,} bytes in all")
    bytecode.main()
    if not behaviour.same_as_stock(stock):
        sys.exit("runtime: behaviour differs from stock Pyodide; do not commit these parts")


if __name__ == "__main__":
    main()
