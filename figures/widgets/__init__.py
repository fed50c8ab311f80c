"""Interactive figures: Python computes, formats and writes the HTML; the page keeps it up to date.

A new widget is one module here and one Markdown line `[[widget: name]]`. The module (kv_cache.py
for the widget `kv-cache`) imports only attnlib, NumPy and the helpers of this package, since the
browser runs it too, and declares

    NAME = "kv-cache"            # data-widget, prefix in the address
    TITLE = "KV-кэш"             # what a reader sees above it
    CONTROLS = (                 # from figures.widgets.controls, in the order on the page
        Slider(name="n", label="токенов n", table=range(1, 9), default=4),
    )
    LISTED = ("h_kv", "d")       # optional: whose states are packed at build (default: every
                                 # control with a finite list of values); the rest stay at defaults
    SOURCES = (frame,)           # optional: functions whose source the reader can unfold
    @typeset                     # from figures.shared.typography: no-break spaces, once for all
    def frame(state): …          # {control name: value} -> JSON-ready dict, pure
    def html(shown): …           # the figure of a frame, as HTML

`html` names what changes by its dotted path in the frame, and docs/assets/js/widgets/bind.js puts
the next frame there: a text by `markup.live(shown, "verdict")`, an attribute or a variable for
style sheets by `markup.bound(shown, {"data-own": "own", "--p": "share"})`, a part that comes and
goes by `markup.when`, a list by `markup.each`, a path of an SVG by `markup.drawn`, named numbers by
`markup.readouts`, a table of numbers by `matrices.table`. Controls, address, status, announcements,
pointing at cells, full screen and downloads are the same for every widget. What has to be drawn on
a canvas has a painter, `attn.widgets.painters.masks`; nothing else needs JavaScript.

Rules for `frame`: every text that is shown is made here, through figures.shared.formats, one text
of the page as one text of the frame; dicts may be nested and have the same keys in every state;
numbers of a table are `matrices.cells(…)`; a key "mask" holds a square of 1 (allowed) and 0; "raw"
holds numbers at full precision for the tests and is left out of the packed file; "readouts" is
{readout name: text}, "notes" has what stands below some of them; "$q" is the row that a part with
`data-pointed` shows until the reader points at another; "code" has code that is shown, since no
spaces of it are touched. Code written in `html` itself is marked `translate="no"`.
"""
