/* Texts, drawn paths and flags of a frame in the places that Python has marked with their dotted path. */
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
      attn.matrix.setText(place, found(frame, place.dataset.text));
    }
    for (const place of /** @type {NodeListOf<SVGElement>} */ (root.querySelectorAll('[data-path]'))) {
      place.setAttribute('d', found(frame, place.dataset.path));
    }
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-when]'))) {
      place.hidden = found(frame, place.dataset.when) !== 'true';
    }
  }

  /** @param {any} frame @param {string | undefined} path @returns {string} */
  function found(frame, path = '') {
    return String(path.split('.').reduce((value, key) => value?.[key], frame) ?? '');
  }

  widgets.texts = texts;
})();
