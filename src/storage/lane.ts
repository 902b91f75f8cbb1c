import type { Draft, LogEvent } from '../model/event.js';
import { emptyMemory, includesEvent, withReplacedVersions, type Memory } from '../model/memory.js';
import type { VaultPath } from '../model/paths.js';
import { Refusal } from '../model/refusal.js';
import { FileChangedError } from '../platform/files.js';
import { Mutex } from '../platform/mutex.js';
import { MAX_IMPORTED_BYTES, type LaneName } from './format/lanes.js';
import { eventsOf, LaneMemory } from './lane-memory.js';
import type { SeenWriter } from './format/watermark.js';
import { LaneReader, type LocatedEvent } from './read/reader.js';
import { CHANGES, type DecideDrafts, type LaneOptions, type QueuedWrite } from './lane-options.js';
import { isBehind, isFork } from './read/writer-index.js';
import type { LogAppend } from './write/segment-file.js';
import { sealStored } from './write/seal-stored.js';
import type { LogSegmentWriter } from './write/segment-writer.js';

/** How long a write that may wait does so. */
const JOIN_MS = 100;

const SEALED_RESCAN_INTERVAL_MS = 1000;
const SEALED_RESCAN_BATCH = 16;

/** Maximum number of events that take effect before the host may have its turn. */
const FOLD_BATCH_SIZE = 500;

/** Attempts, each with a new writer, while another program keeps changing the segment. */
const MAX_WRITE_ATTEMPTS = 5;

const CONCURRENT_CHANGES_ERROR =
  'Cannot save: another program keeps changing the files in the data folder while they are written. Nothing was saved; wait until your sync has finished and try again.';

/** Reads what all writers add to one lane, and appends this process's own events in groups. */
export class Lane {
  readonly name: LaneName;
  readonly #options: LaneOptions;
  readonly #reader: LaneReader;
  readonly #writer: LogSegmentWriter;
  /** Only one scan or append runs at a time. */
  readonly #mutex = new Mutex();
  readonly #queue: QueuedWrite[] = [];
  readonly #memory: LaneMemory;
  /** `LaneReader.waiting` after the last scan. */
  waiting: readonly VaultPath[] = [];
  #hasRead = false;
  #pendingScan: Promise<void> | undefined;
  #lastRescan: number;
  #isFlushing = false;
  #cancelFlush: (() => void) | undefined;
  #attempts = 0;

  constructor(options: LaneOptions) {
    const { name, files, root, writers, scheduler, cache, indexes, feed, clock, hooks } = options;
    this.name = name;
    this.#options = options;
    this.#memory = new LaneMemory(options);
    this.#lastRescan = clock.now();
    this.#writer = options.createWriter();
    this.#reader = new LaneReader(files, root, name, writers, {
      clock,
      scheduler,
      cache,
      onLines(path, lines, isWhole) {
        for (const index of indexes)
          if (index.update(path, lines, isWhole)) feed.publish(CHANGES[index.lanes[0] ?? name]);
        hooks.onLines?.(lines);
      },
      onNewLine: (bytes) => {
        if (this.#hasRead) hooks.onNewLine?.(bytes);
      },
    });
  }

  /** The memory folded from this lane alone; that of the trace lane is always empty. */
  get memory(): Memory {
    return this.#memory.current;
  }

  get hasRead(): boolean {
    return this.#hasRead;
  }

  /** Id of this process's writer, if it has one at present. */
  get writer(): string | undefined {
    return this.#writer.writer;
  }

  /** Abandons this process's writer if `seen` shows that it is used elsewhere too. */
  checkAnnounced(seen: SeenWriter): void {
    this.#writer.checkAnnounced(seen);
  }

  /** Takes in events of this lane that were found in the folder of another one. */
  receive(lines: readonly LocatedEvent[]): Promise<void> {
    this.#memory.receive(eventsOf(lines));
    return this.#mutex.run(() => this.#receive(lines, []));
  }

  /** Folds the lane again, because more or less of it is hidden than before. */
  refold(): Promise<void> {
    return this.#mutex.run(async () => {
      const isFolded = this.#hasRead || this.memory !== emptyMemory;
      if (isFolded) this.#memory.set(await this.#memory.refold());
    });
  }

  /** Seals a segment. Returns false, and does not, if another process may append to it. */
  sealAt(path: VaultPath): Promise<boolean> {
    const { name, hooks, createWriter } = this.#options;
    return this.#mutex.run(async () => {
      const isOwn = this.#writer.openPath === path;
      if (isOwn) await this.#seal();
      return (
        isOwn ||
        sealStored(path, createWriter, (last) => hooks.onAbandoned({ lane: name, ...last }))
      );
    });
  }

  /** Reads what was added. A call during a scan shares the next one, which misses nothing. */
  catchUp(): Promise<void> {
    this.#pendingScan ??= this.#mutex.run(async () => {
      this.#pendingScan = undefined;
      await this.#scan();
    });
    return this.#pendingScan;
  }

  /** Makes the next scan check a file even if it is sealed. */
  invalidate(path: VaultPath): void {
    this.#reader.invalidate(path);
  }

  /**
   * Appends what `decide` returns; waiting writes share an append (group commit). Resolves with all
   * its events, once they would survive a power cut unless they are traces. `soon`: a little later;
   * `imported`: into a large segment.
   */
  append(decide: DecideDrafts, how?: 'soon' | 'imported'): Promise<readonly LocatedEvent[]> {
    return new Promise((resolve, reject) => {
      const maxBytes = how === 'imported' ? MAX_IMPORTED_BYTES : undefined;
      this.#queue.push({ decide, maxBytes, resolve, reject });
      if (how !== 'soon') void this.#flush();
      else this.#cancelFlush ??= this.#options.clock.after(JOIN_MS, () => void this.#flush());
    });
  }

  /** Resolves when all waiting writes have succeeded or failed. */
  async drain(): Promise<void> {
    // each write reports its own failure
    if (this.#isFlushing || this.#queue.length > 0)
      await Promise.allSettled([this.append(() => [])]);
  }

  /** Saves the rest of what was read for the next start. */
  async closeCache(): Promise<void> {
    await this.#options.cache?.close();
  }

  /** Stores the writer for the next process of this device, or for the next write of this one. */
  release(): Promise<void> {
    return this.#mutex.run(() => this.#writer.release());
  }

  async #scan(): Promise<void> {
    const { hooks, writers } = this.#options;
    const writer = this.#writer;
    const found = await this.#readNew(this.#isRescanDue() ? SEALED_RESCAN_BATCH : 0);
    const scan = { isFirst: !this.#hasRead, takeLoss: () => this.#reader.takeLoss() };
    const { hasWritten = false, copied = [], isChanged } = (await hooks.afterScan?.(scan)) ?? {};
    if (hasWritten) await this.#readNew(0);
    this.#memory.receive(eventsOf(copied));
    if (copied.length > 0) await this.#receive(copied, []);
    if (isChanged || (this.#memory.isPartial && this.#reader.unreadable().length === 0))
      this.#memory.set(await this.#memory.refold());
    this.#hasRead = true;
    const isOurs = ({ w }: LogEvent) => w === writer.writer;
    const isUnexpected = (event: LogEvent) => event.n > writer.lastNumber || isFork(writers, event);
    // Another process uses our writer, or a file was rolled back and has grown again since.
    if (found.some(({ event }) => isOurs(event) && isUnexpected(event))) await writer.abandon();
  }

  async #readNew(rescans: number): Promise<LocatedEvent[]> {
    const reader = this.#reader;
    const found = await reader.scan(rescans);
    this.waiting = reader.waiting();
    await this.#receive(found, reader.takeRepeated());
    const misplaced = reader.takeMisplaced();
    if (misplaced.length > 0) this.#options.hooks.onMisplaced(misplaced);
    return found;
  }

  #isRescanDue(): boolean {
    const now = this.#options.clock.now();
    if (Math.abs(now - this.#lastRescan) < SEALED_RESCAN_INTERVAL_MS) return false;
    this.#lastRescan = now;
    return true;
  }

  /**
   * Takes in what a scan has found, in slices; the memory changes once, at the end. `repeated`:
   * events with a known one's writer, number and CRC, whose content may differ if a line is forged.
   */
  async #receive(lines: readonly LocatedEvent[], repeated: readonly LogEvent[]): Promise<void> {
    const { scheduler } = this.#options;
    const owner = {};
    let after = await this.#memory.withoutForgotten(this.#memory.current, eventsOf(lines));
    for (let at = 0; at < lines.length; at += FOLD_BATCH_SIZE) {
      const slice = lines.slice(at, at + FOLD_BATCH_SIZE);
      if (scheduler.isDue) await scheduler.yieldIfDue();
      this.#observe(slice);
      after = this.#memory.fold(after, eventsOf(slice), owner);
    }
    const twins = repeated.filter((event) => !includesEvent(after, event));
    this.#memory.set(this.#memory.fold(after, twins, owner));
  }

  #observe(lines: readonly LocatedEvent[]): void {
    const { hybridClock, watermarks, hooks } = this.#options;
    for (const { event } of lines) {
      hybridClock.observe(event.h);
      watermarks.observe(event);
      hooks.onEvent(event);
    }
    if (lines.length > 0) watermarks.schedule();
  }

  async #flush(): Promise<void> {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    while (this.#queue.length > 0) await this.#mutex.run(() => this.#flushOnce());
    this.#isFlushing = false;
  }

  async #flushOnce(): Promise<void> {
    const batch: QueuedWrite[] = [];
    try {
      await this.#prepareWriter();
      // another process has used the writer since
      if (this.#hasRead && isBehind(this.#options.writers, this.#writer)) {
        await this.#scan();
        await this.#prepareWriter();
      }
      const { stagedMemory, isFull } = this.#stageQueue(batch);
      await this.#options.hooks.beforeAppend?.(this.#writer.staged);
      const appended = await this.#writer.commit();
      if (appended) await this.#accept(appended, stagedMemory);
      this.#attempts = 0;
      for (const { resolve } of batch.splice(0)) resolve(appended?.lines ?? []);
      if (isFull) await this.#seal();
    } catch (error) {
      this.#fail(batch, error);
    }
  }

  async #prepareWriter(): Promise<void> {
    const { name, hooks } = this.#options;
    const { abandoned, sealed } = await this.#writer.prepare();
    if (abandoned) hooks.onAbandoned({ lane: name, ...abandoned });
    if (sealed) await this.#accept(sealed);
  }

  async #seal(): Promise<void> {
    const sealed = await this.#writer.seal();
    if (sealed) await this.#accept(sealed);
  }

  /** Lets an append of this process take effect. */
  async #accept(append: LogAppend, memory?: Memory): Promise<void> {
    const { path, info, lines, lastHash } = append;
    this.#reader.recordAppend(path, info, lines, lastHash);
    this.#observe(lines);
    const after = memory ?? this.#memory.fold(this.#memory.current, eventsOf(lines), {});
    this.#memory.set(await this.#memory.withoutForgotten(after, eventsOf(lines)));
    await this.#options.hooks.afterAppend?.(append);
  }

  /** Moves writes that fit into the segment to the batch; each sees the memory of earlier ones. */
  #stageQueue(batch: QueuedWrite[]): { stagedMemory: Memory; isFull: boolean } {
    const { watermarks } = this.#options;
    const queue = this.#queue;
    const owner = {};
    let stagedMemory = this.#memory.current;
    for (let write = queue[0]; write; write = queue[0]) {
      try {
        const decided = write.decide(stagedMemory);
        const drafts = decided.map((draft) => withReplacedVersions(stagedMemory, draft));
        const events = drafts.length > 0 ? this.#stage(drafts, write.maxBytes) : [];
        if (events === 'full') return { stagedMemory, isFull: true };
        stagedMemory = this.#memory.fold(stagedMemory, events, owner);
        batch.push(write);
      } catch (error) {
        watermarks.schedule(); // a watermark may have been among the drafts
        write.reject(error);
      }
      queue.shift();
    }
    return { stagedMemory, isFull: false };
  }

  #stage(drafts: readonly Draft[], maxBytes: number | undefined): LogEvent[] | 'full' {
    const { name, watermarks, hooks } = this.#options;
    const watermark = name === 'core' && watermarks.isDue() ? watermarks.draft() : [];
    const opening = this.#writer.opensSegment ? hooks.openSegment() : [];
    return this.#writer.stage([...opening, ...drafts, ...watermark], maxBytes);
  }

  #fail(batch: QueuedWrite[], error: unknown): void {
    this.#writer.unstage();
    this.#options.watermarks.schedule(); // a watermark may have been staged
    const isFileChanged = error instanceof FileChangedError;
    if (isFileChanged) this.#attempts++;
    if (isFileChanged && this.#attempts < MAX_WRITE_ATTEMPTS) {
      this.#queue.unshift(...batch); // nothing was written; the next attempt uses a new writer
      return;
    }
    this.#attempts = 0;
    const failed = batch.length > 0 ? batch : this.#queue.splice(0);
    const reason = isFileChanged ? new Refusal(CONCURRENT_CHANGES_ERROR) : error;
    for (const { reject } of failed) reject(reason);
  }
}
