import { notify } from '../../../actions.js';
import { text } from '../../../i18n/index.js';
import type { Savepoint } from '../../../savepoint.js';
import { openEditor } from '../../open-note.js';

/** Inserts an answer into the last edited note, at the cursor or replacing the selection. */
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
