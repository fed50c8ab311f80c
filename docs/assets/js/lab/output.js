/* What a program prints, as it prints it; a flood is cut so that the page stays alive. */
(function () {
  'use strict';

  const lab = (attn.lab ??= {});

  const MOST_LETTERS = 50_000;
  const FLUSH_MS = 40;

  /** @param {HTMLElement} box */
  lab.createOutput = function (box) {
    const { element } = attn.site;
    const text = element('pre', { class: 'lab-output__text', tabindex: '0', 'aria-label': 'Вывод' });
    const cut = element('p', { class: 'lab-output__cut', hidden: true });
    box.append(text, cut);

    let shown = 0;
    let hidden = 0;
    let waiting = '';
    let timer = 0;

    function flush() {
      timer = 0;
      if (waiting) text.append(waiting);
      waiting = '';
      cut.hidden = hidden === 0;
      cut.textContent =
        `Показано начало вывода, ${shown} знаков; ещё ${hidden} скрыто, ` +
        'чтобы страница не замерла. Печатайте меньше: срез, форму или среднее.';
      box.hidden = shown === 0;
    }

    return {
      /** @param {string} piece */
      append(piece) {
        const fits = piece.slice(0, MOST_LETTERS - shown);
        waiting += fits;
        shown += fits.length;
        hidden += piece.length - fits.length;
        timer ||= self.setTimeout(flush, FLUSH_MS);
      },
      flush,
      clear() {
        text.textContent = waiting = '';
        shown = hidden = 0;
        flush();
      },
    };
  };
})();
