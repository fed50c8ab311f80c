/* What a program prints, as it prints it. Python's side cuts a flood; here pieces are gathered, so
 * that the page repaints a few times a second at most. */
(function () {
  'use strict';

  const { lab } = attn;

  const FLUSH_MS = 40;
  /** A whole line of figures/laboratory/console.py. */
  const WARNING = /^(Предупреждение[:,].*\n)/m;

  /** @param {HTMLElement} box */
  lab.createOutput = function (box) {
    const { element } = attn.site;
    const text = element('pre', { class: 'lab-output__text', tabindex: '0', 'aria-label': 'Вывод' });
    box.append(text);

    let waiting = '';
    let timer = 0;

    function flush() {
      clearTimeout(timer);
      timer = 0;
      for (const piece of waiting.split(WARNING)) {
        text.append(WARNING.test(piece) ? element('span', { class: 'lab-output__warning' }, piece) : piece);
      }
      waiting = '';
      box.hidden = !text.textContent;
    }

    return {
      /** @param {string} piece */
      append(piece) {
        waiting += piece;
        timer ||= self.setTimeout(flush, FLUSH_MS);
      },
      flush,
      clear() {
        text.textContent = waiting = '';
        flush();
      },
    };
  };
})();
