import { compareText } from '../model/event.js';
import { allWorkspaces, eachState, type Named } from '../model/lookup.js';
import { entityOf, type Memory } from '../model/memory.js';
import type { VaultPath } from '../model/paths.js';
import type { State } from '../model/state.js';
import { crc32, crcText } from '../platform/crc32.js';
import { createFileNames } from '../platform/safe-file-names.js';
import { MISSING_WORKSPACE_FOLDER, missingWorkspaces, stateNote } from './export-notes.js';

/** The note of a state and its path. */
export interface MirrorNote {
  readonly path: VaultPath;
  readonly state: Named<State>;
  readonly workspaceName: string;
}

/** Returns the folder of the state notes. It is below the data folder but is not a lane, so log readers ignore it. */
export function mirrorFolder(dataFolder: VaultPath): VaultPath {
  return `${dataFolder}/notes`;
}

/**
 * Yields a note for each state, in one folder per workspace below `folder`. Of states with the same name, the earliest gets the
 * unnumbered name. `taken` has the paths of notes that are not the mirror's. Yields undefined in between so that the caller can pause.
 */
export function* mirrorNotes(
  memory: Memory,
  folder: VaultPath,
  taken: Iterable<VaultPath> = [],
): Generator<MirrorNote | undefined> {
  const workspaces = allWorkspaces(memory).map(({ item, displayName }) => ({
    ...item,
    workspaceName: displayName,
    folderBaseName: displayName,
  }));
  const missing = missingWorkspaces(memory, new Set(workspaces.map(({ id }) => id)));
  const folderName = createFileNames();
  const folders = [
    ...workspaces.sort(byCreation),
    ...missing.map(({ id, name }) => ({
      id,
      workspaceName: name,
      folderBaseName: MISSING_WORKSPACE_FOLDER,
    })),
  ];
  for (const { id, workspaceName, folderBaseName } of folders) {
    const states: { id: string; createdAt: string; state: Named<State> }[] = [];
    for (const state of eachState(memory, id)) {
      states.push({ id: state.item.id, createdAt: state.item.createdAt, state });
      yield undefined;
    }
    const notesFolder = `${folder}/${folderName(folderBaseName)}`;
    const noteName = createFileNames(namesIn(notesFolder, taken));
    for (const { state } of states.sort(byCreation))
      yield { path: `${notesFolder}/${noteName(state.displayName)}.md`, state, workspaceName };
  }
}

interface HasCreation {
  readonly id: string;
  readonly createdAt: string;
}

function byCreation(a: HasCreation, b: HasCreation): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);
}

/** Returns the names of the notes directly in a folder, without extension. */
function namesIn(folder: VaultPath, paths: Iterable<VaultPath>): string[] {
  const names: string[] = [];
  for (const path of paths) {
    const at = path.lastIndexOf('/');
    if (path.slice(0, at).toLowerCase() === folder.toLowerCase())
      names.push(path.slice(at + 1).replace(/\.md$/iu, ''));
  }
  return names;
}

const WARNING =
  '%% Savepoint writes this note from its memory. Changes made here are overwritten. To keep them, remove the property "savepoint". %%';

/** Property that marks a generated note. It has the id of the state and the CRC-32 of the note without the property's line. */
const MARK_PROPERTY = 'savepoint';
const OPENING = '---\n';
const CLOSING = '\n---\n';

/** Returns the text of a state's note with its mark. The same state gives the same text. */
export function mirrorText({
  state,
  workspaceName,
}: Pick<MirrorNote, 'state' | 'workspaceName'>): string {
  const text = stateNote(state, workspaceName).replace(CLOSING, `${CLOSING}\n${WARNING}\n`);
  return `${OPENING}${markLine(state.item.id, text)}${text.slice(OPENING.length)}`;
}

function markLine(id: string, text: string): string {
  const name = /^[\w-]{1,64}$/.test(id) ? id : 'unnamed';
  const checksum = crcText(crc32(new TextEncoder().encode(text)));
  return `${MARK_PROPERTY}: "${name} ${checksum}"\n`;
}

/** The parsed mark of a note. */
export interface MirrorMark {
  /** Id of the state. */
  readonly id: string;
  /** True if the note is byte for byte as Savepoint wrote it. */
  readonly isUntouched: boolean;
}

/** Parses a note's mark, even if the note was edited. Returns undefined for a note without a mark, which is the user's own. */
export function readMark(text: string): MirrorMark | undefined {
  const head = /^\u{FEFF}?---\r?\n([^]*?)\r?\n---(?:\r?\n|$)/u.exec(text)?.[1];
  const id =
    head === undefined
      ? undefined
      : /^savepoint:[ \t]*["']?([\w-]{1,64}) [0-9a-f]{8}["']?[ \t]*\r?$/mu.exec(head)?.[1];
  if (id === undefined) return undefined;
  const line = text.slice(OPENING.length, text.indexOf('\n', OPENING.length) + 1);
  return { id, isUntouched: line === markLine(id, text.replace(line, '')) };
}

/**
 * Returns true if a note may be removed, that is, if it was not edited and its state is in the memory, from which the note can be
 * written again. The note of a state that the log does not know may be that state's last copy.
 */
export function isStaleNote(text: string, memory: Memory): boolean {
  const mark = readMark(text);
  return mark?.isUntouched === true && entityOf(memory, mark.id).created !== undefined;
}
