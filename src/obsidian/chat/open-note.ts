import { MarkdownView, TFile, type App, type Editor } from 'obsidian';
import {
  formatOpenNoteSource,
  formatSelectionSource,
  MAX_OPEN_NOTE_CHARS,
} from '../../chat/data-source.js';
import type { DataPart, Message, MessagePart } from '../../model/message.js';
import { sliceText } from '../../model/text/truncate.js';
import { sha256 } from '../../platform/sha256.js';
import { report } from '../host/logger.js';
import type { Savepoint } from '../savepoint.js';
import { isOffered } from '../ui/forms/offered-path.js';
import { isOpenNote, openNoteKey } from './sent-notes.js';

/** The note that the user has open, with the text selected in it. */
export interface OpenNote {
  readonly path: string;
  /** `''` if nothing is selected. */
  readonly selection: string;
}

/** Returns the open note; undefined if there is none or if it is in an excluded folder. */
export function findOpenNote(savepoint: Savepoint): OpenNote | undefined {
  const file = savepoint.app.workspace.getActiveFile();
  if (file?.extension !== 'md' || !isOffered(savepoint, file.path)) return undefined;
  return { path: file.path, selection: openEditor(savepoint.app, file)?.getSelection() ?? '' };
}

/** Returns the editor that was used last, if it shows the file, or any file if none is given. */
export function openEditor({ workspace }: App, file?: TFile): Editor | undefined {
  const view = workspace.getMostRecentLeaf()?.view;
  const isEditing = view instanceof MarkdownView && view.getMode() === 'source';
  return isEditing && (file === undefined || view.file === file) ? view.editor : undefined;
}

/** Returns true if the note is longer than what is sent of it. */
export async function isTooLong({ app }: Savepoint, { path }: OpenNote): Promise<boolean> {
  const file = app.vault.getFileByPath(path);
  // a character has at least one byte
  if (!file || file.stat.size <= MAX_OPEN_NOTE_CHARS) return false;
  return (await app.vault.cachedRead(file)).length > MAX_OPEN_NOTE_CHARS;
}

/** Reads the open note's selection and text, each at most `MAX_OPEN_NOTE_CHARS` characters. */
export async function readOpenNote(
  { app, sentTexts }: Savepoint,
  { path, selection }: OpenNote,
  earlier: readonly Message[],
): Promise<DataPart[]> {
  const file = app.vault.getFileByPath(path);
  if (!file) return [];
  // the app saves what is typed only after a while
  const whole = openEditor(app, file)?.getValue() ?? (await app.vault.cachedRead(file));
  const shown = sliceText(whole, 0, MAX_OPEN_NOTE_CHARS);
  const isNote = (part: MessagePart) => isOpenNote(part) && openNoteKey(part) === path;
  const first = earlier.find(({ parts }) => parts.some(isNote));
  const length = shown === whole ? undefined : whole.length;
  const source = formatOpenNoteSource(path, length, first !== undefined);
  const hash = await sha256(whole);
  if (first) await sentTexts.save(first.conversationId, hash, shown).catch(report);
  const note: DataPart = { type: 'data', source, text: first ? '' : shown, path, hash };
  const selected = sliceText(selection, 0, MAX_OPEN_NOTE_CHARS);
  if (selected === '') return [note];
  const selectedHash = await sha256(selected);
  const about = formatSelectionSource(path);
  return [{ type: 'data', source: about, text: selected, path, hash: selectedHash }, note];
}
