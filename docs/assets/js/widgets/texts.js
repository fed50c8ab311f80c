/* Texts of a frame in the places that Python has marked with their dotted path. */
(function () {
  'use strict';

  const attn = (self.attn ??= {});
  const widgets = (attn.widgets ??= {});

  /** @param {HTMLElement} root @param {any} frame */
  function texts(root, frame) {
    for (const [key, text] of Object.entries(frame.readouts ?? {})) {
      attn.matrix.setText(root.querySelector(`[data-readout="${key}"]`), text);
    }
    for (const [key, text] of Object.entries(frame.notes ?? {})) {
      attn.matrix.setText(root.querySelector(`[data-note="${key}"]`), text);
    }
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-text]'))) {
      const path = /** @type {string} */ (place.dataset.text).split('.');
      attn.matrix.setText(place, String(path.reduce((value, key) => value?.[key], frame) ?? ''));
    }
  }

  widgets.texts = texts;
})();
