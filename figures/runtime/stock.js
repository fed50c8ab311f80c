/* What the maintainers' tools ask of an untouched Pyodide. */
'use strict';

async function bytesOf(address) {
  return new Uint8Array(await (await fetch(address)).arrayBuffer());
}

async function stockPython() {
  const python = await loadPyodide({ indexURL: '/stock/' });
  await python.loadPackage('numpy');
  return python;
}

/** Compile every module of the three archives and upload the result as one zip each. */
async function compileModules(archives) {
  const python = await stockPython();
  python.FS.writeFile('/home/pyodide/compile_modules.py', await bytesOf('/runtime/compile_modules.py'));
  for (const { file, root, keepEmpty } of archives) {
    python.FS.writeFile('/tmp/archive', await bytesOf(`/stock/${file}`));
    python.globals.set('job', python.toPy({ root, keepEmpty }));
    python.runPython(`
import zipfile
from compile_modules import compile_archive
with zipfile.ZipFile("/tmp/compiled", "w") as out:
    for path, data in compile_archive("/tmp/archive", job["root"], job["keepEmpty"]).items():
        out.writestr(path, data)
`);
    await fetch(`/upload/${file}`, { method: 'POST', body: python.FS.readFile('/tmp/compiled') });
  }
}

/** Paths of the files behind everything that is imported once the given modules are. */
async function importedFiles(modules, einops) {
  const python = await stockPython();
  python.FS.writeFile('/tmp/einops.zip', await bytesOf(`/stock/${einops}`));
  const found = python.runPython(`
import sys
sys.path.append("/tmp/einops.zip")
import ${modules}
import json
json.dumps(sorted({module.__file__ for module in list(sys.modules.values())
                   if getattr(module, "__file__", None)}))
`);
  return JSON.parse(found);
}

/** What each little program prints; errors as the laboratory words them. */
async function stockBattery(battery) {
  const python = await stockPython();
  python.runPython(`
import contextlib, io
import numpy as np
def outcome(code):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            exec(compile(code, "<ячейка>", "exec"), {"__name__": "__main__", "np": np})
        except Exception as error:
            out.write(f"{type(error).__name__}: {error}")
    return out.getvalue()
`);
  const outcome = python.globals.get('outcome');
  return Object.fromEntries(Object.entries(battery).map(([name, code]) => [name, outcome(code)]));
}
