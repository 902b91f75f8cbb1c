import type { DataAdapter } from 'obsidian';
import type { VaultPath } from '../../model/paths.js';
import { clip, Refusal } from '../../model/refusal.js';
import type { Clock } from '../../platform/clock.js';
import {
  FileChanged,
  fileTrouble,
  type AppendOptions,
  type FileInfo,
  type Files,
  type FolderEntry,
} from '../../platform/files.js';

type Change = Parameters<Files['update']>[1];

/** A folder in which something vanishes while it is listed is listed again so often, so many milliseconds later each time. */
const LIST_TRIES = 5;
const LIST_PAUSE = 20;
/** So often a file may change between the look and the write before it is left alone. */
const UPDATE_TRIES = 5;

/**
 * The port Files over the app's own adapter: for phones, where there is nothing below it. It cannot promise that bytes survive
 * a power cut, nor take back a part that was written before the disk was full: readers pass over such a part.
 */
export function createVaultFiles(adapter: DataAdapter, clock: Clock): Files {
  const pause = () => new Promise<void>((resolve) => void clock.after(LIST_PAUSE, resolve));

  async function stat(path: VaultPath): Promise<FileInfo | undefined> {
    if (path === '') return { kind: 'folder', size: 0, mtime: 0 };
    const found = await attempt('read', path, () => adapter.stat(path));
    return found
      ? { kind: found.type, size: found.type === 'file' ? found.size : 0, mtime: found.mtime }
      : undefined;
  }

  /** Runs one operation; its trouble becomes a sentence, but where there is no such file the answer is undefined. */
  async function attempt<T>(
    verb: string,
    path: VaultPath,
    operation: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await operation();
    } catch (error) {
      if (isMissing(error) || (await isGone(path))) return undefined;
      throw inWords(verb, path, error);
    }
  }

  /** Only where the adapter says so: what cannot be looked at may well be there. */
  async function isGone(path: VaultPath): Promise<boolean> {
    return adapter.stat(path).then(
      (info) => info === null,
      (error: unknown) => isMissing(error),
    );
  }

  async function list(folder: VaultPath): Promise<FolderEntry[]> {
    for (let tries = 1; ; tries++) {
      const info = await stat(folder);
      if (info?.kind !== 'folder') return [];
      try {
        const { files, folders } = await adapter.list(folder === '' ? '/' : folder);
        const named = (kind: FolderEntry['kind']) => (path: string) => ({
          name: path.slice(path.lastIndexOf('/') + 1),
          kind,
        });
        return [...files.map(named('file')), ...folders.map(named('folder'))];
      } catch (error) {
        if (tries === LIST_TRIES) throw inWords('read the folder', folder, error);
        await pause();
      }
    }
  }

  async function createFolder(path: VaultPath): Promise<void> {
    if (path === '') return;
    const info = await stat(path);
    if (info?.kind === 'folder') return;
    if (info) throw new Refusal(fileTrouble('make the folder', path, 'EEXIST'));
    await createFolder(folderOf(path));
    try {
      await adapter.mkdir(path);
    } catch (error) {
      if ((await stat(path))?.kind !== 'folder') throw inWords('make the folder', path, error);
    }
  }

  /** The adapter cannot look and write in one step, so the looks and writes of this process come one after another. */
  let lastWrite: Promise<unknown> = Promise.resolve();

  async function append(
    path: VaultPath,
    bytes: Uint8Array,
    { expect }: AppendOptions,
  ): Promise<FileInfo> {
    const before = await stat(path);
    const isLeft =
      expect !== 'new' &&
      before?.kind === 'file' &&
      before.size === expect.size &&
      expect.fileId === undefined;
    if (expect === 'new' ? before : !isLeft) throw new FileChanged(`${path} is not as it was left`);
    const data = bytes.slice().buffer;
    try {
      if (expect === 'new') await createFolder(folderOf(path));
      await (expect === 'new' ? adapter.writeBinary(path, data) : adapter.appendBinary(path, data));
    } catch (error) {
      throw inWords('write', path, error);
    }
    const after = await stat(path);
    if (after?.size !== (before?.size ?? 0) + bytes.length) throw new Refusal(inDoubt(path));
    return after;
  }

  async function read(path: VaultPath, from = 0): Promise<Uint8Array | undefined> {
    if ((await stat(path))?.kind !== 'file') return undefined;
    const bytes = await attempt('read', path, () => adapter.readBinary(path));
    return bytes && new Uint8Array(bytes).subarray(from);
  }

  async function update(path: VaultPath, change: Change): Promise<FileInfo> {
    for (let tries = 0; tries < UPDATE_TRIES; tries++) {
      const before = await stat(path);
      if (before?.kind === 'folder') throw new Refusal(fileTrouble('save', path, 'EISDIR'));
      const old = before && (await read(path));
      if (before && !old) continue;
      const bytes = await change(old);
      const now = await stat(path);
      if (now?.size !== before?.size || now?.mtime !== before?.mtime) continue;
      if (!now) await createFolder(folderOf(path));
      await overwrite(path, bytes, old);
      const after = await stat(path);
      if (after?.size !== bytes.length) throw new Refusal(inDoubt(path));
      return after;
    }
    throw new Refusal(
      `Another program changes "${clip(path)}" all the time. Nothing was saved; try again.`,
    );
  }

  /** The adapter writes in place: a write that fails is taken back as far as it can be. */
  async function overwrite(
    path: VaultPath,
    bytes: Uint8Array,
    old: Uint8Array | undefined,
  ): Promise<void> {
    try {
      await adapter.writeBinary(path, bytes.slice().buffer);
    } catch (error) {
      const undo = () =>
        old ? adapter.writeBinary(path, old.slice().buffer) : adapter.remove(path);
      await undo().catch(() => undefined); // the caller is told of the write that failed
      throw inWords('save', path, error);
    }
  }

  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = lastWrite.then(task);
    lastWrite = run.catch(() => undefined); // whoever asked for it hears of it
    return run;
  }

  return {
    stat,
    list,
    createFolder,
    read,
    append: (path, bytes, options) => inTurn(() => append(path, bytes, options)),
    update: (path, change) => inTurn(() => update(path, change)),
    async remove(path) {
      if (await stat(path)) await attempt('remove', path, () => adapter.remove(path));
    },
    isInside: () => Promise.resolve(true), // links are not followed out of a phone's vault
  };
}

/** The bytes may be there: who is told that nothing was written would write them again. */
function inDoubt(path: VaultPath): string {
  return `Another program changed "${clip(path)}" while it was written, so it may or may not have been saved. Look before you try again.`;
}

function folderOf(path: VaultPath): VaultPath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

function inWords(verb: string, path: VaultPath, error: unknown): unknown {
  if (error instanceof Refusal || !(error instanceof Error)) return error;
  return new Refusal(fileTrouble(verb, path, codeOf(error) ?? error.message), { cause: error });
}
