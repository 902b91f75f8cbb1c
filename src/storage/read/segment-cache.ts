import type { VaultPath } from '../../model/paths.js';
import type { Cache, CacheRecord } from './cache.js';
import type { Clock } from '../../platform/clock.js';
import type { FileInfo, Files } from '../../platform/files.js';
import { decodeKept, encodeKept } from '../format/cached-segment.js';
import type { Lane } from '../format/lanes.js';
import type { Pause } from '../../platform/scheduler.js';
import { readSegment, segmentBytes, type SegmentReading } from '../format/segment.js';

export interface KeeperOptions {
  readonly cache: Cache;
  readonly lane: Lane;
  readonly files: Files;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  readonly pause: Pause | undefined;
}

/** Keeps what is found in the segments of one lane, and finds it again where they are as they were. Nothing of it fails or holds up a call. */
export interface Keeper {
  /** Resolves when what was kept is at hand. */
  load(): Promise<void>;
  /** What the segment was found to hold, where it was then as it is now. Each is answered once. */
  find(path: VaultPath, info: FileInfo): SegmentReading | undefined;
  /** All segments that there are: what is kept of others is forgotten. */
  settle(there: ReadonlySet<VaultPath>): void;
  /** Keeps what was read of a whole segment; `info` is what it was said to be before. */
  keep(path: VaultPath, info: FileInfo, bytes: Uint8Array, reading: SegmentReading): void;
  /** So many bytes have come to it, after which it is sealed or not. */
  grown(path: VaultPath, bytes: number, isSealed: boolean): void;
  forget(path: VaultPath): void;
  /** Writes what is still to be written. */
  stop(): Promise<void>;
}

const SAVE_AFTER_MS = 2000;
/** A record is made anew when so many bytes have come: more often costs more than reading them once more. */
const WORTH_BYTES = 16 * 1024;
/** Nobody who closes waits longer for a store that does not answer. */
const STOP_LIMIT_MS = 3000;
/** So many bytes are saved at a time. */
const BATCH_BYTES = 4 * 1024 * 1024;

export function createKeeper({ cache, lane, files, clock, warn, pause }: KeeperOptions): Keeper {
  let isOver = false;
  let kept: Map<VaultPath, Uint8Array> | undefined;
  let loading: Promise<void> | undefined;
  /** Made when it is their turn: they are copies. */
  const records = new Map<VaultPath, () => Uint8Array>();
  const toRead = new Set<VaultPath>();
  const gone = new Set<VaultPath>();
  const growth = new Map<VaultPath, number>();
  let cancel: (() => void) | undefined;
  let saving: Promise<void> = Promise.resolve();

  async function load(): Promise<void> {
    const found = await attempt(() => cache.load(lane));
    kept = new Map(found?.map(({ path, bytes }) => [path, bytes]));
  }

  /** The answer; undefined where it failed: then this process goes on without a cache. */
  async function attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      if (!isOver)
        warn(
          `Nothing is lost, but starting will take longer: ${error instanceof Error ? error.message : String(error)}`,
        );
      isOver = true;
      return undefined;
    }
  }

  function plan(): void {
    if (!isOver) cancel ??= clock.after(SAVE_AFTER_MS, save);
  }

  function save(): void {
    cancel?.();
    cancel = undefined;
    saving = saving.then(() => attempt(saveAll)); // which never rejects
  }

  async function saveAll(): Promise<void> {
    for (const path of toRead) {
      toRead.delete(path);
      await readAgain(path).catch(() => undefined); // what cannot be read now is read at the next start
    }
    while (!isOver && records.size + gone.size > 0) {
      while (pause?.isDue()) await pause.take();
      const taken = [...gone];
      gone.clear();
      await cache.save(lane, takeBatch(), taken);
    }
  }

  function takeBatch(): CacheRecord[] {
    const batch: CacheRecord[] = [];
    let size = 0;
    for (const [path, make] of records) {
      if (size >= BATCH_BYTES) break;
      records.delete(path);
      const bytes = make();
      batch.push({ path, bytes });
      size += bytes.length;
    }
    return batch;
  }

  async function readAgain(path: VaultPath): Promise<void> {
    const info = await files.stat(path);
    const bytes = info && (await files.read(path));
    while (pause?.isDue()) await pause.take();
    if (bytes) keep(path, info, bytes, readSegment(segmentBytes(bytes)));
  }

  function keep(path: VaultPath, info: FileInfo, bytes: Uint8Array, reading: SegmentReading): void {
    if (isOver || bytes.length !== info.size) return;
    growth.delete(path);
    gone.delete(path);
    if (lane === 'core') records.set(path, () => encodeKept(lane, path, info, bytes, reading));
    else {
      const record = encodeKept(lane, path, info, bytes, reading); // now, for the lines are many times as large
      records.set(path, () => record);
    }
    plan();
  }

  return {
    load: () => (loading ??= load()),
    find(path, info) {
      const record = kept?.get(path);
      kept?.delete(path);
      return record && decodeKept(lane, path, info, record);
    },
    settle(there) {
      for (const path of kept?.keys() ?? []) if (!there.has(path)) gone.add(path);
      kept = undefined;
      if (gone.size > 0) plan();
    },
    keep,
    grown(path, bytes, isSealed) {
      const grown = (growth.get(path) ?? 0) + bytes;
      growth.set(path, grown);
      if (!isSealed && grown < WORTH_BYTES) return;
      records.delete(path);
      toRead.add(path);
      plan();
    },
    forget(path) {
      for (const pending of [records, toRead, growth]) pending.delete(path);
      gone.add(path);
      plan();
    },
    async stop() {
      save();
      await new Promise<void>((resolve) => {
        const cancelLimit = clock.after(STOP_LIMIT_MS, resolve);
        void saving.then(() => (cancelLimit(), resolve()));
      });
    },
  };
}
