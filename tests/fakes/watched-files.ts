import type { AppendOptions, FileInfo, Files } from '../../src/platform/files.js';

export interface WatchedFiles extends Files {
  /** Path and number of bytes of every attempted append. */
  readonly appends: { path: string; size: number; isDurable: boolean }[];
  /** Every path that was read. */
  readonly reads: string[];
  /** Paths of which only the end was read. */
  readonly tails: string[];
  /** Runs before each append. If it throws, the append fails with that error. */
  beforeAppend: (path: string, bytes: Uint8Array, options: AppendOptions) => Promise<void> | void;
  /** Runs before each read and each listing. */
  beforeRead: (path: string) => Promise<void> | void;
}

/** Wraps files to record calls and to fail on demand. */
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
    async read(path, from, length) {
      watched.reads.push(path);
      if (from) watched.tails.push(path);
      await watched.beforeRead(path);
      return files.read(path, from, length);
    },
    async list(folder) {
      await watched.beforeRead(folder);
      return files.list(folder);
    },
  };
  return watched;
}
