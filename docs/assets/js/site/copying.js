/* What is copied reads once: a formula as TeX, a table as lines with tabs, a matrix as the numbers
 * that it shows. The browser itself would copy a formula three times, in pieces. */
(function () {
  'use strict';

  /** Signs of the page that are no part of its text. */
  const NOT_TEXT = '.headerlink, .aw-hidden, .md-code__nav, .is-copying';

  document.addEventListener('copy', (event) => {
    const { target, clipboardData } = event;
    const selection = getSelection();
    if (!clipboardData || !selection || selection.isCollapsed) return;
    if (target instanceof Element && target.closest('input, textarea, [contenteditable]')) return;
    const box = attn.site.element('div', { class: 'is-copying md-typeset', 'aria-hidden': 'true' });
    for (let i = 0; i < selection.rangeCount; i++) box.append(copyOf(selection.getRangeAt(i)));
    for (const sign of box.querySelectorAll(NOT_TEXT)) sign.remove();
    for (const formula of box.querySelectorAll('.katex')) formula.replaceWith(texOf(formula));
    document.body.append(box);
    const cells = /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll('th, td'));
    const texts = [...cells].map((cell) => cell.innerText.trim().replace(/\s*\n\s*/g, ' '));
    cells.forEach((cell, i) => { cell.textContent = texts[i]; });
    clipboardData.setData('text/plain', box.innerText.replace(/^\n+|\s+$/g, '')); // code keeps its indentation
    clipboardData.setData('text/html', box.innerHTML);
    box.remove();
    event.preventDefault();
  });

  /** What is selected, in copies of the elements that it stands in: they decide how it looks. @param {Range} selected */
  function copyOf(selected) {
    const range = selected.cloneRange();
    const first = formulaAround(range.startContainer);
    const last = formulaAround(range.endContainer);
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    /** @type {Node} */
    let copy = range.cloneContents();
    const around = range.commonAncestorContainer;
    let parent = around instanceof Element ? around : around.parentElement;
    for (; parent && parent !== document.body; parent = parent.parentElement) {
      const frame = /** @type {Element} */ (parent.cloneNode(false));
      frame.append(copy);
      copy = frame;
    }
    return copy;
  }

  /** @param {Node} node */
  const formulaAround = (node) =>
    (node instanceof Element ? node : node.parentElement)?.closest('.katex-display, .katex');

  /** @param {Element} formula */
  function texOf(formula) {
    const signs = formula.closest('.katex-display') ? '$$' : '$';
    return signs + (formula.querySelector('annotation')?.textContent ?? '').trim() + signs;
  }
})();
