import type { MirrorNote } from '../../../transfer/mirror-notes.js';
import type { MarkedItem } from '../../../transfer/mirror-text.js';

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
 * Returns the titles of other records in a record's note, which change when those arrive on this
 * device.
 */
function linksOf(note: MirrorNote): string {
  if (note.kind === 'state') return '';
  const { phase, needs, replacedBy } = note.linked;
  return JSON.stringify([phase, needs, replacedBy]);
}

/** Returns the state or record of a note, as `readMirrorFile` needs it. */
export function markedItem(note: MirrorNote | undefined): MarkedItem | undefined {
  if (note?.kind === 'state') return { kind: 'state', tags: note.subject.item.tags ?? [] };
  return note && { kind: 'record', tags: [] };
}
