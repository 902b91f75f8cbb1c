import type { MirrorNote } from '../../../transfer/mirror/mirror-notes.js';
import {
  isSameButLinks,
  markId,
  mirrorText,
  type MarkedItem,
  type MirrorFile,
} from '../../../transfer/mirror/mirror-text.js';

/** The values from which an up-to-date note was written, and the hash in its mark. */
export type KnownNote = Pick<MirrorNote, 'workspaceName'> &
  Pick<MirrorNote['subject'], 'entity' | 'displayName'> & {
    readonly links: string;
    readonly hash: string;
  };

export function knownNote(note: MirrorNote, hash: string): KnownNote {
  const { subject, workspaceName } = note;
  const { entity, displayName } = subject;
  return { entity, displayName, workspaceName, links: linksOf(note), hash };
}

/** Returns true if the note would have the same text as when it was last known to be up to date. */
export function isAsKnown(known: KnownNote | undefined, note: MirrorNote): boolean {
  return (
    known?.entity === note.subject.entity &&
    known.displayName === note.subject.displayName &&
    known.workspaceName === note.workspaceName &&
    known.links === linksOf(note)
  );
}

/**
 * Returns what else a note shows: tasks, the titles of other records, which change when those
 * arrive on this device, and the paths of its files, which change when they are renamed.
 */
function linksOf(note: MirrorNote): string {
  if (note.kind === 'state') {
    const { savedFiles, activeFiles } = note.subject.item;
    return savedFiles ? JSON.stringify(activeFiles) : '';
  }
  if (note.kind === 'tasks') return JSON.stringify(note.list);
  const { phase, needs, replacedBy } = note.linked;
  return JSON.stringify([phase, needs, replacedBy, Object.keys(note.subject.item.files)]);
}

/** Returns what a note shows, as `readMirrorFile` needs it. */
export function markedItem(note: MirrorNote | undefined): MarkedItem | undefined {
  if (note?.kind === 'state') return { kind: 'state', tags: note.subject.item.tags ?? [] };
  return note && { kind: note.kind, tags: [] };
}

/**
 * Returns a note as it was read, at the path of `note`. It is untouched if only its links differ:
 * the app rewrites them when the user renames a note.
 */
export async function withLinksOfApp(
  note: MirrorNote,
  content: string,
  read: MirrorFile | undefined,
): Promise<MirrorFile | undefined> {
  if (read?.kind !== 'edited' || read.id !== markId(note)) return read;
  const isOwn = isSameButLinks(content, (await mirrorText(note)).text);
  return isOwn ? { ...read, kind: 'untouched', additions: { properties: '', tags: [] } } : read;
}
