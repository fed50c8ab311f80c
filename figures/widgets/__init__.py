"""Interactive figures: Python computes and formats, JavaScript paints.

A new widget is one module here, one painter in docs/assets/js/widgets/ and one Markdown line
`[[widget: name]]`. The module (kv_cache.py for the widget `kv-cache`) imports only attnlib, NumPy
and the helpers of this package, since the browser runs it too, and declares

    NAME = "kv-cache"            # data-widget, name of the painter, prefix in the address
    TITLE = "KV-кэш"             # what a reader sees above it
    CONTROLS = (                 # from figures.widgets.controls, in the order on the page
        Slider(name="n", label="токенов n", table=range(1, 9), default=4),
    )
    LISTED = ("h_kv", "d")       # optional: whose states are packed at build (default: every
                                 # control with a finite list of values); the rest stay at defaults
    SOURCES = (frame,)           # optional: functions whose source the reader can unfold
    @typeset                     # from figures.widgets.typography: no-break spaces, once for all
    def frame(state): …          # {control name: value} -> JSON-ready dict, pure
    def html(frame): …           # the figure of a frame, as HTML; made once, painted ever after

Rules for `frame`: every text that is shown is made here, through figures.widgets.formats; dicts may
be nested and have the same keys in every state; a table of numbers is `matrices.cells(…)`; the key
"raw" holds numbers at full precision for the tests and is left out of the packed file; the key
"readouts" is {readout name: text}, if there are readouts, and the core paints it; code that is
shown has the key "code", since no spaces of it are touched. A painter joins no texts: what is one
text on the page is one text of the frame. Numbers and code are `translate="no"`.

The painter is `attn.widgets.register('kv-cache', {paint(root, frame) {…}})`. It may use
`attn.matrix.paint(table, cells, …)`; the core does controls, address, status, announcements,
focus of cells, full screen and downloads for every widget alike (docs/assets/js/widgets/core.js).
"""
