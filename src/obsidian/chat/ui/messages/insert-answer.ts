import { notify } from '../../../actions.js';
import { text } from '../../../i18n/index.js';
import type { Savepoint } from '../../../savepoint.js';
import { openEditor } from '../../open-note.js';

/**
 * Writes an answer into the note that was edited last, at the cursor or in place of the selection.
 * The editor can undo it.
 */
export function insertAnswer({ app }: Savepoint, words: string, isReplacing: boolean): void {
  const { noEditor, noSelection, inserted, replaced } = text.chat.insert;
  const editor = openEditor(app);
  if (!editor) return void notify(noEditor);
  if (!isReplacing) editor.setCursor(editor.getCursor('to'));
  else if (editor.getSelection() === '') return void notify(noSelection);
  editor.replaceSelection(words);
  editor.focus();
  notify(isReplacing ? replaced : inserted);
}
