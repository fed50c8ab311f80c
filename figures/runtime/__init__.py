"""Makes the Python that runs in the reader's browser (`make runtime`).

    originals  published files, fetched and proved by their SHA-256
    parts      compiled modules and shared libraries, sorted into what starts need and what can wait
    snapshot   memory after the imports, taken in Chromium by the driver that later restores it
    manifest   everything written to docs/assets/runtime under hashed names, with origin and licence
    behaviour  the same battery of programs in stock Pyodide and in each way of starting

The scripts that load these parts are in docs/assets/js: http/assets.js (bytes by address),
integrity.js (hashes), client.js (the page's interface), supply.js (what workers are made of),
session.js (one worker and its watchdog), result.js (what a run may answer), and inside the worker
snapshot.js, driver.js, lockdown.js and worker.js. What the worker calls is figures/laboratory.
"""
