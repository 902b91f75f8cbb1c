import { MarkdownView, TFile, type App, type Editor } from 'obsidian';
import {
  formatOpenNoteSource,
  formatSelectionSource,
  MAX_OPEN_NOTE_CHARS,
} from '../../chat/data-source.js';
import type { Message, MessagePart } from '../../model/message.js';
import { sha256 } from '../../platform/sha256.js';
import type { Savepoint } from '../savepoint.js';
import { isOffered } from '../ui/forms/text-suggest.js';
import type { DataPart } from './attachments.js';

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

/** Returns true if the note and its selection are longer than what is sent of them. */
export async function isTooLong(
  { app }: Savepoint,
  { path, selection }: OpenNote,
): Promise<boolean> {
  const file = app.vault.getFileByPath(path);
  // a character has at least one byte
  if (!file || file.stat.size + selection.length <= MAX_OPEN_NOTE_CHARS) return false;
  return (await app.vault.cachedRead(file)).length + selection.length > MAX_OPEN_NOTE_CHARS;
}

/**
 * Reads the open note for a message: the selection, if there is one, and the note's text, together
 * at most `MAX_OPEN_NOTE_CHARS` characters.
 */
export async function readOpenNote(
  { app }: Savepoint,
  { path, selection }: OpenNote,
): Promise<DataPart[]> {
  const file = app.vault.getFileByPath(path);
  if (!file) return [];
  // the app saves what is typed only after a while
  const whole = openEditor(app, file)?.getValue() ?? (await app.vault.cachedRead(file));
  const selected = firstChars(selection, MAX_OPEN_NOTE_CHARS);
  const shown = firstChars(whole, MAX_OPEN_NOTE_CHARS - selected.length);
  const source = formatOpenNoteSource(path, shown === whole ? undefined : whole.length);
  const note: DataPart = { type: 'data', source, text: shown, path, hash: await sha256(whole) };
  if (selected === '') return [note];
  const hash = await sha256(selected);
  return [{ type: 'data', source: formatSelectionSource(path), text: selected, path, hash }, note];
}

const NOT_AVAILABLE = 'This text is no longer available: only its hash was stored.';

/**
 * Returns messages for a request, in which open notes have their text again if it is unchanged, or
 * none at all if the provider does not get open notes.
 */
export function withOpenNotes(
  savepoint: Savepoint,
  path: readonly Message[],
  isSent: boolean,
): Promise<Message[]> {
  const fill = async (part: MessagePart): Promise<MessagePart[]> => {
    if (part.type !== 'data' || part.hash === undefined) return [part];
    if (!isSent || !isOffered(savepoint, part.path ?? '')) return [];
    return [part.text === '' ? { ...part, text: await currentText(savepoint, part) } : part];
  };
  return Promise.all(
    path.map(async (message) => ({
      ...message,
      parts: (await Promise.all(message.parts.map(fill))).flat(),
    })),
  );
}

async function currentText({ app }: Savepoint, { path = '', hash }: DataPart): Promise<string> {
  const file = app.vault.getFileByPath(path);
  const whole = file ? await app.vault.cachedRead(file) : '';
  if (!file || (await sha256(whole)) !== hash) return NOT_AVAILABLE;
  return firstChars(whole, MAX_OPEN_NOTE_CHARS);
}

/** Returns the beginning of a text, without half a character at its end. */
function firstChars(whole: string, limit: number): string {
  return whole.length <= limit ? whole : whole.slice(0, limit).replace(/\p{Cs}$/u, '');
}
