import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import {
  FileChanged,
  fileTrouble,
  type AppendOptions,
  type FileInfo,
  type Files,
  type FolderEntry,
} from '../../platform/files.js';
import { insist, withLock } from './file-lock.js';
import { errorCode, type NodeModules } from '../modules.js';

type Change = Parameters<Files['update']>[1];

type FileHandle = Awaited<ReturnType<NodeModules['fs']['open']>>;

/** The port Files over a folder on disk. `vault` is an absolute path. */
export function createFolderFiles(
  node: Pick<NodeModules, 'fs' | 'path' | 'crypto' | 'timers'>,
  vault: string,
): Files {
  const { fs, path: paths, timers } = node;
  const onDisk = (path: VaultPath) => (path === '' ? vault : paths.join(vault, path));
  /** Folders to which the way would survive a power cut, each with what tells it from another that was made in its place. */
  const lasting = new Map<VaultPath, string>();

  /** Runs one operation; where there is no such file the answer is undefined, every other trouble is a sentence. */
  async function attempt<T>(
    verb: string,
    path: VaultPath,
    operation: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await operation();
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw inWords(verb, path, error);
      await checkVaultSoon();
      return undefined;
    }
  }

  let checking: Promise<void> | undefined;

  /** Those who miss something at the same time share one look, which begins after the last of them. */
  function checkVaultSoon(): Promise<void> {
    checking ??= new Promise<void>((resolve) => void timers.setImmediate(resolve)).then(() => {
      checking = undefined;
      return checkVault();
    });
    return checking;
  }

  /** A file that is not there is nothing special, but a vault that is not there is. */
  async function checkVault(): Promise<void> {
    const info = await fs.stat(vault).catch(() => undefined);
    if (!info)
      throw new Refusal(
        `The vault "${vault}" does not exist. Check the path, or connect the disk that it is on.`,
      );
    if (!info.isDirectory())
      throw new Refusal(
        `The vault "${vault}" is a file, not a folder. Give the folder that holds the notes.`,
      );
  }

  async function append(
    path: VaultPath,
    bytes: Uint8Array,
    { expect, durable }: AppendOptions,
  ): Promise<FileInfo> {
    if (expect === 'new') await createFolder(paths.posix.dirname(path));
    try {
      const info = await appendTo(path, bytes, expect, durable);
      if (durable && expect === 'new') await syncFolders(paths.posix.dirname(path));
      return info;
    } catch (error) {
      throw inWords('write', path, error);
    }
  }

  async function appendTo(
    path: VaultPath,
    bytes: Uint8Array,
    expect: AppendOptions['expect'],
    durable: boolean,
  ): Promise<FileInfo> {
    const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = fs.constants;
    const handle = await fs.open(
      onDisk(path),
      expect === 'new' ? O_WRONLY | O_APPEND | O_CREAT | O_EXCL : O_WRONLY | O_APPEND,
    );
    try {
      const before = infoOf(await handle.stat({ bigint: true }));
      if (expect !== 'new') checkUnchanged(path, before, expect);
      try {
        await writeAll(handle, bytes);
        if (durable) await handle.datasync();
        return infoOf(await handle.stat({ bigint: true }));
      } catch (error) {
        // A part may have been written, even whole lines: nobody must read what the caller is told was not saved.
        await handle.truncate(before.size).catch(() => undefined); // where the disk refuses this too, the part stays
        throw error;
      }
    } finally {
      const closed = handle.close();
      if (durable)
        closed.catch(() => undefined); // the bytes are safe by now: nobody need wait
      else await closed;
    }
  }

  /** A new file survives a power cut only once each folder's own entry for it does. Where folders cannot be synced, the disk decides. */
  async function syncFolders(folder: VaultPath): Promise<void> {
    const identity = await syncFolder(onDisk(folder));
    if (folder === '.' || (identity !== undefined && identity === lasting.get(folder))) return;
    await syncFolders(paths.posix.dirname(folder));
    if (identity !== undefined) lasting.set(folder, identity);
  }

  /** Answers what tells the folder from another; undefined where it could not be synced. */
  async function syncFolder(folder: string): Promise<string | undefined> {
    const handle = await fs.open(folder, 'r').catch(() => undefined);
    try {
      await handle?.sync();
      const info = await handle?.stat({ bigint: true });
      return info && `${info.ino} ${info.birthtimeNs}`;
    } catch {
      return undefined; // what this disk cannot do
    } finally {
      await handle?.close().catch(() => undefined);
    }
  }

  async function update(path: VaultPath, change: Change): Promise<FileInfo> {
    try {
      const isNew = (await modeOf(onDisk(path))) === undefined;
      if (isNew) {
        await change(undefined); // before a folder is made for nothing
        await createFolder(paths.posix.dirname(path));
      }
      // A link to a file is no other file, and stays a link.
      const file = await fs.realpath(onDisk(path)).catch(() => onDisk(path));
      const hidden = hiddenName(file);
      const clear = (token: string) => fs.rm(`${hidden}-${token}`, { force: true });
      const attemptIt = () =>
        withLock(node, hidden, clear, ({ token, isHeld }) =>
          replace(file, `${hidden}-${token}`, change, isHeld),
        );
      let info = await attemptIt();
      while (!info) info = await attemptIt();
      await (isNew ? syncFolders(paths.posix.dirname(path)) : syncFolder(paths.dirname(file)));
      return info;
    } catch (error) {
      throw inWords('save', path, error);
    }
  }

  /** A name beside the file that Obsidian does not show or sync: the same for names that some disk takes for one. */
  function hiddenName(file: string): string {
    const name = paths.basename(file).normalize('NFKC').toLowerCase();
    const hash = node.crypto.createHash('sha256').update(name).digest('hex').slice(0, 16);
    return paths.join(paths.dirname(file), `.~savepoint-${hash}`);
  }

  /** Writes the new content beside the file, and then renames it; undefined where the lock was lost before. */
  async function replace(
    file: string,
    draft: string,
    change: Change,
    isHeld: () => Promise<boolean>,
  ): Promise<FileInfo | undefined> {
    const mode = await modeOf(file);
    const bytes = await change(mode === undefined ? undefined : await fs.readFile(file));
    try {
      const info = await writeNew(draft, bytes, mode);
      if (!(await isHeld())) return undefined;
      await insist(node, () => fs.rename(draft, file));
      return info;
    } finally {
      await fs.rm(draft, { force: true });
    }
  }

  /** Undefined where there is no file; what cannot be looked at may well be there. */
  async function modeOf(file: string): Promise<number | undefined> {
    try {
      return (await fs.stat(file)).mode;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async function writeNew(
    file: string,
    bytes: Uint8Array,
    mode: number | undefined,
  ): Promise<FileInfo> {
    const handle = await fs.open(file, 'wx');
    try {
      if (mode !== undefined) await handle.chmod(mode & 0o777).catch(() => undefined); // not every disk knows who may read a file
      await writeAll(handle, bytes);
      await handle.datasync();
      return infoOf(await handle.stat({ bigint: true }));
    } finally {
      await handle.close();
    }
  }

  async function createFolder(path: VaultPath): Promise<void> {
    await checkVault();
    try {
      await fs.mkdir(onDisk(path), { recursive: true });
    } catch (error) {
      throw inWords('make the folder', path, error);
    }
  }

  return {
    append,
    createFolder,
    update,
    async list(folder) {
      const entries = await attempt('read the folder', folder, () =>
        fs.readdir(onDisk(folder), { withFileTypes: true }),
      );
      return (entries ?? []).map((entry): FolderEntry => ({
        name: entry.name,
        kind: entry.isDirectory() ? 'folder' : 'file',
      }));
    },
    stat: (path) =>
      attempt('read', path, async () => infoOf(await fs.stat(onDisk(path), { bigint: true }))),
    read: (path, from = 0) =>
      attempt('read', path, async () => {
        if (from === 0) return fs.readFile(onDisk(path));
        const handle = await fs.open(onDisk(path), 'r');
        try {
          const { size } = await handle.stat();
          return await readAll(handle, from, Math.max(0, size - from));
        } finally {
          await handle.close();
        }
      }),
    async remove(path) {
      await attempt('remove', path, () => fs.rm(onDisk(path)));
    },
    async isInside(path, folder = '') {
      await checkVault();
      const real = await fs.realpath(onDisk(folder)).catch(() => fs.realpath(vault));
      for (let at = path; ; at = paths.posix.dirname(at)) {
        const target = await fs.realpath(onDisk(at === '.' ? '' : at)).catch(() => undefined);
        if (target !== undefined)
          return (
            target === real || target.startsWith(real.endsWith(paths.sep) ? real : real + paths.sep)
          );
        // Not there: look at what is above it. But a link that leads nowhere may lead anywhere tomorrow.
        if (await fs.lstat(onDisk(at)).catch(() => undefined)) return false;
      }
    },
  };
}

function checkUnchanged(
  path: VaultPath,
  info: FileInfo,
  expect: Pick<FileInfo, 'size' | 'fileId'>,
): void {
  const isSame =
    info.size === expect.size && (expect.fileId === undefined || info.fileId === expect.fileId);
  if (!isSame) throw new FileChanged(`${path} is not as it was left`);
}

async function readAll(handle: FileHandle, from: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  for (let got = 1; got > 0 && done < length; done += got)
    got = (await handle.read(bytes, done, length - done, from + done)).bytesRead;
  return bytes.subarray(0, done);
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += (await handle.write(bytes, done)).bytesWritten;
}

function infoOf(stats: {
  isDirectory(): boolean;
  size: bigint;
  mtimeNs: bigint;
  ino: bigint;
}): FileInfo {
  const mtime = Number(stats.mtimeNs) / 1e6;
  return {
    kind: stats.isDirectory() ? 'folder' : 'file',
    size: Number(stats.size),
    mtime,
    fileId: String(stats.ino),
  };
}

/** An operating system's error as a sentence; anything else stays what it is. */
function inWords(verb: string, path: VaultPath, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  if (verb === 'write' && (code === 'EEXIST' || code === 'ENOENT'))
    return new FileChanged(`${path} is not as it was left`);
  return new Refusal(fileTrouble(verb, path, code), { cause: error });
}
