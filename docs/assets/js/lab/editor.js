/* The code field: a textarea with highlighting over it, so that typing, selecting and reading aloud
 * are the browser's own. */
(function () {
  'use strict';

  const { lab } = attn;

  /** The vendored editor; a file that came late is still found. */
  const prism = () => /** @type {any} */ (self).prismCodeEditor;

  /**
   * Tab indents; after Esc the next Tab leaves the field, as in other code editors.
   * @param {any} editor
   */
  function letTabLeave(editor) {
    const leaving = (/** @type {boolean} */ on) => {
      prism().setIgnoreTab(on);
      editor.container.classList.toggle('lab-editor--leaving', on);
    };
    delete editor.keyCommandMap.Escape;
    editor.textarea.addEventListener(
      'keydown',
      (/** @type {KeyboardEvent} */ { key }) => {
        if (key === 'Escape') leaving(true);
        else if (key !== 'Tab' && key !== 'Shift') leaving(false);
      },
      { capture: true },
    );
    editor.textarea.addEventListener('blur', () => leaving(false));
  }

  /** @param {any} editor */
  function showInvisible(editor) {
    editor.on('tokenize', (/** @type {any[]} */ tokens, /** @type {string} */ _, /** @type {string} */ code) =>
      lab.invisible.mark(tokens, code, prism().Token),
    );
  }

  /**
   * @param {any} editor
   * @param {(note: string) => void} onRepair
   */
  function repairPasted(editor, onRepair) {
    editor.textarea.addEventListener('paste', (/** @type {ClipboardEvent} */ event) => {
      const pasted = event.clipboardData?.getData('text/plain') ?? '';
      const [start, end] = editor.getSelection();
      const { text, note } = lab.repaired(editor.value.slice(0, start), pasted, editor.value.slice(end));
      if (!note) return;
      event.preventDefault();
      prism().insertText(editor, text);
      onRepair(note);
    });
  }

  /**
   * @param {HTMLElement} box
   * @param {{value: string, labelledBy: string, describedBy: string, onInput: (value: string) => void,
   *   onRepair: (note: string) => void, onRun: () => void}} options
   */
  lab.createEditor = function (box, { value, labelledBy, describedBy, onInput, onRepair, onRun }) {
    const run = () => {
      onRun();
      return true;
    };
    const { addEditorHotkey, defaultKeymap, ...parts } = prism();
    const editor = parts.createEditor(
      box,
      { language: 'python', value, tabSize: 4, lineNumbers: true },
      parts.matchBrackets(),
      parts.highlightBracketPairs(),
      parts.cursorPosition(),
      parts.editorCommands(defaultKeymap, ['()', '[]', '{}']),
      parts.editHistory(),
      showInvisible,
    );
    const { textarea } = editor;
    textarea.name = 'code';
    textarea.setAttribute('aria-labelledby', labelledBy);
    textarea.setAttribute('aria-describedby', describedBy);
    textarea.setAttribute('autocapitalize', 'off');
    textarea.setAttribute('spellcheck', 'false');
    addEditorHotkey(editor, 'Mod+Enter', run);
    addEditorHotkey(editor, '2+Enter', run);
    letTabLeave(editor);
    repairPasted(editor, onRepair);
    editor.on('update', onInput);

    return {
      get value() {
        return /** @type {string} */ (editor.value);
      },
      /** @param {string} code */
      show(code) {
        editor.setOptions({ value: code });
      },
      focus: () => textarea.focus(),
      remove: () => editor.remove(),
    };
  };
})();
