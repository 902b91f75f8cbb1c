import { isHidden, joinPath, type VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import type { PassagePlace } from '../../search/index.js';
import type { FileWatch } from '../../storage/index.js';

/** A note before it is read. */
export interface NoteFile {
  readonly path: VaultPath;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Bytes. */
  readonly size: number;
}

/** Contents of a vault, without skipped folders. */
export interface VaultListing {
  readonly notes: readonly NoteFile[];
  /** Every file, including notes. */
  readonly files: readonly VaultPath[];
  /** Includes symbolic links to folders, but nothing inside those. */
  readonly folders: readonly VaultPath[];
}

/** Notes of a vault, read through the host. */
export interface NoteSource {
  /** Lists the vault without skipped folders, which are never opened. */
  list(isSkipped: (folder: VaultPath) => boolean): Promise<VaultListing>;
  /** Returns undefined if there is none. */
  stat(path: VaultPath): Promise<NoteFile | undefined>;
  /** Returns the first `MAX_NOTE_BYTES` of the text; undefined if there is no note. */
  read(path: VaultPath): Promise<string | undefined>;
  /** Returns undefined if the passage has changed. Without this method, whole notes are read. */
  readPassage?(path: VaultPath, place: PassagePlace): Promise<string | undefined>;
  /** File events. Without them each search scans the vault. */
  readonly watch?: FileWatch | undefined;
}

/** Only the beginning of a longer note is read. */
export const MAX_NOTE_BYTES = 64_000_000;
const IO_BATCH_SIZE = 64;

export function isNote(path: VaultPath): boolean {
  return /\.md$/i.test(path) && !isHidden(path);
}

/** Reads the Markdown files of a vault on disk, without hidden files and folders. */
export function createFileNoteSource(files: Files, watch?: FileWatch): NoteSource {
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
        const some = open.splice(0, IO_BATCH_SIZE);
        const lists = await Promise.all(some.map((folder) => files.list(folder)));
        lists.forEach((entries, at) => {
          for (const { name, kind, isLink } of entries) {
            const path = joinPath(some[at]!, name);
            if (name.startsWith('.')) continue;
            if (kind === 'file') found.push(path);
            else if (kind === 'folder' && !isSkipped(path)) {
              folders.push(path);
              if (!isLink) open.push(path); // a link may lead back to a folder above it
            }
          }
        });
      }
      const paths = found.filter(isNote);
      const notes: NoteFile[] = [];
      for (let at = 0; at < paths.length; at += IO_BATCH_SIZE) {
        const some = await Promise.all(paths.slice(at, at + IO_BATCH_SIZE).map(stat));
        for (const note of some) if (note) notes.push(note);
      }
      return { notes, files: found, folders };
    },
    async read(path) {
      const bytes = await files.read(path, 0, MAX_NOTE_BYTES);
      return bytes && decodeNote(bytes);
    },
    async readPassage(path, { start, end, startByte, endByte }) {
      const bytes = await files.read(path, startByte, endByte - startByte);
      const text = bytes && decoder.decode(bytes);
      return text?.length === end - start ? text : undefined;
    },
  };
}

const decoder = new TextDecoder();

/** Decodes UTF-8, or UTF-16 with a byte order mark. */
export function decodeNote(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return decoder.decode(bytes);
}

/** Frequent in other encodings and in binary files; a power cut leaves runs of NULs in a text. */
const ODD_CHARACTERS = /\ufffd|[^\0]\0(?!\0)/g;
const SAMPLE_LENGTH = 8_000;
const MAX_ODD_SHARE = 1 / 8;

/** Says what is wrong with a decoded text; undefined if it is readable. */
export function encodingProblem(text: string): string | undefined {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const odd = sample.match(ODD_CHARACTERS)?.length ?? 0;
  return odd > sample.length * MAX_ODD_SHARE ? 'not text in UTF-8 or UTF-16' : undefined;
}
