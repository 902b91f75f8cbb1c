import type { VaultPath } from '../../src/model/paths.js';
import { Refusal } from '../../src/model/refusal.js';
import {
  FileChangedError,
  FileReplacedError,
  type AppendOptions,
  type FileInfo,
  type Files,
  type FolderEntry,
} from '../../src/platform/files.js';
import type { Dice } from './dice.js';

export const ROOT = 'Savepoint';
export const README = `${ROOT}/README.md`;

export interface Stored {
  /** Never changed in place, so that a reference to it is a snapshot. */
  readonly bytes: Uint8Array;
  readonly mtime: number;
  readonly fileId: string;
  /** Number of bytes that survive a power cut. With 0, the file itself may be lost. */
  readonly safe: number;
}

/** A folder's metadata, which changes when an entry is added, removed or replaced. */
interface FolderTimes {
  readonly mtime: number;
  readonly fileId: string;
}

export interface DiskImage {
  readonly files: ReadonlyMap<VaultPath, Stored>;
  readonly folders: ReadonlyMap<VaultPath, FolderTimes>;
}

/**
 * Outcome of a failing append: the number of bytes that remain, and whether the caller gets an
 * error, its process dies or its device loses power.
 */
export interface Mishap {
  readonly kept: number;
  readonly end: 'refused' | 'killed' | 'power cut';
}

/** Gate between a process and the disk. */
export interface Gate {
  /**
   * Waits for its turn. Never resolves if the process has died. Throws a `Refusal` if the disk
   * cannot be read now.
   */
  pass(kind: 'read' | 'write'): Promise<void>;
  mishap(path: VaultPath, size: number): Mishap | undefined;
  /**
   * Called after each append that wrote anything, with all bytes of the attempted append, of which
   * only the first `kept` may have been written.
   */
  appended(
    path: VaultPath,
    bytes: Uint8Array,
    how: { isNew: boolean; isDurable: boolean; hasLanded: boolean; kept?: number },
  ): void;
  die(how: 'killed' | 'power cut'): void;
  /** Returns true if another program replaces the file between the append's check and its write. */
  isReplaced(path: VaultPath): boolean;
  /** Called before the process replaces a file by other bytes. */
  rewriting(path: VaultPath, before: Uint8Array, after: Uint8Array): void;
  /** Called before the process deletes a file. */
  removing(path: VaultPath, bytes: Uint8Array): void;
}

/** Lets everything pass and breaks nothing. */
export const OPEN_GATE: Gate = {
  pass: () => Promise.resolve(),
  mishap: () => undefined,
  isReplaced: () => false,
  appended: () => undefined,
  die: () => undefined,
  rewriting: () => undefined,
  removing: () => undefined,
};

/**
 * A device's disk. Operations without a `Gate` are those of sync tools, users and hardware, not of
 * Savepoint.
 */
export interface Disk {
  paths(): VaultPath[];
  /** Paths of the files that a log reads. */
  segments(): VaultPath[];
  get(path: VaultPath): Uint8Array | undefined;
  put(path: VaultPath, bytes: Uint8Array, how?: 'in place' | 'replaced'): void;
  remove(path: VaultPath): void;
  /** Makes every read of a file fail, as of one that a sync service has not downloaded. */
  block(path: VaultPath): void;
  /** Replaces a file by a placeholder, as a service does that has not downloaded it yet. */
  evict(path: VaultPath): void;
  /** Downloads all files. */
  download(): void;
  readonly evicted: ReadonlySet<VaultPath>;
  /** Returns the files that cannot be read now. */
  unreadable(): VaultPath[];
  /** Earlier contents of a path, as a backup keeps them. */
  versions(path: VaultPath): readonly Uint8Array[];
  /** Number of times that something other than Savepoint removed or changed existing bytes. */
  losses(): number;
  /** Truncates unsynced bytes at a random position, or turns them into NULs. */
  cutPower(): void;
  /** Takes a snapshot of all files. The returned function restores it, here or on another disk. */
  backUp(): (disk?: Disk) => void;
  /** Replaces all files, identities included, as an image of a disk does. */
  restore(image: DiskImage): void;
  port(gate: Gate): Files;
  /** Notifies of each changed or deleted file until the returned function is called. */
  watch(changed: (path: VaultPath) => void): () => void;
}

const SEGMENT = new RegExp(
  `^${ROOT}/(?:core|chat|trace)/(?:.*/)?(?!~|\\._|\\.syncthing\\.)[^/]*\\.jsonl$`,
);

export function isSameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0);
}

/**
 * Called when existing bytes of a file are changed or removed by something other than Savepoint.
 */
export type OnLoss = (before: Uint8Array, after: Uint8Array | undefined) => void;

export function createDisk(dice: Dice, now: () => number, onLoss: OnLoss): Disk {
  const blocked = new Set<VaultPath>();
  const evicted = new Set<VaultPath>();
  const stored = new Map<VaultPath, Stored>();
  const history = new Map<VaultPath, Uint8Array[]>();
  const watchers = new Set<(path: VaultPath) => void>();
  const folders = new Map<VaultPath, FolderTimes>();
  /** Milliseconds between two times of a folder. */
  const granularity = dice.pick([1e-3, 1, 1000, 2000]);
  let fileIds = 0;
  let losses = 0;
  let writes = 0;

  function store(
    path: VaultPath,
    bytes: Uint8Array,
    safe: number,
    fileId = String(++fileIds),
  ): Stored {
    const before = stored.get(path);
    if (before) history.set(path, [...(history.get(path) ?? []), before.bytes]);
    if (before && !isSameBytes(before.bytes, bytes.subarray(0, before.bytes.length))) {
      losses++;
      onLoss(before.bytes, bytes);
    }
    const file = { bytes, mtime: nextTime(), fileId, safe };
    stored.set(path, file);
    if (before?.fileId !== fileId) touchFolder(parentOf(path));
    tell(path);
    return file;
  }

  /** The new bytes are on the disk before they replace the old ones. */
  function rewrite(path: VaultPath, before: Stored, bytes: Uint8Array, gate: Gate): void {
    gate.rewriting(path, before.bytes, bytes);
    const file = { bytes, mtime: nextTime(), fileId: String(++fileIds), safe: bytes.length };
    history.set(path, [...(history.get(path) ?? []), before.bytes]);
    stored.set(path, file);
    touchFolder(parentOf(path));
    tell(path);
  }

  function remove(path: VaultPath): void {
    const before = stored.get(path);
    if (!before) return;
    history.set(path, [...(history.get(path) ?? []), before.bytes]);
    losses++;
    onLoss(before.bytes, undefined);
    stored.delete(path);
    evicted.delete(path);
    touchFolder(parentOf(path));
    tell(path);
  }

  /** Times are unique, like the fine-grained times of a real disk. */
  function nextTime(): number {
    return now() + ++writes / 1e3;
  }

  /**
   * Gives a folder a new time after an entry has changed; creates it before its first entry, and
   * removes it after its last one.
   */
  function touchFolder(folder: VaultPath): void {
    const before = folders.get(folder);
    const exists = [...stored.keys()].some((path) => path.startsWith(`${folder}/`));
    if (!exists) folders.delete(folder);
    else {
      const mtime = Math.floor(nextTime() / granularity) * granularity;
      folders.set(folder, { mtime, fileId: before?.fileId ?? `folder ${++fileIds}` });
    }
    if (exists !== (before !== undefined) && folder !== ROOT) touchFolder(parentOf(folder));
  }

  function tell(path: VaultPath): void {
    for (const changed of watchers) changed(path);
  }

  function cutPower(): void {
    for (const [path, { bytes, safe, fileId }] of [...stored]) {
      if (safe >= bytes.length) continue;
      const kept = safe + dice.below(bytes.length - safe + 1);
      if (kept === 0 && dice.chance(0.5)) remove(path);
      else
        store(
          path,
          dice.chance(0.3) ? withNulsFrom(bytes, kept) : bytes.subarray(0, kept),
          bytes.length,
          fileId,
        );
    }
  }

  function port(gate: Gate): Files {
    return {
      async list(folder) {
        await gate.pass('read');
        const shown = [...stored.keys()].map((path) =>
          evicted.has(path) ? path.replace(/([^/]*)$/, '.$1.icloud') : path,
        );
        return entriesIn(shown, folder);
      },
      async stat(path) {
        await gate.pass('read');
        const folder = folders.get(path);
        if (folder) return { kind: 'folder', size: 0, ...folder };
        const file = evicted.has(path) ? undefined : stored.get(path);
        return file && infoOf(file);
      },
      async read(path, from = 0) {
        await gate.pass('read');
        if (blocked.has(path)) throw new Refusal(`${path} is not downloaded yet.`);
        return evicted.has(path) ? undefined : stored.get(path)?.bytes.subarray(from);
      },
      async append(path, bytes, options) {
        await gate.pass('write');
        const before = stored.get(path);
        if (evicted.has(path) || !isExpected(before, options.expect))
          throw new FileChangedError(`${path} is not as it was left`);
        const mishap = gate.mishap(path, bytes.length);
        if (!mishap && before && options.durable && gate.isReplaced(path)) {
          store(path, before.bytes, before.bytes.length);
          gate.appended(path, bytes, { isNew: false, isDurable: false, hasLanded: false });
          throw new FileReplacedError(`${path} was replaced while it was appended to`);
        }
        const joined = Buffer.concat([
          before?.bytes ?? new Uint8Array(),
          bytes.subarray(0, mishap?.kept),
        ]);
        const isDurable = options.durable && !mishap;
        const file = store(
          path,
          joined,
          isDurable ? joined.length : (before?.safe ?? 0),
          before?.fileId,
        );
        if (mishap?.kept !== 0)
          gate.appended(path, bytes, {
            isNew: !before,
            isDurable,
            hasLanded: !mishap,
            kept: mishap?.kept ?? bytes.length,
          });
        if (mishap?.end === 'refused') throw new Refusal('The disk is full.');
        if (mishap) gate.die(mishap.end);
        await gate.pass('write');
        return infoOf(file);
      },
      async update(path, change) {
        await gate.pass('write');
        const before = evicted.has(path) ? undefined : stored.get(path);
        const bytes = await change(before?.bytes);
        if (!before) throw new Error('A log replaces only files that it has read');
        const mishap = gate.mishap(path, bytes.length);
        if (mishap?.end === 'refused') throw new Refusal('The disk is full.');
        if (!mishap || mishap.kept > 0) rewrite(path, before, bytes, gate);
        if (mishap) gate.die(mishap.end);
        await gate.pass('write');
        return infoOf(stored.get(path) ?? before);
      },
      async remove(path) {
        await gate.pass('write');
        const file = stored.get(path);
        if (!file) return;
        gate.removing(path, file.bytes);
        history.set(path, [...(history.get(path) ?? []), file.bytes]);
        stored.delete(path);
        evicted.delete(path);
        touchFolder(parentOf(path));
        tell(path);
      },
      createFolder: () => gate.pass('write'),
      isInside: () => Promise.resolve(true),
    };
  }

  const own: Disk = {
    paths: () => [...stored.keys()],
    segments: () => [...stored.keys()].filter((path) => SEGMENT.test(path)),
    get: (path) => stored.get(path)?.bytes,
    put: (path, bytes, how = 'replaced') =>
      void store(
        path,
        bytes,
        bytes.length,
        how === 'in place' ? stored.get(path)?.fileId : undefined,
      ),
    remove,
    block: (path) => void blocked.add(path),
    evicted,
    unreadable: () => [...stored.keys()].filter((path) => blocked.has(path) || evicted.has(path)),
    evict(path) {
      evicted.add(path);
      touchFolder(parentOf(path));
      tell(path);
    },
    download() {
      for (const path of [...evicted]) {
        evicted.delete(path);
        if (stored.has(path)) touchFolder(parentOf(path));
        tell(path);
      }
    },
    versions: (path) => history.get(path) ?? [],
    losses: () => losses,
    cutPower,
    backUp() {
      const image = { files: new Map(stored), folders: new Map(folders) };
      return (disk) => (disk ?? own).restore(image);
    },
    restore({ files, folders: restored }) {
      losses++;
      for (const [path, { bytes }] of stored)
        if (files.get(path)?.bytes !== bytes) onLoss(bytes, files.get(path)?.bytes);
      stored.clear();
      evicted.clear();
      for (const [path, file] of files) stored.set(path, file);
      folders.clear();
      for (const [path, times] of restored) folders.set(path, times);
    },
    port,
    watch(changed) {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
  };
  return own;
}

function parentOf(path: VaultPath): VaultPath {
  return path.slice(0, path.lastIndexOf('/'));
}

function infoOf({ bytes, mtime, fileId }: Stored): FileInfo {
  return { kind: 'file', size: bytes.length, mtime, fileId };
}

function isExpected(file: Stored | undefined, expect: AppendOptions['expect']): boolean {
  if (expect === 'new') return !file;
  return file?.bytes.length === expect.size && (expect.fileId ?? file.fileId) === file.fileId;
}

function entriesIn(paths: Iterable<VaultPath>, folder: VaultPath): FolderEntry[] {
  const entries = new Map<string, FolderEntry>();
  for (const path of paths) {
    if (!path.startsWith(`${folder}/`)) continue;
    const [name = '', ...below] = path.slice(folder.length + 1).split('/');
    entries.set(name, { name, kind: below.length > 0 ? 'folder' : 'file' });
  }
  return [...entries.values()];
}

function withNulsFrom(bytes: Uint8Array, from: number): Uint8Array {
  return Uint8Array.from(bytes).fill(0, from);
}
