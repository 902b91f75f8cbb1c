import type { AppendOptions, FileInfo, Files } from '../../src/platform/files.js';

export interface WatchedFiles extends Files {
  /** Every append that was tried: where, and how many bytes. */
  readonly appends: { path: string; size: number; isDurable: boolean }[];
  /** Every path that was read. */
  readonly reads: string[];
  /** Those of which only the end was read. */
  readonly tails: string[];
  /** Runs before each append; what it throws is what the append fails with. */
  beforeAppend: (path: string, bytes: Uint8Array, options: AppendOptions) => Promise<void> | void;
  /** Runs before each read and each listing. */
  beforeRead: (path: string) => Promise<void> | void;
}

/** Files that pass everything on to others, count it, and fail when they are told to. */
export function watchFiles(files: Files): WatchedFiles {
  const watched: WatchedFiles = {
    ...files,
    appends: [],
    reads: [],
    tails: [],
    beforeAppend: () => undefined,
    beforeRead: () => undefined,
    async append(path, bytes, options): Promise<FileInfo> {
      watched.appends.push({ path, size: bytes.length, isDurable: options.durable });
      await watched.beforeAppend(path, bytes, options);
      return files.append(path, bytes, options);
    },
    async read(path, from) {
      watched.reads.push(path);
      if (from) watched.tails.push(path);
      await watched.beforeRead(path);
      return files.read(path, from);
    },
    async list(folder) {
      await watched.beforeRead(folder);
      return files.list(folder);
    },
  };
  return watched;
}
