import type { VaultPath } from '../model/paths.js';
import { clip, Refusal } from '../model/refusal.js';

/** `other`: a pipe, a socket or a device; in a listing, also a link to nothing. */
export type FileKind = 'file' | 'folder' | 'other';

export interface FileInfo {
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, 0 if unknown. A folder's changes when its set of entries does. */
  readonly mtime: number;
  /** Tells the file from one that replaced it (such as an inode number), if the platform can. */
  readonly fileId?: string;
}

/** Step of the coarsest clock of a file system, that of FAT. */
export const COARSEST_STEP_MS = 2000;

/** Returns false if a coarse clock may hide a change after `readAt` behind the same `mtime`. */
export function hasSettled(mtime: number, readAt: number): boolean {
  return mtime % 1000 !== 0 || Math.abs(readAt - mtime) >= COARSEST_STEP_MS;
}

export interface FolderEntry {
  readonly name: string;
  /** That of the target for a symbolic link. */
  readonly kind: FileKind;
  /** A link may lead out of the vault, or back to a folder above it. */
  readonly isLink?: true;
}

export interface AppendOptions {
  /** Expected state, `new` for no file; in any other, throws a `FileChangedError`. */
  readonly expect: 'new' | Pick<FileInfo, 'size' | 'fileId'>;
  /**
   * True to resolve only once the bytes are on stable storage, if the platform can guarantee that,
   * and in the file that the path names then; else throws a `FileReplacedError`.
   */
  readonly durable: boolean;
}

/**
 * File system of the vault; `''` is the vault itself. A missing file or folder is a normal result;
 * every other failure is a `Refusal`.
 */
export interface Files {
  /** Returns the direct entries of a folder; empty if it is missing. */
  list(folder: VaultPath): Promise<FolderEntry[]>;
  /** Follows links. Returns undefined if there is no file, or if a link leads to none. */
  stat(path: VaultPath): Promise<FileInfo | undefined>;
  /**
   * Returns at most `length` bytes from `from`; undefined if there is no file. Throws a `Refusal`
   * for anything but a regular file, and never waits for another program. `buffer` may be
   * overwritten and returned in part, which is much faster for many large reads.
   */
  read(
    path: VaultPath,
    from?: number,
    length?: number,
    buffer?: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array | undefined>;
  /**
   * Appends in one write, creating folders as needed. On failure, removes what was written, as far
   * as the platform can; only after a `FileReplacedError`, the bytes may remain.
   */
  append(path: VaultPath, bytes: Uint8Array, options: AppendOptions): Promise<FileInfo>;
  /**
   * Replaces a file with the result of `change`, creating folders as needed. Updates of one file,
   * in any letter case, run one at a time. If the platform can guarantee it, that holds for all
   * programs on this machine, a concurrent reader sees the old or the new bytes, and the new ones
   * are on stable storage. `change` receives undefined if there is no file. It may be called again,
   * so it must be free of side effects. If it throws, nothing changes.
   */
  update(
    path: VaultPath,
    change: (bytes: Uint8Array | undefined) => Promise<Uint8Array>,
  ): Promise<FileInfo>;
  remove(path: VaultPath): Promise<void>;
  /** Creates parents as well; does nothing if the folder exists. */
  createFolder(path: VaultPath): Promise<void>;
  /** Resolves links first. Without a folder, or if it does not exist, checks the vault. */
  isInside(path: VaultPath, folder?: VaultPath): Promise<boolean>;
}

/** Returns the port as a spreadable object. Runs `check` before access until it succeeds once. */
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

/** Reads a file; undefined also if it cannot be read now, such as one not downloaded yet. */
export function readIfPossible(
  files: Pick<Files, 'read'>,
  path: VaultPath,
): Promise<Uint8Array | undefined> {
  return files.read(path).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
}

/** Another program has created, changed, replaced or removed the file since it was read. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
}

/** Another program replaced the file during an append, so the bytes may or may not be in it. */
export class FileReplacedError extends Error {
  override readonly name = 'FileReplacedError';

  constructor(path: VaultPath) {
    super(`${path} was replaced while it was being appended to`);
  }
}

/** Message for something that is not a regular file. */
export function notRegularText(verb: string, path: VaultPath): string {
  return `Cannot ${verb} "${clip(path)}" in the vault: it is not a regular file. Move or remove it, and try again.`;
}

/** Message for a file that does not fit in memory. */
export function tooLargeText(verb: string, path: VaultPath): string {
  return `Cannot ${verb} "${clip(path)}" in the vault: it is larger than 2 GB. Move it out of this folder.`;
}

/** Message for an operating system's error code, with the next step. */
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
