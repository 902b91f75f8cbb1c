import type { VaultPath } from '../model/paths.js';
import { clip } from '../model/refusal.js';

/** What is known of a file or folder without reading it. */
export interface FileInfo {
  readonly kind: 'file' | 'folder';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** What tells this file from another that was put in its place, where the platform knows (an inode). */
  readonly fileId?: string;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

export interface AppendOptions {
  /** What the file must look like for the bytes to be added; `new` when it must not exist yet. Else `FileChanged` is thrown. */
  readonly expect: 'new' | Pick<FileInfo, 'size' | 'fileId'>;
  /** Whether to return only once the bytes would survive a power cut, where the platform can promise that. */
  readonly durable: boolean;
}

/**
 * The vault as a medium. Paths are vault paths (`model/paths.ts`); `''` is the vault itself.
 * A missing file or folder is an answer, not an error; every other trouble is a `Refusal` in words.
 */
export interface Files {
  /** What lies directly in a folder; empty where there is none. */
  list(folder: VaultPath): Promise<FolderEntry[]>;
  stat(path: VaultPath): Promise<FileInfo | undefined>;
  /** The bytes from offset `from` to the end; undefined where there is no file. */
  read(path: VaultPath, from?: number): Promise<Uint8Array | undefined>;
  /**
   * Adds bytes to the end in one write, making folders as needed, and answers what the file is then.
   * One that fails leaves no part of them behind, as far as the platform can take it back.
   */
  append(path: VaultPath, bytes: Uint8Array, options: AppendOptions): Promise<FileInfo>;
  /**
   * Puts what `change` makes of a whole file in its place, making folders as needed, and answers what the file is then. No two updates
   * of a file run at a time, nor of two whose names differ only in letter case. Where the platform can, that holds for all programs of
   * this machine, whoever reads meanwhile finds the old bytes or the new, and the new survive a power cut. `change` is given the bytes
   * as they are, undefined where there is no file. It has no effect of its own, for it may be called again; what it throws leaves
   * everything as it was.
   */
  update(
    path: VaultPath,
    change: (bytes: Uint8Array | undefined) => Promise<Uint8Array>,
  ): Promise<FileInfo>;
  remove(path: VaultPath): Promise<void>;
  /** Makes a folder and those above it; fine where it is there already. */
  createFolder(path: VaultPath): Promise<void>;
  /** Whether the path, with every link on it followed, stays inside the vault; or inside a folder of it, as far as that is there. */
  isInside(path: VaultPath, folder?: VaultPath): Promise<boolean>;
}

/** The file is not as the writer left it: somebody else has changed, replaced or removed it. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged';
}

/** What an operating system's error code means for somebody who wanted to `verb` this path, and what to do. */
export function fileTrouble(verb: string, path: VaultPath, code: string): string {
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
      return `${what}: the disk answered ${code}. Try again; if it stays, check the disk.`;
  }
}
