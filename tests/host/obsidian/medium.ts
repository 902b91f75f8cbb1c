/*
 * The storage of a vault. Paths are normalized, relative to the vault, with `/`; the root is the
 * empty string. Failures are errors with Node's `code` (ENOENT, EROFS, ENOSPC ...), as plugins get
 * them on the desktop.
 */

export interface MediumStat {
  readonly type: 'file' | 'folder';
  readonly ctime: number;
  readonly mtime: number;
  readonly size: number;
  /** Changes with every write of the file. */
  readonly version: string;
}

export interface Times {
  readonly ctime?: number;
  readonly mtime?: number;
}

export interface Medium {
  /** The folder on disk, or the path that a vault in memory claims. */
  readonly basePath: string;
  stat(path: string): Promise<MediumStat | null>;
  /** The names in a folder. */
  list(path: string): Promise<string[]>;
  /** Whether the path exists in exactly this case. */
  hasExactCase(path: string): Promise<boolean>;
  read(path: string): Promise<Uint8Array>;
  write(path: string, bytes: Uint8Array, times?: Times): Promise<void>;
  append(path: string, bytes: Uint8Array, times?: Times): Promise<void>;
  mkdir(path: string): Promise<void>;
  remove(path: string): Promise<void>;
  rmdir(path: string, isRecursive: boolean): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** URL from which a page can load the file, if the medium has one for it. */
  resourceUrl?(path: string): string;
  /** Calls back with each changed path, also if another program changed it. */
  watch(onChange: (path: string) => void): () => void;
}

export function diskError(code: string, call: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${call} '${path}'`), { code, path });
}

export const parentOf = (path: string) => path.slice(0, Math.max(path.lastIndexOf('/'), 0));

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export const joinPath = (folder: string, name: string) =>
  folder === '' ? name : `${folder}/${name}`;
