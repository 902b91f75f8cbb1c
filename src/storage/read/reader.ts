import type { LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { FileInfo, Files, FolderEntry } from '../../platform/files.js';
import { allEnded, eachInParallel } from '../../platform/parallel.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { isPlaceholderName, isSegmentName, laneOf, type LaneName } from '../format/lanes.js';
import { lineHash } from '../format/line-hash.js';
import { parseSegment, type LineProblem, type SegmentLine } from '../format/segment.js';
import { MAX_FILE_BYTES, readLargeFile } from './large-file.js';
import type { SegmentCache } from './segment-cache.js';
import {
  hasLine,
  isSealed,
  isUnchanged,
  lastHashOf,
  mayHaveGrown,
  readSegment,
  recordOf,
  startsWithLine,
  type ReadSegment,
  type SegmentRecord,
} from './segment-record.js';
import { indexEvent, type WriterIndex } from './writer-index.js';

/** An event and the location of its line. */
export interface LocatedEvent extends SegmentLine {
  readonly path: VaultPath;
}

/** Files that are read at a time: more would not be faster, and each takes a file handle. */
export const MAX_PARALLEL_READS = 16;

export interface ReaderOptions {
  /** Yields between two segments. */
  readonly scheduler?: Scheduler | undefined;
  /**
   * Called for each file with the lines that were read, including events that are known already. `isWhole`: they are all of the
   * file's lines.
   */
  readonly onLines?: (path: VaultPath, lines: readonly SegmentLine[], isWhole: boolean) => void;
  readonly cache?: SegmentCache | undefined;
  /** Called with the bytes of each new line of this lane that was read from a file, without its newline. */
  readonly onNewLine?: (bytes: Uint8Array) => void;
}

/** Reads one lane of the log under `root` incrementally, and adds its events to the writer index. */
export class LaneReader {
  readonly #files: Files;
  readonly #root: VaultPath;
  readonly #lane: LaneName;
  readonly #writers: WriterIndex;
  readonly #options: ReaderOptions;
  readonly #scheduler: Scheduler;
  readonly #segments = new Map<VaultPath, SegmentRecord>();
  readonly #invalid = new Set<VaultPath>();
  /** Sealed segments that are still to be checked in this round. */
  #rescanQueue: VaultPath[] = [];
  readonly #folders: Set<VaultPath>;
  /** Indexed, but not returned yet: the next scan returns what a scan has found that failed. */
  readonly #found: LocatedEvent[] = [];
  readonly #misplaced: LocatedEvent[] = [];
  readonly #repeated: LogEvent[] = [];
  #unreadable: VaultPath[] = [];
  #hasLoss = false;

  constructor(
    files: Files,
    root: VaultPath,
    lane: LaneName,
    writers: WriterIndex,
    options: ReaderOptions = {},
  ) {
    this.#files = files;
    this.#lane = lane;
    this.#writers = writers;
    this.#options = options;
    this.#scheduler = options.scheduler ?? NOOP_SCHEDULER;
    this.#root = root;
    this.#folders = new Set([`${root}/${lane}`]);
  }

  /**
   * Reads what has been added since the last scan, and returns the events that are new. Sealed segments should not change: it checks
   * only the invalidated ones and the next `rescans` others, so that repeated scans check all of them in turn.
   */
  async scan(rescans = 0): Promise<LocatedEvent[]> {
    const { cache } = this.#options;
    this.#unreadable = [];
    const [listed] = await allEnded([
      this.#listSegments(),
      this.#readAll(this.#takeDue(rescans)),
      cache?.load() ?? Promise.resolve(),
    ]);
    const existing = new Set(listed);
    for (const path of [...this.#segments.keys()]) if (!existing.has(path)) this.#remove(path);
    await this.#readAll(listed.filter((path) => !this.#segments.has(path)));
    cache?.prune(existing);
    return this.#found.splice(0);
  }

  /** Makes the next scan check a file even if it is sealed. */
  invalidate(path: VaultPath): void {
    this.#invalid.add(path);
  }

  /** Returns, once, the new events whose type belongs to another lane. */
  takeMisplaced(): LocatedEvent[] {
    return this.#misplaced.splice(0);
  }

  /** Returns, once, events with the number and CRC of an event that was known: nearly always the same line in another file. */
  takeRepeated(): LogEvent[] {
    return this.#repeated.splice(0);
  }

  /** Takes in lines that this process has just appended, so that no scan reads them again. `lastHash`: the hash of the last one. */
  recordAppend(
    path: VaultPath,
    info: FileInfo,
    lines: readonly SegmentLine[],
    lastHash: string,
  ): void {
    const { onLines, cache } = this.#options;
    for (const { event } of lines) indexEvent(this.#writers, this.#lane, event);
    const last = lines.at(-1);
    if (last) this.#setHash(last.event, lastHash);
    onLines?.(path, lines, false);
    const before = this.#segments.get(path);
    const { size } = info;
    const isContiguous = lines[0]?.from === (before?.size ?? 0);
    if (!isContiguous) return;
    const record: SegmentRecord = {
      size,
      info,
      settled: size,
      last: lines.at(-1),
      problems: before?.problems ?? [],
    };
    this.#segments.set(path, record);
    cache?.appended(path, size - (before?.size ?? 0), isSealed(record));
  }

  /** Returns the parts of each segment that are not events. */
  problems(): ReadonlyMap<VaultPath, readonly LineProblem[]> {
    return new Map([...this.#segments].map(([path, { problems }]) => [path, problems]));
  }

  /** Returns true, once, after a segment that had been read disappeared, shrank or lost its last line. */
  takeLoss(): boolean {
    const hasLoss = this.#hasLoss;
    this.#hasLoss = false;
    return hasLoss;
  }

  /** Files that the last scan could not read, or that are not downloaded yet: never treated as deleted. */
  unreadable(): readonly VaultPath[] {
    return this.#unreadable;
  }

  /** Returns the segments that may have changed. */
  #takeDue(rescans: number): VaultPath[] {
    const segments = this.#segments;
    const due = new Set(
      [...segments]
        .filter(([path, record]) => !isSealed(record) || this.#invalid.has(path))
        .map(([path]) => path),
    );
    this.#invalid.clear();
    if (rescans > 0 && this.#rescanQueue.length === 0)
      this.#rescanQueue = [...segments.keys()].reverse();
    for (const path of this.#rescanQueue.splice(-rescans, rescans))
      if (segments.has(path)) due.add(path);
    return [...due];
  }

  /** Its events stay in the writer index. */
  #remove(path: VaultPath): void {
    const { onLines, cache } = this.#options;
    this.#hasLoss = true;
    this.#segments.delete(path);
    cache?.remove(path);
    onLines?.(path, [], true);
  }

  async #readAll(paths: readonly VaultPath[]): Promise<void> {
    await eachInParallel(paths, MAX_PARALLEL_READS, async (path) => {
      try {
        await this.#readChanges(path);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.#unreadable.push(path);
      }
    });
  }

  /** Lists the folders known from earlier scans all at once, then those that it finds in them. */
  async #listSegments(): Promise<VaultPath[]> {
    const paths: VaultPath[] = [];
    const listed = new Set<VaultPath>();
    for (
      let next = [...this.#folders];
      next.length > 0;
      next = [...this.#folders].filter((folder) => !listed.has(folder))
    ) {
      await allEnded(next.map((folder) => this.#listFolder(folder, paths)));
      for (const folder of next) listed.add(folder);
    }
    return paths;
  }

  async #listFolder(folder: VaultPath, paths: VaultPath[]): Promise<void> {
    for (const entry of await this.#files.list(folder)) {
      const { name, kind } = entry;
      const path = `${folder}/${name}`;
      if (!(await this.#isUsable(path, entry))) this.#unreadable.push(path);
      else if (kind === 'folder') this.#folders.add(path);
      else if (isSegmentName(name)) paths.push(path);
      else if (isPlaceholderName(name)) this.#unreadable.push(path);
    }
  }

  /** Returns false for a linked folder, which may lead back up, for a link out of the data folder, and for what is not a file. */
  async #isUsable(path: VaultPath, { name, kind, isLink }: FolderEntry): Promise<boolean> {
    if (kind === 'folder') return isLink !== true;
    if (!isSegmentName(name)) return true;
    if (kind === 'other') return false;
    return isLink !== true || this.#files.isInside(path, this.#root);
  }

  async #readChanges(path: VaultPath): Promise<void> {
    const { onLines, cache } = this.#options;
    const record = this.#segments.get(path);
    const before = record || cache ? await this.#files.stat(path) : undefined;
    if (record && !before) return; // the listing reports it too
    if (record && before && before.size < record.size) this.#hasLoss = true;
    if (record && before && isUnchanged(record, before)) {
      record.info = before;
      return;
    }
    const growth =
      record && before && mayHaveGrown(record, before)
        ? await this.#readGrowth(path, record)
        : undefined;
    if (cache) await this.#scheduler.yieldIfDue();
    const cached = before && !record ? await this.#takeCached(path, before) : undefined;
    const whole = growth || cached ? undefined : await this.#files.read(path, 0, MAX_FILE_BYTES);
    while (this.#scheduler.isDue) await this.#scheduler.yieldIfDue(); // checked again, because many reads may have ended together
    const isLarge = whole?.length === MAX_FILE_BYTES;
    const parsed =
      whole && (isLarge ? await readLargeFile(this.#files, path, whole) : readSegment(whole));
    const segment = growth ?? cached ?? parsed;
    if (!segment) return;
    if (record?.last && !growth && !hasLine(segment, record.last)) this.#hasLoss = true;
    const next = recordOf(segment, before, growth && record);
    // Most segments are sealed when they are first read. Asking for information that is never compared takes a tenth of the start.
    const after = before || isSealed(next) ? undefined : await this.#files.stat(path);
    this.#segments.set(path, after?.size === next.size ? { ...next, info: after } : next);
    if (parsed && before && !isLarge) cache?.persist(path, before, whole, parsed);
    else if (growth) cache?.appended(path, growth.size - (record?.size ?? 0), isSealed(next));
    onLines?.(path, segment.lines, !growth);
    this.#addLines(path, segment);
  }

  #addLines(path: VaultPath, { lines, lastHash, bytes, offset }: ReadSegment): void {
    const { onNewLine } = this.#options;
    for (const { event, from, to } of lines) {
      if (indexEvent(this.#writers, this.#lane, event) === 'known') {
        if (this.#lane !== 'trace') this.#repeated.push(event); // traces are not folded
      } else if (laneOf(event, this.#lane) === this.#lane) {
        this.#found.push({ event, from, to, path });
        if (bytes) onNewLine?.(bytes.subarray(from - offset, to - offset));
      } else this.#misplaced.push({ event, from, to, path });
    }
    const last = lines.at(-1);
    if (last && lastHash !== undefined) this.#setHash(last.event, lastHash);
  }

  #setHash({ w, n }: LogEvent, hash: string): void {
    this.#writers.get(w)?.hashes.set(n, hash);
  }

  /** Compares the last line of a segment that is not sealed: a power cut changes only what had not reached the disk. */
  async #takeCached(path: VaultPath, info: FileInfo): Promise<ReadSegment | undefined> {
    const cached = this.#options.cache?.take(path, info);
    const last = cached?.lines.at(-1);
    if (!cached) return undefined;
    const segment = {
      ...cached,
      size: info.size,
      lastHash: undefined,
      bytes: undefined,
      offset: 0,
    };
    if (!last || last.event.t === 'log.seal') return segment;
    const tail = await this.#files.read(path, last.from);
    if (!tail || !startsWithLine(tail, last)) return undefined;
    return { ...segment, lastHash: lineHash(tail.subarray(0, last.to - last.from)) };
  }

  /** Reads past the settled part; undefined if the last line that was read is not in its place any more. */
  async #readGrowth(
    path: VaultPath,
    { last, settled }: SegmentRecord,
  ): Promise<ReadSegment | undefined> {
    if (!last) return undefined;
    const tail = await this.#files.read(path, last.from);
    if (!tail || !startsWithLine(tail, last)) return undefined;
    const { lines, problems, settled: settledInTail } = parseSegment(tail, settled - last.from);
    return {
      lines: lines.map(({ event, from, to }) => ({
        event,
        from: from + last.from,
        to: to + last.from,
      })),
      problems: problems.map(({ kind, from }) => ({ kind, from: from + last.from })),
      settled: settledInTail + last.from,
      size: tail.length + last.from,
      lastHash: lastHashOf(tail, lines),
      bytes: tail,
      offset: last.from,
    };
  }
}
