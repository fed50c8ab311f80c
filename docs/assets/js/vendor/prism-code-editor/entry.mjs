export { createEditor } from 'prism-code-editor';
export {
  addEditorHotkey,
  defaultKeymap,
  editHistory,
  editorCommands,
  setIgnoreTab,
} from 'prism-code-editor/commands';
export { cursorPosition } from 'prism-code-editor/cursor';
export { matchBrackets } from 'prism-code-editor/match-brackets';
export { highlightBracketPairs } from 'prism-code-editor/highlight-brackets';
export { Token } from 'prism-code-editor/prism';
export { insertText } from 'prism-code-editor/utils';
import 'prism-code-editor/languages/python';
import 'prism-code-editor/prism/languages/python';
