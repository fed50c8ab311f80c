/* Full screen for a projector, the first state for paper, downloads of what is shown. */
(function () {
  'use strict';

  const { widgets } = attn;

  const PNG_SCALE = 2;
  const SAVING_MS = 60_000; // until a slow browser has read what it saves

  /** The widget that is the whole screen, where in the window it stood, what lies behind it. @type {HTMLElement | null} */
  let projected = null;
  let stood = 0;
  /** @type {HTMLElement[]} */
  let behind = [];

  /** @param {HTMLElement} root @param {string} name @param {AbortSignal} signal */
  function tools(root, name, signal) {
    const button = /** @type {HTMLElement} */ (root.querySelector('[data-fullscreen]'));
    const menu = /** @type {HTMLDetailsElement} */ (root.querySelector('.aw-menu'));

    button.hidden = !document.fullscreenEnabled;
    button.addEventListener('click', () => toggleFull(root));
    document.addEventListener('fullscreenchange', () => showFull(root, button), { signal });
    signal.addEventListener('abort', () => uncover(root));
    printFirstState(root, signal);
    document.addEventListener(
      'pointerdown',
      (event) => {
        if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
      },
      { signal },
    );
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return;
      menu.open = false;
      menu.querySelector('summary')?.focus();
    });
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-download]'))) {
      item.addEventListener('click', () => {
        menu.open = false;
        download(root, name, /** @type {string} */ (item.dataset.download));
      });
    }
  }

  /** @param {HTMLElement} root */
  function toggleFull(root) {
    if (document.fullscreenElement) {
      document.exitFullscreen();
      return;
    }
    stood = root.getBoundingClientRect().top;
    root.requestFullscreen().then(() => root.focus(), () => {});
  }

  /** @param {HTMLElement} root @param {HTMLElement} button */
  function showFull(root, button) {
    const full = document.fullscreenElement === root;
    button.setAttribute('aria-pressed', String(full));
    button.textContent = full ? 'Обычный размер' : 'Во\u00a0весь экран';
    if (full) cover(root);
    else uncover(root);
  }

  /** Neither Tab nor a screen reader goes where the audience cannot look. @param {HTMLElement} root */
  function cover(root) {
    projected = root;
    document.documentElement.classList.add('aw-projector');
    for (let at = root; at.parentElement && at !== document.body; at = at.parentElement) {
      const others = /** @type {HTMLElement[]} */ ([...at.parentElement.children]);
      behind.push(...others.filter((other) => other !== at && !other.inert));
    }
    for (const other of behind) other.inert = true;
  }

  /** @param {HTMLElement} root */
  function uncover(root) {
    if (projected !== root) return;
    for (const other of behind) other.inert = false;
    projected = null;
    behind = [];
    document.documentElement.classList.remove('aw-projector');
    if (root.isConnected) scrollBy({ top: root.getBoundingClientRect().top - stood, behavior: 'instant' });
  }

  /** A hand-out shows what Python has put into the page, whatever the reader has moved. @param {HTMLElement} root @param {AbortSignal} signal */
  function printFirstState(root, signal) {
    const figure = /** @type {HTMLElement} */ (root.querySelector('[data-figure]'));
    const first = /** @type {HTMLElement} */ (figure.cloneNode(true));
    addEventListener(
      'beforeprint',
      () => {
        figure.after(first);
        figure.classList.add('screen-only');
      },
      { signal },
    );
    addEventListener(
      'afterprint',
      () => {
        first.remove();
        figure.classList.remove('screen-only');
      },
      { signal },
    );
  }

  /** @param {HTMLElement} root @param {string} name @param {string} kind */
  async function download(root, name, kind) {
    const makers = {
      csv: async () => new Blob(['\ufeff', widgets.csv(root)], { type: 'text/csv' }),
      svg: async () => new Blob([picture(root)], { type: 'image/svg+xml' }),
      png: () => png(picture(root)),
    };
    save(await makers[/** @type {'csv'} */ (kind)](), `${name}.${kind}`);
  }

  /** The figure, and below it what it is a picture of. @param {HTMLElement} root @returns {string} */
  function picture(root) {
    const figure = /** @type {HTMLElement} */ (root.querySelector('[data-figure]'));
    const { title, state, source, outdated } = widgets.origin(root);
    const { element } = attn.site;
    const described = state.map((/** @type {string[]} */ pair) => pair.join(' — ')).join('; ');
    const told = `${title}. ${source}. Регуляторы: ${described}`;
    const note = element('div', { class: 'aw-origin' }, element('p', {}, told));
    if (outdated) note.append(element('p', {}, element('b', {}, outdated)));
    figure.after(note);
    try {
      return widgets.drawing([figure, note], { title, description: note.textContent });
    } finally {
      note.remove();
    }
  }

  /** @param {Blob} blob @param {string} name */
  function save(blob, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), SAVING_MS);
  }

  /** @param {string} svg @returns {Promise<Blob>} */
  async function png(svg) {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width * PNG_SCALE;
    canvas.height = image.height * PNG_SCALE;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.scale(PNG_SCALE, PNG_SCALE);
    context.drawImage(image, 0, 0);
    return new Promise((resolve) => canvas.toBlob((blob) => resolve(/** @type {Blob} */ (blob))));
  }

  widgets.tools = tools;
})();
