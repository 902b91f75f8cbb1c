import { isHidden, type VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import type { Watch } from '../../storage/change-feed.js';

/** A note as it is known before it is read. */
export interface NoteFile {
  readonly path: VaultPath;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Bytes. */
  readonly size: number;
}

/** What there is in a vault. */
export interface VaultListing {
  readonly notes: readonly NoteFile[];
  /** Every file, notes among them, and every folder. */
  readonly files: readonly VaultPath[];
  readonly folders: readonly VaultPath[];
}

/** The notes of a vault, as the host knows them. */
export interface NoteSource {
  /** Leaves out folders that are skipped, with all that is in them, and never looks into them. */
  list(isSkipped: (folder: VaultPath) => boolean): Promise<VaultListing>;
  /** Undefined where there is no such note. */
  stat(path: VaultPath): Promise<NoteFile | undefined>;
  /** The text, as much of it as is searched; undefined where there is none. */
  read(path: VaultPath): Promise<string | undefined>;
  /** How to hear of changes; without it one must look. */
  readonly watch?: Watch | undefined;
}

/** More of a note is not read, in bytes. */
export const NOTE_LIMIT = 4_000_000;
/** So many files are asked for at a time. */
const AT_ONCE = 64;

export function isNote(path: VaultPath): boolean {
  return /\.md$/i.test(path) && !isHidden(path);
}

/** The notes as files, looked for in every folder. */
export function createFileNotes(files: Files, watch?: Watch): NoteSource {
  async function stat(path: VaultPath): Promise<NoteFile | undefined> {
    const info = await files.stat(path);
    return info?.kind === 'file' ? { path, mtime: info.mtime, size: info.size } : undefined;
  }

  return {
    stat,
    watch,
    async list(isSkipped) {
      const found: VaultPath[] = [];
      const folders: VaultPath[] = [];
      for (let open: VaultPath[] = ['']; open.length > 0;) {
        const some = open.splice(0, AT_ONCE);
        const lists = await Promise.all(some.map((folder) => files.list(folder)));
        lists.forEach((entries, at) => {
          for (const { name, kind } of entries) {
            const path = some[at] === '' ? name : `${some[at]!}/${name}`;
            if (name.startsWith('.')) continue;
            if (kind === 'file') found.push(path);
            else if (!isSkipped(path)) {
              folders.push(path);
              open.push(path);
            }
          }
        });
      }
      const paths = found.filter(isNote);
      const notes: NoteFile[] = [];
      for (let at = 0; at < paths.length; at += AT_ONCE) {
        const some = await Promise.all(paths.slice(at, at + AT_ONCE).map(stat));
        for (const note of some) if (note) notes.push(note);
      }
      return { notes, files: found, folders };
    },
    async read(path) {
      const bytes = await files.read(path);
      return bytes && decoder.decode(bytes.subarray(0, NOTE_LIMIT));
    },
  };
}

const decoder = new TextDecoder();
