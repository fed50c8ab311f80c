/* Controls of a widget: values in, values out, as their data attributes describe them. */
(function () {
  'use strict';

  const { widgets } = attn;

  /**
   * @typedef {any} Input an element with data-control
   * @typedef {object} Kind
   * @property {(input: Input) => any} read
   * @property {(input: Input, value: any) => void} write
   * @property {(input: Input, text: string) => any} parse undefined for nonsense
   * @property {(input: Input, value: any) => string} format
   * @property {(input: Input, value: any) => string} [say] what a reader sees of the value, if not `format`
   */

  /** @param {Input} input */
  const valuesOf = (input) => JSON.parse(input.dataset.values);
  /** @param {Input} input @returns {string[]} */
  const labelsOf = (input) => JSON.parse(input.dataset.labels);
  /** @param {Input} input @returns {HTMLInputElement[]} */
  const blocksOf = (input) => [...input.querySelectorAll('[data-block]')];

  /** @type {Record<string, Kind>} */
  const KINDS = {
    checkbox: {
      read: (input) => input.checked,
      write(input, value) {
        input.checked = value;
      },
      parse: (_, text) => (/^[01]$/.test(text) ? text === '1' : undefined),
      format: (_, value) => (value ? '1' : '0'),
      say: (_, value) => (value ? 'да' : 'нет'),
    },
    slider: {
      read: (input) => valuesOf(input)[Number(input.value)],
      write(input, value) {
        input.value = String(valuesOf(input).indexOf(value));
        showValue(input);
      },
      parse: (input, text) => valuesOf(input).find((/** @type {any} */ value) => String(value) === text),
      format: (_, value) => String(value),
      say: (input) => labelsOf(input)[Number(input.value)],
    },
    select: {
      read: (input) => input.value,
      write(input, value) {
        input.value = value;
      },
      parse: (input, text) => valuesOf(input).find((/** @type {any} */ value) => value === text),
      format: (_, value) => value,
      say: (input) => input.selectedOptions[0].text,
    },
    number: {
      read(input) {
        if (input.validity.valid) input.dataset.good = String(Number(input.value));
        return Number(input.dataset.good ?? input.dataset.default);
      },
      write(input, value) {
        input.value = input.dataset.good = String(value);
      },
      parse(input, text) {
        const value = Number(text);
        const inside = value >= Number(input.min) && value <= Number(input.max);
        return /^\d+$/.test(text) && inside ? value : undefined;
      },
      format: (_, value) => String(value),
    },
    text: {
      read: (input) => input.value,
      write(input, value) {
        input.value = value;
      },
      parse: (input, text) => (text.length <= input.maxLength ? text : undefined),
      format: (_, value) => value,
    },
    pattern: {
      read(input) {
        const rows = [...input.querySelectorAll('.aw-block-row')];
        return rows
          .map((row) => blocksOf(row).map((block) => (block.checked ? '1' : '0')).join(''))
          .join('/');
      },
      write(input, value) {
        const marks = value.replaceAll('/', '');
        blocksOf(input).forEach((block, place) => (block.checked = marks[place] === '1'));
      },
      parse(input, text) {
        const like = JSON.parse(input.dataset.default).replace(/[01]/g, '[01]');
        return new RegExp(`^${like}$`).test(text) ? text : undefined;
      },
      format: (_, value) => value,
    },
  };

  /** @param {Input} input */
  function showValue(input) {
    const label = labelsOf(input)[Number(input.value)];
    input.setAttribute('aria-valuetext', label);
    input.closest('.aw-control').querySelector('output').textContent = label;
  }

  /** All controls of a widget. @param {HTMLElement} root */
  function controls(root) {
    /** @type {{name: string, input: Input, kind: Kind, fallback: any}[]} */
    const all = [...root.querySelectorAll('[data-control]')].map((/** @type {Input} */ input) => ({
      name: input.name ?? input.dataset.name,
      input,
      kind: KINDS[input.dataset.control],
      fallback: JSON.parse(input.dataset.default),
    }));
    const defaults = Object.fromEntries(all.map(({ name, fallback }) => [name, fallback]));

    /** Whether a control counts: another one may have to say so. @param {Input} input */
    function counts(input) {
      if (!input.dataset.needs) return true;
      const [name, ...values] = JSON.parse(input.dataset.needs);
      const other = all.find((control) => control.name === name);
      return values.includes(other?.kind.read(other.input));
    }

    /** @param {(typeof all)[number]} control */
    const valueOf = ({ input, kind, fallback }) => (counts(input) ? kind.read(input) : fallback);

    /** What a choice of the reader writes into other controls. */
    function fill() {
      for (const { input, kind } of all) {
        if (!input.dataset.fills) continue;
        const texts = JSON.parse(input.dataset.fills)[kind.read(input)] ?? {};
        for (const other of all) {
          if (other.name in texts) other.kind.write(other.input, texts[other.name]);
        }
      }
    }

    function closeIdle() {
      for (const { input } of all) {
        for (const part of [input, ...blocksOf(input)]) part.disabled = !counts(input);
      }
    }

    return {
      defaults,

      /** @returns {Record<string, any>} */
      read: () => Object.fromEntries(all.map((control) => [control.name, valueOf(control)])),

      /** @param {Record<string, any>} state */
      write(state) {
        for (const { name, input, kind } of all) kind.write(input, state[name]);
        fill();
        closeIdle();
      },

      /** Texts of the values that differ from the defaults. @returns {Map<string, string | null>} */
      texts() {
        return new Map(
          all.map((control) => {
            const value = valueOf(control);
            const text = value === control.fallback ? null : control.kind.format(control.input, value);
            return [control.name, text];
          }),
        );
      },

      /** Labels and values of the controls that count, in words. @returns {string[][]} */
      said() {
        return all
          .filter(({ input }) => counts(input))
          .map(({ input, kind }) => [
            input.getAttribute('aria-label') ?? input.labels[0].textContent.trim(),
            (kind.say ?? kind.format)(input, kind.read(input)),
          ]);
      },

      /**
       * A state from texts by the names of the controls; what is missing is the default. Null where one of
       * them is nonsense: half of what somebody meant would be a state that nobody meant.
       * @param {Map<string, string>} texts
       */
      parse(texts) {
        const state = { ...defaults };
        for (const [name, text] of texts) {
          const control = all.find((one) => one.name === name);
          const value = control?.kind.parse(control.input, text);
          if (value === undefined) return null;
          state[name] = value;
        }
        return state;
      },

      /** Shows what the reader has just moved. @param {EventTarget | null} target */
      echo(target) {
        const moved = all.find(({ input }) => input === target);
        if (moved?.input.dataset.control === 'slider') showValue(moved.input);
        if (moved?.input.dataset.fills) fill();
        closeIdle();
      },

      enable() {
        for (const set of root.querySelectorAll('fieldset')) set.disabled = false;
      },
    };
  }

  widgets.controls = controls;
})();
