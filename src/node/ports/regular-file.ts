import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import {
  FileChangedError,
  FileReplacedError,
  notRegularText,
  tooLargeText,
  type AppendOptions,
  type FileInfo,
} from '../../platform/files.js';
import { errorCode, type NodeModules } from '../modules.js';
import { retryWhileBusy } from './file-lock.js';
import { ifMissing } from '../system-errors.js';

type FileHandle = Awaited<ReturnType<NodeModules['fs']['open']>>;

/** A path on disk, and the same one in the vault for messages. */
export interface FileLocation {
  readonly onDisk: string;
  readonly path: VaultPath;
}

/** The limit of Node for one read. */
const MAX_READ_BYTES = 2 ** 31 - 1;

/** Reported for a file under a server's lease (as by Samba), until it hears of this program. */
const LEASED = ['EAGAIN'];

/** Reported for sockets, devices without a driver, and pipes for writing that nobody reads. */
const NOT_OPENABLE = ['ENXIO', 'ENODEV', 'EOPNOTSUPP'];

interface ReadOptions {
  readonly from?: number;
  readonly length?: number;
  /** Used for the result if it is long enough. */
  readonly buffer?: Uint8Array<ArrayBuffer> | undefined;
  /** The caller's operation, as a verb. */
  readonly verb?: string;
}

/**
 * Returns at most `length` bytes from offset `from`. Throws a `Refusal` unless it is a regular
 * file, or the system's error. Written for speed: a start may read thousands of files.
 */
export async function readRegularFile(
  node: NodeModules,
  { onDisk, path }: FileLocation,
  { from = 0, length = Infinity, buffer, verb = 'read' }: ReadOptions,
): Promise<Uint8Array> {
  const handle = await openWithoutWaiting(node, onDisk, node.callbackFs.constants.O_RDONLY);
  try {
    const stats = await handle?.stat();
    if (!handle || !stats?.isFile()) throw new Refusal(notRegularText(verb, path));
    const count = Math.min(length, Math.max(0, stats.size - from));
    if (count > MAX_READ_BYTES) throw new Refusal(tooLargeText(verb, path));
    const bytes =
      buffer && buffer.length >= count ? buffer.subarray(0, count) : new Uint8Array(count);
    let done = 0;
    while (done < bytes.length) {
      const read = await handle.read(bytes, done, bytes.length - done, from + done);
      if (read.bytesRead === 0) return bytes.subarray(0, done);
      done += read.bytesRead;
    }
    return bytes;
  } finally {
    handle?.close().catch(() => undefined); // the bytes are read, so there is no need to wait
  }
}

/**
 * Appends to an existing or new regular file, and returns its new metadata. Throws a
 * `FileChangedError` if it is not as expected, a `FileReplacedError` (see `AppendOptions`), or the
 * system's error.
 */
export async function appendToRegularFile(
  node: NodeModules,
  { onDisk, path }: FileLocation,
  bytes: Uint8Array,
  { expect, durable }: AppendOptions,
): Promise<FileInfo> {
  const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = node.callbackFs.constants;
  const flags = O_WRONLY | O_APPEND | (expect === 'new' ? O_CREAT | O_EXCL : 0);
  const handle = await openWithoutWaiting(node, onDisk, flags);
  if (!handle) throw new FileChangedError(`${path} has changed`);
  try {
    const before = toFileInfo(await handle.stat({ bigint: true }));
    if (expect !== 'new') checkUnchanged(path, before, expect);
    try {
      await writeAll(handle, bytes);
      if (!durable) return toFileInfo(await handle.stat({ bigint: true }));
      await handle.datasync();
      const after = await infoIfNamed(node, onDisk, before.size + bytes.length, before.fileId);
      if (after) return after;
    } catch (error) {
      // Some lines may have been written, but the caller is informed that nothing was saved.
      // If the disk refuses this too, they stay.
      await handle.truncate(before.size).catch(() => undefined);
      throw error;
    }
    // the bytes stay, because the file may live on under another name
    throw new FileReplacedError(path);
  } finally {
    const closed = handle.close();
    if (durable)
      closed.catch(() => undefined); // the bytes are safe, so there is no need to wait
    else await closed;
  }
}

export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += (await handle.write(bytes, done)).bytesWritten;
}

export function toFileInfo(stats: import('node:fs').BigIntStats): FileInfo {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    mtime: Number(stats.mtimeNs) / 1e6,
    fileId: String(stats.ino),
  };
}

export function kindOf(stats: { isDirectory(): boolean; isFile(): boolean }): FileInfo['kind'] {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'other';
}

/** Opens without waiting, even a pipe. Returns undefined for what cannot be opened that way. */
async function openWithoutWaiting(
  node: NodeModules,
  file: string,
  flags: number,
): Promise<FileHandle | undefined> {
  const { O_NONBLOCK } = node.callbackFs.constants; // undefined on Windows, where `|` takes it for 0
  const open = () => node.fs.open(file, flags | O_NONBLOCK);
  try {
    return await open();
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (NOT_OPENABLE.includes(code)) return undefined;
    if (!LEASED.includes(code)) throw error;
    return retryWhileBusy(node, open, LEASED);
  }
}

/** Returns the file's metadata if it has this size and `fileId`, that of an open file. */
async function infoIfNamed(
  { fs }: NodeModules,
  file: string,
  size: number,
  fileId: string | undefined,
): Promise<FileInfo | undefined> {
  const stats = await fs.stat(file, { bigint: true }).catch(ifMissing(undefined));
  const info = stats && toFileInfo(stats);
  // Only the inode counts: on Windows, some versions of Node report another device for a handle.
  return info?.fileId === fileId && info?.size === size ? info : undefined;
}

function checkUnchanged(
  path: VaultPath,
  info: FileInfo,
  expect: Pick<FileInfo, 'size' | 'fileId'>,
): void {
  const isSame =
    info.kind === 'file' &&
    info.size === expect.size &&
    (expect.fileId === undefined || info.fileId === expect.fileId);
  if (!isSame) throw new FileChangedError(`${path} has changed`);
}
