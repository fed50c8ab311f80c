/* The laboratory's page: which code is in the editor, where it came from, and the buttons. */
(function () {
  'use strict';

  const { lab } = attn;

  const SAVE_MS = 300;

  /** @typedef {{id: string, group: string, title: string, code: string}} Example */

  /** @param {HTMLElement} root */
  lab.mount = function (root) {
    const { element, keepHotkeysOut } = attn.site;
    const part = (/** @type {string} */ name) =>
      /** @type {HTMLElement} */ (root.querySelector(`[data-part="${name}"]`));
    /** @type {Example[]} */
    const examples = JSON.parse(root.dataset.examples ?? '[]');
    const menu = /** @type {HTMLSelectElement} */ (part('menu'));
    const buttons = { run: part('run'), stop: part('stop'), share: part('share'), back: part('back') };

    // The reader's code, the reader's code before that, and what was put into the editor last.
    const kept = lab.openKept();
    let { own, before } = kept.start;
    let pristine = examples[0].code;
    let touched = own !== null;
    let saving = 0;

    part('work').hidden = false;
    part('waiting').hidden = true;
    const editor = lab.createEditor(part('editor'), {
      value: own ?? pristine,
      labelledBy: 'lab-editor-label',
      describedBy: 'lab-editor-keys',
      onInput: edited,
      onRepair: say,
      onRun: run,
    });
    warn();
    offerOther();
    const runner = lab.createRunner({
      output: part('output'),
      value: part('value'),
      error: part('error'),
      status: part('status'),
      onRunning(/** @type {boolean} */ on) {
        buttons.stop.toggleAttribute('disabled', !on);
        buttons.run.setAttribute('aria-disabled', String(on));
        root.toggleAttribute('data-running', on);
      },
    });
    const unwatch = lab.watchRuntime(part('runtime'));

    fillMenu();
    keepHotkeysOut(root);
    buttons.run.addEventListener('click', run);
    buttons.stop.addEventListener('click', () => runner.stop());
    buttons.share.addEventListener('click', share);
    buttons.back.addEventListener('click', () => {
      menu.value = '';
      put(other() ?? editor.value, '');
      editor.focus();
    });
    menu.addEventListener('change', () => {
      const example = examples.find(({ id }) => id === menu.value);
      if (example) put(example.code, '');
    });
    addEventListener('hashchange', readAddress);
    addEventListener('pagehide', save);
    readAddress();

    function run() {
      say('');
      runner.run(editor.value);
    }

    function fillMenu() {
      for (const name of new Set(examples.map(({ group }) => group))) {
        const group = element('optgroup', { label: name });
        for (const { id, title } of examples.filter((example) => example.group === name)) {
          group.append(element('option', { value: id }, title));
        }
        menu.append(group);
      }
    }

    /** Puts code into the editor; the reader's own code stays one button away. */
    function put(/** @type {string} */ code, /** @type {string} */ note) {
      save();
      pristine = code;
      touched = false;
      editor.show(code);
      say(note);
      offerOther();
    }

    /** The reader's code that is not in the editor now: of this tab, or left by another one. */
    function other() {
      const mine = touched ? before : own;
      return [mine, ...kept.all()].find((code) => code !== null && code !== editor.value);
    }

    function offerOther() {
      buttons.back.hidden = other() === undefined;
    }

    function warn() {
      part('invisible').textContent = lab.invisible.report(editor.value);
    }

    function say(/** @type {string} */ note) {
      part('note').textContent = note;
    }

    function edited(/** @type {string} */ code) {
      warn();
      if (code === pristine) return;
      clearTimeout(saving);
      saving = self.setTimeout(save, SAVE_MS);
    }

    function save() {
      clearTimeout(saving);
      const code = editor.value;
      if (code === pristine || code === own) return;
      if (!touched) before = own;
      touched = true;
      menu.value = '';
      own = code;
      offerOther();
      if (!kept.write({ own, before })) {
        say('Браузер не\u00a0даёт сохранять: после закрытия вкладки код пропадёт. Скопируйте его.');
      }
    }

    async function readAddress() {
      const { hash } = location;
      if (hash.startsWith('#example=')) {
        const id = decoded(hash.slice('#example='.length));
        const example = examples.find((one) => one.id === id);
        if (!example) return say('В\u00a0ссылке назван пример, которого здесь нет.');
        menu.value = id;
        put(example.code, '');
      } else if (hash.startsWith('#code=')) {
        try {
          const code = await lab.link.unpack(hash.slice('#code='.length));
          if (location.hash !== hash) return; // another link came meanwhile
          menu.value = '';
          put(code, 'Этот код пришёл по\u00a0ссылке и\u00a0ещё не\u00a0запускался. Прочитайте его, прежде чем запускать.');
        } catch (error) {
          if (location.hash === hash) say(/** @type {Error} */ (error).message);
        }
      }
    }

    async function share() {
      const field = /** @type {HTMLInputElement} */ (part('link'));
      const box = part('sharing');
      try {
        field.value = await lab.link.linkTo(editor.value);
        box.hidden = false;
        field.select();
        say((await copied(field.value)) ? 'Ссылка скопирована.' : 'Ссылка готова: скопируйте её\u00a0из\u00a0поля.');
      } catch (error) {
        box.hidden = true;
        say(/** @type {Error} */ (error).message);
      }
    }

    return () => {
      save();
      removeEventListener('hashchange', readAddress);
      removeEventListener('pagehide', save);
      unwatch();
      runner.close();
      editor.remove();
    };
  };

  /** @param {string} text a part of an address, which may be anything */
  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  /** @param {string} text */
  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  }
})();
