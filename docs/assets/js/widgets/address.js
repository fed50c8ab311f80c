/* State of the widgets in the query string: `?attention.d=64`. Everything else in the address stays. */
(function () {
  'use strict';

  const { widgets } = attn;

  /** All that the address says of a widget, by the names of its controls. @param {string} widget @returns {Map<string, string>} */
  function read(widget) {
    const prefix = `${widget}.`;
    const texts = new Map();
    for (const [key, text] of new URLSearchParams(location.search)) {
      const control = key.slice(prefix.length);
      if (key.startsWith(prefix) && !texts.has(control)) texts.set(control, text);
    }
    return texts;
  }

  /** @param {string} widget @param {Map<string, string | null>} texts null for a default */
  function write(widget, texts) {
    const address = new URL(location.href);
    for (const control of read(widget).keys()) {
      if ((texts.get(control) ?? null) === null) address.searchParams.delete(`${widget}.${control}`);
    }
    for (const [control, text] of texts) {
      if (text !== null) address.searchParams.set(`${widget}.${control}`, text);
    }
    if (address.href !== location.href) history.replaceState(history.state, '', address);
  }

  widgets.address = { read, write };
})();
