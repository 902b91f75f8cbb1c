import type { VaultPath } from '../model/paths.js';
import { clip } from '../model/refusal.js';

/**
 * `file`: a regular file. `other`: a named pipe, a socket or a device; in a listing, also a link
 * whose target does not exist.
 */
export type FileKind = 'file' | 'folder' | 'other';

/** Metadata of a file or folder. */
export interface FileInfo {
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  /**
   * Milliseconds since 1970. That of a folder changes when an entry is added, removed or replaced;
   * 0 if the platform has none.
   */
  readonly mtime: number;
  /**
   * Distinguishes the file from another file that replaced it (such as an inode number); absent if
   * the platform has no such id.
   */
  readonly fileId?: string;
}

/** Step in milliseconds of the coarsest clock of a file system, that of FAT. */
export const COARSEST_STEP_MS = 2000;

/**
 * Returns false if the file may have changed after `readAt` without a new modification time: its
 * time seems to be of a coarse clock, whose step had not ended yet.
 */
export function hasSettled(mtime: number, readAt: number): boolean {
  return mtime % 1000 !== 0 || Math.abs(readAt - mtime) >= COARSEST_STEP_MS;
}

export interface FolderEntry {
  readonly name: string;
  /** A symbolic link has the kind of its target. */
  readonly kind: FileKind;
  /** Set for a symbolic link, which may lead out of the vault or back to a folder above it. */
  readonly isLink?: true;
}

export interface AppendOptions {
  /**
   * Expected state of the file; `new` if it must not exist yet. Throws a `FileChangedError` if the
   * file is in any other state.
   */
  readonly expect: 'new' | Pick<FileInfo, 'size' | 'fileId'>;
  /**
   * True to resolve only once the bytes are on stable storage (if the platform can guarantee that)
   * and in the file that the path names then. Throws a `FileReplacedError` if they may be in
   * another file.
   */
  readonly durable: boolean;
}

/**
 * File system of the vault. Paths are vault paths (`model/paths.ts`); `''` is the vault itself. A
 * missing file or folder is a normal result; every other failure is a `Refusal`.
 */
export interface Files {
  /** Returns the direct entries of a folder; empty if there is none. */
  list(folder: VaultPath): Promise<FolderEntry[]>;
  /**
   * Returns the metadata of a file; follows links. Returns undefined if there is no file, or if a
   * link leads to none.
   */
  stat(path: VaultPath): Promise<FileInfo | undefined>;
  /**
   * Returns at most `length` bytes from offset `from`; by default, all bytes up to the end. Returns
   * undefined if there is no file. Throws a `Refusal` for anything but a regular file, and never
   * waits for another program. `buffer` may be overwritten and returned in part, which is much
   * faster than a new one for many large reads.
   */
  read(
    path: VaultPath,
    from?: number,
    length?: number,
    buffer?: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array | undefined>;
  /**
   * Appends bytes in one write, creating folders as needed, and returns the file's new metadata. On
   * failure, removes what was written, as far as the platform can. Only after a
   * `FileReplacedError`, the bytes may remain.
   */
  append(path: VaultPath, bytes: Uint8Array, options: AppendOptions): Promise<FileInfo>;
  /**
   * Replaces a whole file with the result of `change`, creating folders as needed, and returns its
   * new metadata. Updates of one file, or of files whose names differ only in letter case, run one
   * at a time. If the platform can guarantee it, three more things hold: updates by all programs on
   * this machine run one at a time, a concurrent reader sees either the old or the new bytes, and
   * the new bytes are on stable storage. `change` receives the current bytes, or undefined if there
   * is no file. It may be called again, so it must be free of side effects. If it throws, nothing
   * changes.
   */
  update(
    path: VaultPath,
    change: (bytes: Uint8Array | undefined) => Promise<Uint8Array>,
  ): Promise<FileInfo>;
  remove(path: VaultPath): Promise<void>;
  /** Creates a folder and its parents; does nothing if it exists. */
  createFolder(path: VaultPath): Promise<void>;
  /**
   * Returns true if the path, with symbolic links resolved, is inside `folder`; by default, or if
   * `folder` does not exist, inside the vault.
   */
  isInside(path: VaultPath, folder?: VaultPath): Promise<boolean>;
}

/**
 * Returns the same port with own properties, because callers wrap a port by spreading it. Each
 * access first runs `check`, until `check` has succeeded once.
 */
export function toSpreadable(files: Files, check?: () => Promise<void>): Files {
  let isChecked = !check;
  async function checked<T>(access: () => Promise<T>): Promise<T> {
    if (!isChecked) await check?.();
    isChecked = true;
    return access();
  }
  return {
    list: (folder) => checked(() => files.list(folder)),
    stat: (path) => checked(() => files.stat(path)),
    read: (path, from, length, buffer) => checked(() => files.read(path, from, length, buffer)),
    append: (path, bytes, options) => checked(() => files.append(path, bytes, options)),
    update: (path, change) => checked(() => files.update(path, change)),
    remove: (path) => checked(() => files.remove(path)),
    createFolder: (path) => checked(() => files.createFolder(path)),
    isInside: (path, folder) => checked(() => files.isInside(path, folder)),
  };
}

/**
 * The file is not in the expected state, because another program has created, changed, replaced or
 * removed it.
 */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
}

/**
 * The file was replaced, removed or resized by another program while it was being appended to. The
 * bytes may or may not be in the file that the path names now.
 */
export class FileReplacedError extends Error {
  override readonly name = 'FileReplacedError';

  constructor(path: VaultPath) {
    super(`${path} was replaced while it was being appended to`);
  }
}

/** Returns the message for an attempt to `verb` something that is not a regular file. */
export function notRegularText(verb: string, path: VaultPath): string {
  return `Cannot ${verb} "${clip(path)}" in the vault: it is not a regular file. Move or remove it, and try again.`;
}

/** Returns the message for an attempt to `verb` a file that does not fit in memory. */
export function tooLargeText(verb: string, path: VaultPath): string {
  return `Cannot ${verb} "${clip(path)}" in the vault: it is larger than 2 GB. Move it out of this folder.`;
}

/**
 * Returns the message for an operating system's error code after an attempt to `verb` this path,
 * with the next step.
 */
export function fileErrorText(verb: string, path: VaultPath, code: string): string {
  const what = `Cannot ${verb} "${clip(path)}" in the vault`;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return `${what}: the disk is full. Nothing was saved; free some space and try again.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${what}: this program has no permission (${code}). Make the vault folder readable and writable for it and try again.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${what}: a file is in the way. Choose another folder, or move the file.`;
    case 'EISDIR':
      return `${what}: a folder has that name. Choose another name.`;
    case 'ENAMETOOLONG':
      return `${what}: the name is too long for this disk. Choose a shorter one.`;
    default:
      return `${what}: the disk reported ${code}. Try again; if it keeps failing, check the disk.`;
  }
}
