/* «Проверьте себя»: turns the printed questions into forms. Which answer is right, and what is said
 * about each, is in the page: this script only looks it up. */
(function () {
  'use strict';

  const { onPage, keepHotkeysOut, storage, element } = attn.site;

  /** @typedef {{given: string, first: boolean}} Answer first: right at the first attempt */

  /** @param {HTMLElement} root */
  function mount(root) {
    const key = `self-check.${root.dataset.selfCheck}`;
    /** @type {Record<string, Answer>} */
    let answers = { ...storage.read(key) };

    const score = element('p', { class: 'self-check__score' });
    const again = element('button', { type: 'button', class: 'self-check__again' }, 'Начать заново');
    const questions = [...root.querySelectorAll('[data-question]')].map((item) =>
      prepare(/** @type {HTMLElement} */ (item), record),
    );
    root.append(element('div', { class: 'self-check__summary' }, score, again));
    again.addEventListener('click', () => {
      answers = {};
      storage.write(key, null);
      questions.forEach((question) => question.clear());
      showScore();
      questions[0].focus();
    });
    keepHotkeysOut(root);
    questions.forEach((question) => question.restore(answers[question.name]?.given));
    showScore();

    /** @param {string} name @param {string} given @param {boolean} right */
    function record(name, given, right) {
      answers[name] = { given, first: answers[name]?.first ?? right };
      storage.write(key, answers);
      showScore();
    }

    function showScore() {
      const known = questions.flatMap(({ name }) => answers[name] ?? []);
      const right = known.filter((answer) => answer.first).length;
      score.textContent =
        `Верно с\u00a0первой попытки: ${right} из\u00a0${questions.length}. ` +
        `Отвечено: ${known.length}.`;
      again.hidden = known.length === 0;
    }
  }

  /**
   * @param {HTMLElement} item
   * @param {(name: string, given: string, right: boolean) => void} record
   */
  function prepare(item, record) {
    const name = /** @type {string} */ (item.dataset.question);
    const options = item.querySelector('[data-options]');
    const field = options ? choice(item, name, options) : number(item, name);
    const verdict = element('div', { class: 'self-check__verdict', role: 'status' });
    const form = element(
      'form',
      { class: 'self-check__form', novalidate: true },
      field.root,
      element('button', { class: 'self-check__submit' }, 'Проверить'),
      verdict,
    );
    item.querySelector('[data-answer]')?.before(form);
    form.addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      answer(true);
    });

    /** @param {boolean} fresh given now, not restored */
    function answer(fresh) {
      const given = field.given();
      const why = given === null ? null : field.why(given);
      if (!why) {
        delete verdict.dataset.verdict;
        verdict.replaceChildren(field.missing);
        return;
      }
      const right = 'right' in why.dataset;
      verdict.dataset.verdict = right ? 'right' : 'wrong';
      verdict.replaceChildren(
        element('strong', {}, right ? 'Верно.' : 'Неверно.'),
        ' ',
        ...(why.querySelector('dd')?.cloneNode(true).childNodes ?? []),
      );
      if (fresh) record(name, /** @type {string} */ (given), right);
    }

    return {
      name,
      focus: field.focus,
      clear() {
        field.set(null);
        delete verdict.dataset.verdict;
        verdict.replaceChildren();
      },
      /** @param {string | undefined} given */
      restore(given) {
        if (typeof given !== 'string') return;
        field.set(given);
        if (field.given() !== null) answer(false);
      },
    };
  }

  /** @param {HTMLElement} item @param {string} name @param {Element} options */
  function choice(item, name, options) {
    const text = /** @type {HTMLElement} */ (item.querySelector('[data-text]'));
    const group = element('fieldset', { class: 'self-check__options' });
    group.append(element('legend', {}, ...text.childNodes));
    text.remove();
    const inputs = [...options.children].map((option, index) => {
      const input = /** @type {HTMLInputElement} */ (
        element('input', { type: 'radio', name: `question-${name}`, value: String(index) })
      );
      group.append(element('label', {}, input, element('span', {}, ...option.childNodes)));
      return input;
    });
    options.remove();
    return {
      root: group,
      missing: 'Сначала выберите ответ.',
      given: () => inputs.find((input) => input.checked)?.value ?? null,
      /** @param {string} given */
      why: (given) => whys(item)[Number(given)],
      /** @param {string | null} given */
      set: (given) => inputs.forEach((input) => (input.checked = input.value === given)),
      focus: () => inputs[0].focus(),
    };
  }

  /** @param {HTMLElement} item @param {string} name */
  function number(item, name) {
    const text = /** @type {HTMLElement} */ (item.querySelector('[data-text]'));
    text.id = `question-${name}-text`;
    const input = /** @type {HTMLInputElement} */ (
      element('input', {
        type: 'text',
        inputmode: 'decimal',
        autocomplete: 'off',
        name: `question-${name}`,
        'aria-labelledby': text.id,
      })
    );
    return {
      root: element('label', { class: 'self-check__field' }, input, ` ${item.dataset.unit}`),
      missing: 'Введите число, например 12.5.',
      given: () => (Number.isNaN(parse(input.value)) ? null : input.value),
      /** @param {string} given */
      why(given) {
        const value = parse(given);
        return whys(item).find(({ dataset: { low, high } }) =>
          low === undefined ? true : Number(low) <= value && value <= Number(high),
        );
      },
      /** @param {string | null} given */
      set: (given) => (input.value = given ?? ''),
      focus: () => input.focus(),
    };
  }

  /** @param {HTMLElement} item @returns {HTMLElement[]} what is said about each answer, in order */
  function whys(item) {
    return [...item.querySelectorAll('[data-why]')].map((why) => /** @type {HTMLElement} */ (why));
  }

  /** A number as people type it: comma or point, spaces, a unit after it. @param {string} text */
  function parse(text) {
    const plain = text.replace(/\s/g, '').replace('−', '-').replace(',', '.').replace(/%$/, '');
    return plain === '' ? NaN : Number(plain);
  }

  onPage('[data-self-check]', mount);
})();
