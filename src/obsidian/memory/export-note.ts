import { TFile, type App } from 'obsidian';
import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import { createFileNames } from '../../platform/safe-file-names.js';
import { stateNote } from '../../transfer/export-notes.js';
import { notify } from '../actions.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';

/** Exports the state to a new note, in the folder for new notes, and opens it. */
export async function exportAsNote(
  { app }: Savepoint,
  state: Named<State>,
  workspaceName: string,
): Promise<void> {
  const { path } = await createNote(app, state.displayName, stateNote(state, workspaceName));
  notify(text.memoryView.exported(path));
}

/** Creates a note with an unused name in the folder for new notes and opens it. */
export async function createNote(app: App, title: string, markdown: string): Promise<TFile> {
  const folder = app.fileManager.getNewFileParent('');
  const taken = folder.children.flatMap((child) =>
    child instanceof TFile && child.extension === 'md' ? child.basename : [],
  );
  const path = `${folder.isRoot() ? '' : `${folder.path}/`}${createFileNames(taken)(title)}.md`;
  const file = await app.vault.create(path, markdown);
  await app.workspace.getLeaf('tab').openFile(file);
  return file;
}
