import type { VaultPath } from '../../model/paths.js';
import type { Clock } from '../../platform/clock.js';
import { hasSettled, type FileInfo, type Files } from '../../platform/files.js';
import { Mutex } from '../../platform/mutex.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { decodeCachedSegment, encodeCachedSegment } from '../format/cached-segment.js';
import type { LaneName } from '../format/lanes.js';
import { parseSegment, toUtf8, type ParsedSegment } from '../format/segment.js';
import type { Cache, CachedSegment } from './cache.js';

export interface SegmentCacheOptions {
  readonly cache: Cache;
  readonly lane: LaneName;
  readonly files: Files;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  readonly scheduler: Scheduler;
}

const SAVE_DELAY_MS = 2000;
/** Growth that gets a segment cached again; less is cheaper to read at the next start. */
const MIN_GROWTH_BYTES = 16 * 1024;
/** Maximum time that closing waits for a store that does not respond. */
const CLOSE_TIMEOUT_MS = 3000;
/** The store copies a batch, in one task. */
const SAVE_BATCH_BYTES = 1024 * 1024;

/**
 * Caches parsed segments of one lane outside the vault, by path and file information. Never
 * rejects: the first failure of the store is reported as a warning and disables the cache.
 */
export class SegmentCache {
  readonly #options: SegmentCacheOptions;
  readonly #lane: LaneName;
  #isDisabled = false;
  #loading: Promise<void> | undefined;
  /** Loaded records that were not taken yet; undefined before loading and after pruning. */
  #loaded: Map<VaultPath, Uint8Array> | undefined;
  /** Segments to save. A record that is a copy of its segment is made only when it is saved. */
  readonly #unsaved = new Map<VaultPath, () => Uint8Array>();
  /** Segments that have grown and must be read again before they are saved. */
  readonly #stale = new Set<VaultPath>();
  readonly #removed = new Set<VaultPath>();
  /** Bytes that were appended since the segment was cached. */
  readonly #growth = new Map<VaultPath, number>();
  #cancelSave: (() => void) | undefined;
  readonly #saving = new Mutex();

  constructor(options: SegmentCacheOptions) {
    this.#options = options;
    this.#lane = options.lane;
  }

  /** Reads all records, once. Resolves when `take` can return them. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Returns the cached segment of an unchanged file, and drops it: a second call finds none. */
  take(path: VaultPath, info: FileInfo): ParsedSegment | undefined {
    const record = this.#loaded?.get(path);
    this.#loaded?.delete(path);
    return record && decodeCachedSegment(this.#lane, path, info, record);
  }

  /** Removes the loaded records of all segments but the existing ones. */
  prune(exists: (path: VaultPath) => boolean): void {
    for (const path of this.#loaded?.keys() ?? []) if (!exists(path)) this.#removed.add(path);
    this.#loaded = undefined;
    if (this.#removed.size > 0) this.#scheduleSave();
  }

  /** Caches a whole segment; `info` is the file's information from before it was read. */
  persist(path: VaultPath, info: FileInfo, bytes: Uint8Array, segment: ParsedSegment): void {
    if (this.#isDisabled || bytes.length !== info.size) return;
    const lane = this.#lane;
    this.#growth.delete(path);
    this.#removed.delete(path);
    if (lane === 'core')
      this.#unsaved.set(path, () => encodeCachedSegment(lane, path, info, bytes, segment));
    else {
      // at once, because the lines take many times as much memory
      const record = encodeCachedSegment(lane, path, info, bytes, segment);
      this.#unsaved.set(path, () => record);
    }
    this.#scheduleSave();
  }

  /** Records that bytes were appended to a segment, and whether it is sealed now. */
  appended(path: VaultPath, bytes: number, isSealed: boolean): void {
    const growth = (this.#growth.get(path) ?? 0) + bytes;
    this.#growth.set(path, growth);
    if (!isSealed && growth < MIN_GROWTH_BYTES) return;
    this.#unsaved.delete(path);
    this.#stale.add(path);
    this.#scheduleSave();
  }

  remove(path: VaultPath): void {
    for (const pending of [this.#unsaved, this.#stale, this.#growth]) pending.delete(path);
    this.#removed.add(path);
    this.#scheduleSave();
  }

  /** Saves the rest. Resolves when that is done, or after a timeout. */
  async close(): Promise<void> {
    const saved = this.#save();
    await new Promise<void>((resolve) => {
      const cancelTimeout = this.#options.clock.after(CLOSE_TIMEOUT_MS, resolve);
      void saved.then(() => {
        cancelTimeout();
        resolve();
      });
    });
  }

  async #load(): Promise<void> {
    const found = await this.#attempt(() => this.#options.cache.load(this.#lane));
    this.#loaded = new Map(found?.map(({ path, bytes }) => [path, bytes]));
  }

  /** Returns undefined if the task fails; then this process continues without a cache. */
  async #attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!this.#isDisabled)
        this.#options.warn(
          `The startup cache is off: ${reason} No data is lost; starts take longer.`,
        );
      this.#isDisabled = true;
      return undefined;
    }
  }

  #scheduleSave(): void {
    if (this.#isDisabled) return;
    this.#cancelSave ??= this.#options.clock.after(SAVE_DELAY_MS, () => void this.#save());
  }

  /** Never rejects. */
  #save(): Promise<void> {
    this.#cancelSave?.();
    this.#cancelSave = undefined;
    return this.#saving.run(() => this.#attempt(() => this.#saveAll()));
  }

  async #saveAll(): Promise<void> {
    const { cache, scheduler } = this.#options;
    for (const path of this.#stale) {
      this.#stale.delete(path);
      // an unreadable segment is read at the next start
      await this.#readAgain(path).catch(() => undefined);
    }
    while (!this.#isDisabled && this.#unsaved.size + this.#removed.size > 0) {
      await scheduler.yieldIfDue();
      const removed = [...this.#removed];
      this.#removed.clear();
      await cache.save(this.#lane, this.#takeBatch(), removed);
    }
  }

  #takeBatch(): CachedSegment[] {
    const batch: CachedSegment[] = [];
    let size = 0;
    for (const [path, encode] of this.#unsaved) {
      if (size >= SAVE_BATCH_BYTES) break;
      this.#unsaved.delete(path);
      const bytes = encode();
      batch.push({ path, bytes });
      size += bytes.length;
    }
    return batch;
  }

  async #readAgain(path: VaultPath): Promise<void> {
    const { files, scheduler, clock } = this.#options;
    const readAt = clock.now();
    const info = await files.stat(path);
    const bytes = info && (await files.read(path));
    await scheduler.yieldIfDue();
    if (bytes && hasSettled(info.mtime, readAt))
      this.persist(path, info, bytes, parseSegment(toUtf8(bytes)));
  }
}
