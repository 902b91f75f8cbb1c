import { Refusal } from '../../src/model/refusal.js';
import {
  FileChangedError,
  notRegularText,
  type FileInfo,
  type Files,
  type FolderEntry,
} from '../../src/platform/files.js';

interface Stored {
  bytes: Uint8Array;
  mtime: number;
  fileId: string;
}

export interface MemoryFiles extends Files {
  /** Writes a file as another program would. */
  put(path: string, content: Uint8Array | string): void;
  text(path: string): string;
  paths(): string[];
}

/** Fraction of a millisecond, because times of a fine clock are hardly ever whole seconds. */
const FRACTION = 0.5;

/**
 * An in-memory implementation of `Files`. A folder's time changes when an entry is added or
 * removed.
 */
export function createMemoryFiles(now: () => number = () => 0): MemoryFiles {
  const files = new Map<string, Stored>();
  const folders = new Map<string, number>([['', 0]]);
  let ids = 0;
  let lastUpdate: Promise<unknown> = Promise.resolve();

  function addFolders(path: string): void {
    const parts = path.split('/');
    parts.forEach((_, index) => {
      const folder = parts.slice(0, index + 1).join('/');
      if (files.has(folder))
        throw new Refusal(`"${folder}" is a file, not a folder. Choose another path.`);
      if (folders.has(folder)) return;
      folders.set(folder, now());
      touchParent(folder);
    });
  }

  function touchParent(path: string): void {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (folders.has(parent)) folders.set(parent, now());
  }

  function put(path: string, content: Uint8Array | string): void {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    addFolders(path.split('/').slice(0, -1).join('/'));
    if (!files.has(path)) touchParent(path);
    files.set(path, {
      bytes: bytes.slice(),
      mtime: now() + FRACTION,
      fileId: files.get(path)?.fileId ?? String(++ids),
    });
  }

  function infoOf({ bytes, mtime, fileId }: Stored): FileInfo {
    return { kind: 'file', size: bytes.length, mtime, fileId };
  }

  return {
    put,
    text: (path) => new TextDecoder().decode(files.get(path)?.bytes),
    paths: () => [...files.keys()].sort(),
    list(folder) {
      const prefix = folder === '' ? '' : `${folder}/`;
      const entries = new Map<string, FolderEntry>();
      const add = (path: string, kind: FolderEntry['kind']) => {
        const name = path.slice(prefix.length);
        if (path.startsWith(prefix) && name !== '' && !name.includes('/'))
          entries.set(name, { name, kind });
      };
      for (const path of folders.keys()) add(path, 'folder');
      for (const path of files.keys()) add(path, 'file');
      return Promise.resolve([...entries.values()]);
    },
    stat(path) {
      const stored = files.get(path);
      if (stored) return Promise.resolve(infoOf(stored));
      const mtime = folders.get(path);
      return Promise.resolve(mtime === undefined ? undefined : { kind: 'folder', size: 0, mtime });
    },
    read: (path, from = 0, length = Infinity) =>
      Promise.resolve().then(() => {
        if (folders.has(path)) throw new Refusal(notRegularText('read', path));
        return files.get(path)?.bytes.slice(from, from + length);
      }),
    append: (path, bytes, { expect }) =>
      Promise.resolve().then(() => {
        const stored = files.get(path);
        const isExpected =
          expect === 'new'
            ? !stored
            : stored?.bytes.length === expect.size &&
              (expect.fileId ?? stored.fileId) === stored.fileId;
        if (!isExpected) throw new FileChangedError(`${path} is not as expected`);
        const before = stored?.bytes ?? new Uint8Array();
        const joined = new Uint8Array(before.length + bytes.length);
        joined.set(before);
        joined.set(bytes, before.length);
        put(path, joined);
        return infoOf(files.get(path)!);
      }),
    update(path, change) {
      const run = lastUpdate.then(async () => {
        if (folders.has(path)) throw new Refusal(`"${path}" is a folder. Choose another path.`);
        put(path, await change(files.get(path)?.bytes.slice()));
        return infoOf(files.get(path)!);
      });
      lastUpdate = run.catch(() => undefined);
      return run;
    },
    remove(path) {
      if (files.delete(path)) touchParent(path);
      return Promise.resolve();
    },
    createFolder: (path) => Promise.resolve().then(() => addFolders(path)),
    isInside: () => Promise.resolve(true),
  };
}

/** Returns the same files on a disk whose clock has steps of two seconds, as that of FAT. */
export function onCoarseDisk<T extends Files>(files: T): T {
  const rounded = (info: FileInfo) => ({ ...info, mtime: Math.floor(info.mtime / 2000) * 2000 });
  return {
    ...files,
    async stat(path) {
      const info = await files.stat(path);
      return info && rounded(info);
    },
    append: async (...args) => rounded(await files.append(...args)),
    update: async (...args) => rounded(await files.update(...args)),
  };
}
