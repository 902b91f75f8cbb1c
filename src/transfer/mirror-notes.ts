import { compareText } from '../model/event.js';
import { allWorkspaces, eachState, type Named } from '../model/lookup.js';
import { entityOf, type Memory } from '../model/memory.js';
import type { VaultPath } from '../model/paths.js';
import type { State } from '../model/state.js';
import { crc32, crcText } from '../platform/crc32.js';
import { createNames } from '../platform/safe-file-names.js';
import { MISSING, missingWorkspaces, stateNote } from './export-notes.js';

/** A state, and where its note belongs. */
export interface MirrorNote {
  readonly path: VaultPath;
  readonly shown: Named<State>;
  readonly workspaceName: string;
}

/** Where the notes of states stand, below the data folder: no lane of the log, so its reader passes by. */
export function mirrorFolder(dataFolder: VaultPath): VaultPath {
  return `${dataFolder}/notes`;
}

/**
 * A note below `folder` for each state: a folder for each workspace, where the earlier takes the plain name. The paths in `taken`
 * belong to somebody else. Answers undefined where it has only come a little further, so that the caller can pause between any two.
 */
export function* mirrorNotes(
  memory: Memory,
  folder: VaultPath,
  taken: Iterable<VaultPath> = [],
): Generator<MirrorNote | undefined> {
  const workspaces = allWorkspaces(memory).map(({ item, displayName }) => ({
    ...item,
    workspaceName: displayName,
    folderText: displayName,
  }));
  const missing = missingWorkspaces(memory, new Set(workspaces.map(({ id }) => id)));
  const folderName = createNames();
  const places = [
    ...workspaces.sort(byCreation),
    ...missing.map(({ id, name }) => ({ id, workspaceName: name, folderText: MISSING })),
  ];
  for (const { id, workspaceName, folderText } of places) {
    const states: { id: string; createdAt: string; shown: Named<State> }[] = [];
    for (const shown of eachState(memory, id)) {
      states.push({ id: shown.item.id, createdAt: shown.item.createdAt, shown });
      yield undefined;
    }
    const below = `${folder}/${folderName(folderText)}`;
    const noteName = createNames(namesIn(below, taken));
    for (const { shown } of states.sort(byCreation))
      yield { path: `${below}/${noteName(shown.displayName)}.md`, shown, workspaceName };
  }
}

interface Made {
  readonly id: string;
  readonly createdAt: string;
}

function byCreation(a: Made, b: Made): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);
}

/** The names of the notes that lie directly in a folder, without their ending. */
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
  '%% Savepoint writes this note from its memory. What is changed here is written over; take out the property "savepoint" to keep it. %%';

/** The property that says that a note is written by a program, for which state, and the CRC-32 of the note without that line. */
const MARK = 'savepoint';
const OPENING = '---\n';
const CLOSING = '\n---\n';

/** The note of a state, with its mark. The same state gives the same text. */
export function mirrorText({
  shown,
  workspaceName,
}: Pick<MirrorNote, 'shown' | 'workspaceName'>): string {
  const text = stateNote(shown, workspaceName).replace(CLOSING, `${CLOSING}\n${WARNING}\n`);
  return `${OPENING}${markLine(shown.item.id, text)}${text.slice(OPENING.length)}`;
}

function markLine(id: string, text: string): string {
  return `${MARK}: "${/^[\w-]{1,64}$/.test(id) ? id : 'unnamed'} ${crcText(crc32(new TextEncoder().encode(text)))}"\n`;
}

/** What a note's mark says. */
export interface MirrorMark {
  /** The state that it was written for. */
  readonly id: string;
  /** Whether the note is, to the letter, what some Savepoint has written. */
  readonly isUntouched: boolean;
}

/** The mark of a note, whatever else was changed in it; undefined where it has none, and so is a person's own. */
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
 * Whether a note that stands where no note belongs may be removed: nobody has touched it, and its state is still in the memory, so
 * that its note stands elsewhere. The log deletes nothing; of a state that it does not know, this note may be the last trace.
 */
export function isLeftOver(text: string, memory: Memory): boolean {
  const mark = readMark(text);
  return mark?.isUntouched === true && entityOf(memory, mark.id).created !== undefined;
}
