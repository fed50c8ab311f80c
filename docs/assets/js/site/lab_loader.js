/* The laboratory's script is fetched only on its own page. */
(function () {
  'use strict';

  const { onPage, element } = attn.site;

  /** @type {Map<string, Promise<void>>} by absolute address */
  const loaded = new Map();

  /** @param {string} address @returns {Promise<void>} */
  function load(address) {
    const url = new URL(address, location.href).href;
    const known = loaded.get(url);
    if (known) return known;
    /** @type {Promise<void>} */
    const promise = new Promise((resolve, reject) => {
      const script = /** @type {HTMLScriptElement} */ (element('script', { src: url }));
      script.onload = () => resolve();
      script.onerror = () => {
        script.remove();
        loaded.delete(url);
        reject(new Error(url));
      };
      document.head.append(script);
    });
    loaded.set(url, promise);
    return promise;
  }

  onPage('[data-lab]', (/** @type {HTMLElement} */ root) => {
    /** @type {(() => void) | undefined} */
    let unmount;
    const address = root.dataset.script ?? '';

    const waiting = /** @type {HTMLElement} */ (root.querySelector('[data-part="waiting"]'));
    const message = waiting.textContent ?? '';

    function start() {
      waiting.hidden = false;
      waiting.textContent = message;
      load(address).then(
        () => {
          if (root.isConnected) unmount = attn.lab.mount(root);
        },
        () => {
          const again = element('button', { type: 'button', class: 'lab-button' }, 'Повторить');
          again.addEventListener('click', start);
          waiting.replaceChildren('Редактор не\u00a0загрузился. ', again);
        },
      );
    }

    start();
    return () => unmount?.();
  });
})();
