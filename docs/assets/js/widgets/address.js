/* State of the widgets in the query string: `?attention.d=64`. Everything else in the address stays. */
(function () {
  'use strict';

  const widgets = ((self.attn ??= {}).widgets ??= {});

  /** @param {string} widget @returns {(control: string) => string | null} */
  function read(widget) {
    const query = new URLSearchParams(location.search);
    return (control) => query.get(`${widget}.${control}`);
  }

  /** @param {string} widget @param {Map<string, string | null>} texts null for a default */
  function write(widget, texts) {
    const address = new URL(location.href);
    for (const [control, text] of texts) {
      if (text === null) address.searchParams.delete(`${widget}.${control}`);
      else address.searchParams.set(`${widget}.${control}`, text);
    }
    if (address.href !== location.href) history.replaceState(history.state, '', address);
  }

  widgets.address = { read, write };
})();
