/* «Сохранить для работы без сети»: the button, its progress, and what is to be known about the copy
 * that the reader sees. Every `[data-offline]` of a page shows the same; where nothing can be saved, the
 * page about it says why, and what it promises (`[data-offline-promise]`) is not there. */
(function () {
  'use strict';

  const { onPage, element } = attn.site;
  const { offline, offlineSite } = attn;

  const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);

  /** @param {HTMLElement} root */
  function mount(root) {
    if (!offlineSite.names) return undefined; // in `mkdocs serve`
    const button = (/** @type {string} */ name) => element('button', { type: 'button', class: `offline__${name}` });
    const save = /** @type {HTMLButtonElement} */ (button('save'));
    const stop = /** @type {HTMLButtonElement} */ (button('stop'));
    const remove = /** @type {HTMLButtonElement} */ (button('remove'));
    const bar = /** @type {HTMLProgressElement} */ (element('progress', { 'aria-label': 'Сохранение сайта' }));
    const progress = element('span', { class: 'offline__progress' });
    const message = element('span', { class: 'offline__message', role: 'status' });
    const copy = element('span', { class: 'offline__copy', role: 'status' });
    stop.textContent = 'Остановить';
    remove.textContent = 'Удалить сохранённый Python';
    save.addEventListener('click', () => offline.save());
    stop.addEventListener('click', () => offline.stop());
    remove.addEventListener('click', () => offline.remove());
    root.append(save, bar, progress, stop, message, remove, copy);
    const isFooter = Boolean(root.closest('footer'));

    function show() {
      const { state, reason, stage, done, total, missingBytes } = offline.now;
      const saving = state === 'saving';
      const impossible = state === 'impossible';
      root.dataset.offline = state;
      root.hidden = impossible && isFooter;
      save.hidden = saving || impossible || state === 'saved' || state === 'unknown';
      save.textContent =
        state === 'partial'
          ? `Продолжить сохранение (осталось ≈\u00a0${megabytes(missingBytes)}\u00a0МБ)`
          : `Сохранить для работы без сети (≈\u00a0${megabytes(missingBytes)}\u00a0МБ)`;
      stop.hidden = bar.hidden = progress.hidden = !saving;
      remove.hidden = state !== 'saved';
      if (total) Object.assign(bar, { max: total, value: Math.min(done, total) });
      else bar.removeAttribute('value');
      progress.textContent = saving ? progressText(stage, done, total) : '';
      const said = saving ? '' : state === 'saved' ? 'Сайт сохранён целиком и\u00a0работает без сети.' : reason;
      if (message.textContent !== said) message.textContent = said;
    }

    const off = offline.on(show);
    show();
    offline.look();
    offlineSite.isKeptCopy().then((/** @type {boolean} */ kept) => {
      copy.textContent = kept ? 'Сервер не\u00a0ответил: показана сохранённая копия этой сборки.' : '';
    });
    return off;
  }

  /** @param {string} stage @param {number} done @param {number} total */
  function progressText(stage, done, total) {
    if (!total) return `Сохраняем ${stage}…`;
    if (stage === 'Python') return `Сохраняем Python: ${megabytes(done)} из\u00a0${megabytes(total)}\u00a0МБ`;
    return `Сохраняем ${stage}: ${done} из\u00a0${total}`;
  }

  /** @param {HTMLElement} promise */
  function mountPromise(promise) {
    if (!offlineSite.names) return undefined;
    const show = () => {
      const { state } = offline.now;
      promise.hidden = state === 'unknown' ? !offlineSite.canBe : state === 'impossible';
    };
    show();
    return offline.on(show);
  }

  onPage('[data-offline]', mount);
  onPage('[data-offline-promise]', mountPromise);
})();
