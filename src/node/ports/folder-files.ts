import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import {
  FileChangedError,
  fileErrorText,
  toSpreadable,
  type AppendOptions,
  type FileInfo,
  type Files,
  type FolderEntry,
} from '../../platform/files.js';
import { KeyedMutex } from '../../platform/mutex.js';
import { errorCode, type NodeModules } from '../modules.js';
import { retryWhileBusy, withLock } from './file-lock.js';
import { listFolder } from './list-folder.js';
import { isInside } from './real-paths.js';
import {
  appendToRegularFile,
  readRegularFile,
  toFileInfo,
  writeAll,
  type FileLocation,
} from './regular-file.js';
import { ifNoEntry, isMissing } from '../system-errors.js';

type Change = Parameters<Files['update']>[1];

/** Returns the port Files over `vault`, an absolute path. `check` is as in `toSpreadable`. */
export function createFolderFiles(
  node: NodeModules,
  vault: string,
  check?: () => Promise<void>,
): Files {
  return toSpreadable(new FolderFiles(node, vault), check);
}

class FolderFiles implements Files {
  readonly #node: NodeModules;
  readonly #vault: string;
  /** Identities of the folders whose whole path would survive a power cut, by vault path. */
  readonly #syncedFolders = new Map<VaultPath, string>();
  readonly #updates = new KeyedMutex();
  #vaultCheck: Promise<void> | undefined;

  constructor(node: NodeModules, vault: string) {
    this.#node = node;
    this.#vault = vault;
  }

  async list(folder: VaultPath): Promise<FolderEntry[]> {
    const entries = await this.#attempt('read the folder', folder, () =>
      listFolder(this.#node, this.#onDisk(folder)),
    );
    return entries ?? [];
  }

  stat(path: VaultPath): Promise<FileInfo | undefined> {
    return this.#attempt('read', path, async () =>
      toFileInfo(await this.#node.fs.stat(this.#onDisk(path), { bigint: true })),
    );
  }

  read(
    path: VaultPath,
    from = 0,
    length = Infinity,
    buffer?: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array | undefined> {
    return this.#attempt('read', path, () =>
      readRegularFile(this.#node, { onDisk: this.#onDisk(path), path }, { from, length, buffer }),
    );
  }

  async append(path: VaultPath, bytes: Uint8Array, options: AppendOptions): Promise<FileInfo> {
    const { expect, durable } = options;
    const folder = this.#node.path.posix.dirname(path);
    if (expect === 'new') await this.createFolder(folder);
    try {
      const file = { onDisk: this.#onDisk(path), path };
      const info = await appendToRegularFile(this.#node, file, bytes, options);
      if (durable && expect === 'new') await this.#syncFolders(folder);
      return info;
    } catch (error) {
      throw toRefusal('write', path, error);
    }
  }

  async update(path: VaultPath, change: Change): Promise<FileInfo> {
    const folder = this.#node.path.posix.dirname(path);
    try {
      const isNew = (await this.#modeOf(this.#onDisk(path))) === undefined;
      if (isNew) {
        await change(undefined); // a change that throws must not leave an empty folder
        await this.createFolder(folder);
      }
      // A symbolic link is followed, so that it stays a link.
      const file = await this.#node.fs.realpath(this.#onDisk(path)).catch(() => this.#onDisk(path));
      let info = await this.#replaceLocked({ onDisk: file, path }, change);
      while (!info) info = await this.#replaceLocked({ onDisk: file, path }, change);
      await (isNew ? this.#syncFolders(folder) : this.#syncFolder(this.#node.path.dirname(file)));
      return info;
    } catch (error) {
      throw toRefusal('save', path, error);
    }
  }

  async remove(path: VaultPath): Promise<void> {
    await this.#attempt('remove', path, () => this.#node.fs.rm(this.#onDisk(path)));
  }

  async createFolder(path: VaultPath): Promise<void> {
    await this.#checkVault();
    try {
      await this.#node.fs.mkdir(this.#onDisk(path), { recursive: true });
    } catch (error) {
      throw toRefusal('create the folder', path, error);
    }
  }

  async isInside(path: VaultPath, folder: VaultPath = ''): Promise<boolean> {
    await this.#checkVault();
    return isInside(this.#node, this.#vault, path, folder);
  }

  #onDisk(path: VaultPath): string {
    return path === '' ? this.#vault : this.#node.path.join(this.#vault, path);
  }

  /** Returns undefined if the file is missing; throws a `Refusal` for other system errors. */
  async #attempt<T>(
    verb: string,
    path: VaultPath,
    operation: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await operation();
    } catch (error) {
      if (!isMissing(error)) throw toRefusal(verb, path, error);
      await this.#checkVaultSoon();
      return undefined;
    }
  }

  /** Operations that find a file missing at the same time share one check, begun after the last. */
  #checkVaultSoon(): Promise<void> {
    const { timers } = this.#node;
    this.#vaultCheck ??= new Promise<void>((resolve) => {
      timers.setImmediate(resolve);
    }).then(() => {
      this.#vaultCheck = undefined;
      return this.#checkVault();
    });
    return this.#vaultCheck;
  }

  /** Throws a `Refusal` if the vault is missing, because only then is a missing file an error. */
  async #checkVault(): Promise<void> {
    const info = await this.#node.fs.stat(this.#vault).catch(() => undefined);
    if (!info)
      throw new Refusal(
        `The vault "${this.#vault}" does not exist. Check the path, or connect the disk that it is on.`,
      );
    if (!info.isDirectory())
      throw new Refusal(
        `The vault "${this.#vault}" is a file, not a folder. Pass the folder that contains your notes.`,
      );
  }

  /** Syncs a folder and its parents, whose entries a new file needs to survive a power cut. */
  async #syncFolders(folder: VaultPath): Promise<void> {
    const identity = await this.#syncFolder(this.#onDisk(folder));
    const isSynced = identity !== undefined && identity === this.#syncedFolders.get(folder);
    if (folder === '.' || isSynced) return;
    await this.#syncFolders(this.#node.path.posix.dirname(folder));
    if (identity !== undefined) this.#syncedFolders.set(folder, identity);
  }

  /** Returns the folder's identity; undefined if the disk cannot sync folders. */
  async #syncFolder(folder: string): Promise<string | undefined> {
    const handle = await this.#node.fs.open(folder, 'r').catch(() => undefined);
    try {
      await handle?.sync();
      const info = await handle?.stat({ bigint: true });
      return info && `${info.ino} ${info.birthtimeNs}`;
    } catch {
      return undefined;
    } finally {
      await handle?.close().catch(() => undefined);
    }
  }

  /** Replaces the file under its lock; undefined if the lock was lost before the rename. */
  #replaceLocked(file: FileLocation, change: Change): Promise<FileInfo | undefined> {
    const lockFile = this.#lockFileOf(file.onDisk);
    const removeDraft = (token: string) =>
      this.#node.fs.rm(`${lockFile}-${token}`, { force: true });
    // One task of this process waits for the lock: many that poll the same file delay each other.
    return this.#updates.run(lockFile, () =>
      withLock(this.#node, lockFile, removeDraft, ({ token, isHeld }) =>
        this.#replace(file, `${lockFile}-${token}`, change, isHeld),
      ),
    );
  }

  /**
   * Returns the lock of a file, in its folder, under a name that Obsidian neither shows nor syncs.
   * Names that some disk treats as equal (letter case, Unicode normalization) share a lock.
   */
  #lockFileOf(file: string): string {
    const name = this.#node.path.basename(file).normalize('NFKC').toLowerCase();
    const hash = this.#node.crypto.createHash('sha256').update(name).digest('hex').slice(0, 16);
    return this.#node.path.join(this.#node.path.dirname(file), `.~savepoint-${hash}`);
  }

  /** Writes a draft and renames it; returns undefined if the lock was lost before the rename. */
  async #replace(
    file: FileLocation,
    draft: string,
    change: Change,
    isHeld: () => Promise<boolean>,
  ): Promise<FileInfo | undefined> {
    const mode = await this.#modeOf(file.onDisk);
    const old =
      mode === undefined ? undefined : await readRegularFile(this.#node, file, { verb: 'save' });
    const bytes = await change(old);
    try {
      const info = await this.#writeNew(draft, bytes, mode);
      if (!(await isHeld())) return undefined;
      await retryWhileBusy(this.#node, () => this.#node.fs.rename(draft, file.onDisk));
      return info;
    } finally {
      await this.#node.fs.rm(draft, { force: true });
    }
  }

  /** Returns undefined if there is no file. Throws other errors, because a file may exist. */
  async #modeOf(file: string): Promise<number | undefined> {
    return (await this.#node.fs.stat(file).catch(ifNoEntry(undefined)))?.mode;
  }

  async #writeNew(file: string, bytes: Uint8Array, mode: number | undefined): Promise<FileInfo> {
    const handle = await this.#node.fs.open(file, 'wx');
    try {
      // not every disk has permissions
      if (mode !== undefined) await handle.chmod(mode & 0o777).catch(() => undefined);
      await writeAll(handle, bytes);
      await handle.datasync();
      return toFileInfo(await handle.stat({ bigint: true }));
    } finally {
      await handle.close();
    }
  }
}

/**
 * Converts an operating system's error to a `Refusal`, or to a `FileChangedError` if another
 * program created or removed a file to append to; returns any other error unchanged.
 */
function toRefusal(verb: string, path: VaultPath, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  if (verb === 'write' && (code === 'EEXIST' || code === 'ENOENT'))
    return new FileChangedError(`${path} has changed`);
  return new Refusal(fileErrorText(verb, path, code), { cause: error });
}
