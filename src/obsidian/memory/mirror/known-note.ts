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

/** Returns what else a note shows and may change: titles of records, paths of files. */
function linksOf(note: MirrorNote): string {
  if (note.kind === 'state') {
    const { savedFiles, activeFiles } = note.subject.item;
    return savedFiles ? JSON.stringify(activeFiles) : '';
  }
  if (note.kind === 'tasks') return '';
  const { phase, needs, replacedBy } = note.linked;
  return JSON.stringify([phase, needs, replacedBy, Object.keys(note.subject.item.files)]);
}

/** Returns what a note shows, as `readMirrorFile` needs it. */
export function markedItem(note: MirrorNote | undefined): MarkedItem | undefined {
  if (note?.kind === 'state') return { kind: 'state', tags: note.subject.item.tags ?? [] };
  return note && { kind: note.kind, tags: [] };
}

/** Returns a note as it was read; as untouched if only its links differ, which renames cause. */
export async function withLinksOfApp(
  note: MirrorNote,
  content: string,
  read: MirrorFile | undefined,
): Promise<MirrorFile | undefined> {
  if (read?.kind !== 'edited' || read.id !== markId(note)) return read;
  const isOwn = isSameButLinks(content, (await mirrorText(note)).text);
  return isOwn ? { ...read, kind: 'untouched', additions: { properties: '', tags: [] } } : read;
}
