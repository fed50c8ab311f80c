/* Life of a widget on a page. */
(function () {
  'use strict';

  const { widgets } = attn;

  const SETTLED_MS = 700;
  const TYPING_MS = 350;
  const ADDRESS_MS = 200;
  const NO_SUCH_STATE = 'в\u00a0адресе названо состояние, которого нет: показано исходное';

  /** By the name of the widget: what draws on its canvas. @type {Record<string, (root: HTMLElement, frame: any) => void>} */
  const painters = {};

  /** @param {HTMLElement} root */
  function mount(root) {
    const name = /** @type {string} */ (root.dataset.widget);
    const figure = root.querySelector('[data-figure]');
    const life = new AbortController();
    const { signal } = life;
    const controls = widgets.controls(root);
    /** @type {any} */ let frame = null;
    let figured = JSON.stringify(controls.defaults); // the state that the figure is about
    let touched = false;
    /** @type {number | undefined} */ let typing;

    const announce = later(SETTLED_MS, () => {
      const told = widgets.readouts(figure).map((/** @type {string[]} */ [label, text]) => `${label}: ${text}`);
      widgets.setText(root.querySelector('[data-announce]'), told.join('; '));
    });
    const { pathname } = location;
    const keepAddress = later(ADDRESS_MS, () => {
      if (location.pathname === pathname) widgets.address.write(name, controls.texts());
    });
    // A link may lead away: what is not written by then would be lost for the way back.
    document.addEventListener('click', keepAddress.hurry, { signal, capture: true });

    widgets.tools(root, name, signal); // first of all: it keeps the figure as the page came with it
    const status = widgets.status(root, () => (touched = true));
    const pointing = widgets.pointing(root, (/** @type {any} */ place) => point(place), signal);
    const answers = widgets.answers({
      root,
      state: controls.read,
      defaults: controls.defaults,
      show,
      wait: status.wait,
      missing(/** @type {string} */ why) {
        status.say(why || 'это состояние считает только Python в\u00a0браузере', true);
      },
      fail: status.say,
    });
    const stopListening = attn.runtime?.on('state', (/** @type {string} */ state) => {
      if (state === 'ready' && touched) answers.ask(false);
    });

    /** What does not belong to the controls is dimmed until it does. */
    function dim() {
      const outdated = JSON.stringify(controls.read()) !== figured;
      root.toggleAttribute('data-outdated', outdated);
      if (outdated) announce.cancel();
      status.expect(outdated);
    }

    /** @param {any} next @param {Record<string, any>} state @param {'table' | 'python'} source @param {any} [details] */
    function show(next, state, source, details) {
      frame = next;
      figured = JSON.stringify(state);
      widgets.bind(figure, frame);
      painters[name]?.(root, frame);
      dim();
      root.dataset.source = source;
      status.say(
        source === 'python'
          ? `считает NumPy ${details.numpy} в\u00a0вашем браузере · ${Math.max(1, Math.round(details.ms))}\u00a0мс`
          : root.dataset.tableStatus,
      );
      pointing.refresh();
      point(pointing.current());
      if (touched) announce();
    }

    /** Shows the row of the cell that is pointed at. @param {any} place */
    function point(place) {
      if (!frame && place) prepare();
      for (const panel of frame ? root.querySelectorAll('[data-pointed]') : []) {
        widgets.bind(panel, place ? { ...frame, $q: place.row } : frame);
        for (const part of /** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll('[data-col]'))) {
          part.classList.toggle('is-column', part.dataset.col === String(place?.col));
        }
      }
    }

    /** Gets the default frame ready without a repaint: the page already shows it. */
    async function prepare() {
      if (frame || root.dataset.source !== 'build') return;
      try {
        const packed = await widgets.packed.load(root);
        frame ??= widgets.packed.find(packed, controls.defaults, controls.defaults);
      } catch {
        return; // asked again at the first touch, which tells the reader
      }
      point(pointing.current());
    }

    function touch() {
      touched = true;
      dim();
      status.touch();
      keepAddress();
      answers.ask(true);
    }

    root.addEventListener(
      'input',
      (event) => {
        const target = /** @type {HTMLInputElement} */ (event.target);
        controls.echo(target);
        dim();
        clearTimeout(typing);
        if (target.type === 'text' || target.type === 'number') typing = setTimeout(touch, TYPING_MS);
        else touch();
      },
      { signal },
    );
    root.addEventListener('submit', (event) => event.preventDefault(), { signal });
    root.querySelector('[data-reset]')?.addEventListener('click', () => {
      controls.write(controls.defaults);
      touch();
    });
    for (const hint of ['pointerenter', 'focusin']) {
      root.addEventListener(hint, prepare, { signal, once: true });
    }
    const stopWatching = whenNear(root, prepare);

    attn.site.keepHotkeysOut(root);
    letTipsGo(root);
    controls.enable();
    for (const part of root.querySelectorAll('[data-needs-script]')) part.removeAttribute('hidden');

    restore();

    /** The state of the address, and an address that says no more than what is shown. */
    function restore() {
      const texts = widgets.address.read(name);
      const state = controls.parse(texts);
      controls.write(state ?? controls.defaults);
      dim();
      if ([...controls.texts().values()].some((text) => text !== null)) answers.ask(false);
      if (!state) status.say(NO_SUCH_STATE);
      if (texts.size) widgets.address.write(name, controls.texts());
    }

    return () => {
      life.abort();
      clearTimeout(typing);
      announce.cancel();
      keepAddress.cancel();
      stopListening?.();
      stopWatching();
      status.close();
      answers.close();
    };
  }

  /** Esc hides the explanation of a label until the label is left. @param {HTMLElement} root */
  function letTipsGo(root) {
    for (const term of root.querySelectorAll('.aw-term')) {
      term.addEventListener('keydown', (event) => {
        if (/** @type {KeyboardEvent} */ (event).key === 'Escape') term.classList.add('is-dismissed');
      });
      for (const leaving of ['focusout', 'pointerleave']) {
        term.addEventListener(leaving, () => term.classList.remove('is-dismissed'));
      }
    }
  }

  /** Runs once things have been quiet for a while. @param {number} delay @param {() => void} run */
  function later(delay, run) {
    /** @type {number | undefined} */ let timer;
    const cancel = () => {
      clearTimeout(timer);
      timer = undefined;
    };
    const finish = () => {
      cancel();
      run();
    };
    const postpone = () => {
      cancel();
      timer = setTimeout(finish, delay);
    };
    const hurry = () => {
      if (timer !== undefined) finish();
    };
    return Object.assign(postpone, { cancel, hurry });
  }

  /** @param {HTMLElement} root @param {() => void} run */
  function whenNear(root, run) {
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watcher.disconnect();
      run();
    });
    watcher.observe(root);
    return () => watcher.disconnect();
  }

  widgets.painters = painters;
  attn.site.onPage('section[data-widget]', mount);
})();
