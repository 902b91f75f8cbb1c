import type { DataAdapter } from 'obsidian';
import type { VaultPath } from '../../model/paths.js';
import { clip, Refusal } from '../../model/refusal.js';
import { utf8Text } from '../../platform/bytes/bytes.js';
import type { Clock } from '../../platform/clock.js';
import {
  FileChangedError,
  fileErrorText,
  FileReplacedError,
  notRegularText,
  toSpreadable,
  type AppendOptions,
  type FileInfo,
  type Files,
  type FolderEntry,
} from '../../platform/files.js';

type Change = Parameters<Files['update']>[1];

/** Attempts to list a folder that changes while it is being listed. */
const MAX_LIST_ATTEMPTS = 5;
const LIST_RETRY_INTERVAL_MS = 20;
/** Attempts to update a file that changes between reading and writing. */
const MAX_UPDATE_ATTEMPTS = 5;

/**
 * Returns a `Files` port backed by the app's adapter, for phones. Writes may be lost in a power
 * cut. If the disk fills up during an append, a fragment remains, which readers skip.
 */
export function createVaultFiles(adapter: DataAdapter, clock: Clock): Files {
  return toSpreadable(new VaultFiles(adapter, clock));
}

class VaultFiles implements Files {
  readonly #adapter: DataAdapter;
  readonly #clock: Clock;
  /** Serializes this process's writes, because the adapter cannot check and write in one step. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(adapter: DataAdapter, clock: Clock) {
    this.#adapter = adapter;
    this.#clock = clock;
  }

  async stat(path: VaultPath): Promise<FileInfo | undefined> {
    if (path === '') return { kind: 'folder', size: 0, mtime: 0 };
    const info = await this.#attempt('read', path, () => this.#adapter.stat(path));
    if (!info) return undefined;
    return { kind: info.type, size: info.type === 'file' ? info.size : 0, mtime: info.mtime };
  }

  async list(folder: VaultPath): Promise<FolderEntry[]> {
    for (let attempt = 1; ; attempt++) {
      const info = await this.stat(folder);
      if (info?.kind !== 'folder') return [];
      try {
        const { files, folders } = await this.#adapter.list(folder === '' ? '/' : folder);
        return [...files.map(toEntry('file')), ...folders.map(toEntry('folder'))];
      } catch (error) {
        if (attempt === MAX_LIST_ATTEMPTS) throw toRefusal('read the folder', folder, error);
        await this.#sleep(LIST_RETRY_INTERVAL_MS);
      }
    }
  }

  async createFolder(path: VaultPath): Promise<void> {
    if (path === '') return;
    const info = await this.stat(path);
    if (info?.kind === 'folder') return;
    if (info) throw new Refusal(fileErrorText('create the folder', path, 'EEXIST'));
    await this.createFolder(folderOf(path));
    try {
      await this.#adapter.mkdir(path);
    } catch (error) {
      if ((await this.stat(path))?.kind !== 'folder')
        throw toRefusal('create the folder', path, error);
    }
  }

  /** Always resolves with true, because a phone does not follow links out of the vault. */
  isInside(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async read(path: VaultPath, from = 0, length = Infinity): Promise<Uint8Array | undefined> {
    const info = await this.stat(path);
    if (!info) return undefined;
    if (info.kind !== 'file') throw new Refusal(notRegularText('read', path));
    const bytes = await this.#attempt('read', path, () => this.#adapter.readBinary(path));
    return bytes && new Uint8Array(bytes).subarray(from, from + length);
  }

  append(path: VaultPath, bytes: Uint8Array, options: AppendOptions): Promise<FileInfo> {
    return this.#enqueue(() => this.#append(path, bytes, options));
  }

  update(path: VaultPath, change: Change): Promise<FileInfo> {
    return this.#enqueue(() => this.#update(path, change));
  }

  async remove(path: VaultPath): Promise<void> {
    if (await this.stat(path))
      await this.#attempt('remove', path, () => this.#adapter.remove(path));
  }

  /** Runs an operation; undefined if the file is missing. Throws a `Refusal` for other errors. */
  async #attempt<T>(
    verb: string,
    path: VaultPath,
    operation: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await operation();
    } catch (error) {
      if (isMissing(error) || (await this.#isGone(path))) return undefined;
      throw toRefusal(verb, path, error);
    }
  }

  /** Returns true only if the adapter says so: a file that cannot be inspected may exist. */
  async #isGone(path: VaultPath): Promise<boolean> {
    return this.#adapter.stat(path).then(
      (info) => info === null,
      (error: unknown) => isMissing(error),
    );
  }

  async #append(path: VaultPath, bytes: Uint8Array, { expect }: AppendOptions): Promise<FileInfo> {
    const before = await this.stat(path);
    if (!isAsExpected(before, expect)) throw new FileChangedError(`${path} has changed`);
    try {
      if (expect === 'new') {
        await this.createFolder(folderOf(path));
        await this.#adapter.writeBinary(path, bytes.slice().buffer);
      } else await this.#extend(path, bytes);
    } catch (error) {
      throw toRefusal('write', path, error);
    }
    const after = await this.stat(path);
    // The adapter does not identify files, so a replacement of the same size is not noticed.
    if (after?.size !== (before?.size ?? 0) + bytes.length) throw new FileReplacedError(path);
    return after;
  }

  /** Appends text as text: to append bytes, a phone may rewrite the file and lose it if killed. */
  async #extend(path: VaultPath, bytes: Uint8Array): Promise<void> {
    const text = utf8Text(bytes);
    await (text === undefined
      ? this.#adapter.appendBinary(path, bytes.slice().buffer)
      : this.#adapter.append(path, text));
  }

  async #update(path: VaultPath, change: Change): Promise<FileInfo> {
    for (let attempt = 0; attempt < MAX_UPDATE_ATTEMPTS; attempt++) {
      const before = await this.stat(path);
      if (before?.kind === 'folder') throw new Refusal(fileErrorText('save', path, 'EISDIR'));
      const old = before && (await this.read(path));
      if (before && !old) continue;
      const bytes = await change(old);
      const now = await this.read(path); // its time may be of a coarse clock
      if (now?.length !== old?.length || now?.some((byte, at) => byte !== old?.[at])) continue;
      if (!now) await this.createFolder(folderOf(path));
      await this.#overwrite(path, bytes, old);
      const after = await this.stat(path);
      if (after?.size !== bytes.length) throw new Refusal(uncertainText(path));
      return after;
    }
    throw new Refusal(
      `Another program keeps changing "${clip(path)}". Nothing was saved; try again.`,
    );
  }

  /** Overwrites in place, as the adapter cannot replace a file. On failure, tries to restore it. */
  async #overwrite(path: VaultPath, bytes: Uint8Array, old: Uint8Array | undefined): Promise<void> {
    try {
      await this.#adapter.writeBinary(path, bytes.slice().buffer);
    } catch (error) {
      const restored = old
        ? this.#adapter.writeBinary(path, old.slice().buffer)
        : this.#adapter.remove(path);
      await restored.catch(() => undefined); // the first error is the one to report
      throw toRefusal('save', path, error);
    }
  }

  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(task);
    this.#queue = run.catch(() => undefined); // the caller receives the error
    return run;
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(ms, resolve);
    });
  }
}

function toEntry(kind: FolderEntry['kind']): (path: string) => FolderEntry {
  return (path) => ({ name: path.slice(path.lastIndexOf('/') + 1), kind });
}

function isAsExpected(info: FileInfo | undefined, expect: AppendOptions['expect']): boolean {
  if (expect === 'new') return info === undefined;
  return info?.kind === 'file' && info.size === expect.size && expect.fileId === undefined;
}

/** Message for a write that may have succeeded, so that the caller does not repeat it blindly. */
function uncertainText(path: VaultPath): string {
  return `Another program changed "${clip(path)}" during the write, so it may or may not have been saved. Check before you try again.`;
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

/** Converts an adapter error to a `Refusal`. */
function toRefusal(verb: string, path: VaultPath, error: unknown): unknown {
  if (error instanceof Refusal || !(error instanceof Error)) return error;
  return new Refusal(fileErrorText(verb, path, codeOf(error) ?? error.message), { cause: error });
}
