import type { LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { Clock } from '../../platform/clock.js';
import { hasSettled, type FileInfo, type Files } from '../../platform/files.js';
import { allEnded, eachInParallel } from '../../platform/parallel.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { laneOf, type LaneName } from '../format/lanes.js';
import { parseSegment, type LineProblem, type SegmentLine } from '../format/segment.js';
import { chainHash } from '../format/stub.js';
import { BlankSegments } from './blank-segments.js';
import { MAX_FILE_BYTES, readLargeFile } from './large-file.js';
import { OpenSegments } from './open-segments.js';
import type { SegmentCache } from './segment-cache.js';
import { SegmentList } from './segment-list.js';
import {
  hasLine,
  isSealed,
  isUnchanged,
  lastHashOf,
  mayHaveGrown,
  readSegment,
  segmentRecordOf,
  startsWithLine,
  type ReadSegment,
  type SegmentRecord,
} from './segment-record.js';
import { indexEvent, type WriterIndex } from './writer-index.js';

/** An event and the location of its line. */
export interface LocatedEvent extends SegmentLine {
  readonly path: VaultPath;
}

/** Files read at the same time. More would not be faster, and each takes a file handle. */
export const MAX_PARALLEL_READS = 16;

/** Idle segments that each scan checks. */
const IDLE_BATCH = 16;
/** Idle segments that a scan checks if it also checks sealed segments. */
const IDLE_RESCAN_BATCH = 64;

export interface ReaderOptions {
  /** Without it, every scan lists every folder and checks every segment that is not sealed. */
  readonly clock?: Pick<Clock, 'now'> | undefined;
  /** Yields between two segments. */
  readonly scheduler?: Scheduler | undefined;
  /** Called per file with the lines read, known ones too. `isWhole`: these are all its lines. */
  readonly onLines?: (path: VaultPath, lines: readonly SegmentLine[], isWhole: boolean) => void;
  readonly cache?: SegmentCache | undefined;
  /** Called with each new line of this lane that was read from a file, without its newline. */
  readonly onNewLine?: (bytes: Uint8Array) => void;
}

/** Reads one lane of the log under `root` incrementally into the writer index. */
export class LaneReader {
  readonly #files: Files;
  readonly #lane: LaneName;
  readonly #writers: WriterIndex;
  readonly #options: ReaderOptions;
  readonly #scheduler: Scheduler;
  readonly #list: SegmentList;
  readonly #segments = new Map<VaultPath, SegmentRecord>();
  readonly #open = new OpenSegments();
  readonly #blank: BlankSegments;
  /** Segments that the next scan must read or check, because no earlier one could. */
  readonly #pending = new Set<VaultPath>();
  readonly #invalid = new Set<VaultPath>();
  /** Sealed segments that are still to be checked in this round. */
  #rescanQueue: VaultPath[] = [];
  /** Indexed events; after a scan that failed, the next one returns them. */
  readonly #found: LocatedEvent[] = [];
  readonly #misplaced: LocatedEvent[] = [];
  readonly #repeated: LogEvent[] = [];
  #unreadable = new Set<VaultPath>();
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
    this.#blank = new BlankSegments(lane);
    this.#writers = writers;
    this.#options = options;
    this.#scheduler = options.scheduler ?? NOOP_SCHEDULER;
    this.#list = new SegmentList({ files, root, folder: `${root}/${lane}`, clock: options.clock });
  }

  /**
   * Returns the events added since the last scan. Of sealed segments, which should not change, it
   * checks the invalidated ones and the next `rescans` others, so that repeated scans check all.
   * Idle segments (`OpenSegments`) are checked in turn too, some in each scan.
   */
  async scan(rescans = 0): Promise<LocatedEvent[]> {
    const { cache } = this.#options;
    const list = this.#list;
    this.#unreadable.clear();
    await allEnded([
      list.update(),
      this.#readAll(this.#takeDue(rescans)),
      cache?.load() ?? Promise.resolve(),
    ]);
    this.#takeChanges();
    await this.#readAll([...this.#pending].filter((path) => !this.#unreadable.has(path)));
    for (const path of list.unreadable()) this.#unreadable.add(path);
    cache?.prune((path) => list.has(path));
    return this.#found.splice(0);
  }

  /** Makes the next scan check a file even if it is sealed, and list its folder. */
  invalidate(path: VaultPath): void {
    this.#invalid.add(path);
    this.#list.invalidate(path);
  }

  /** Returns, once, the new events whose type belongs to another lane. */
  takeMisplaced(): LocatedEvent[] {
    return this.#misplaced.splice(0);
  }

  /** Returns, once, events with a known one's writer, number and CRC: mostly the same line. */
  takeRepeated(): LogEvent[] {
    return this.#repeated.splice(0);
  }

  /** Takes in appended lines, so that no scan reads them again. `lastHash`: of the last one. */
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
      hasEvents: true,
      problems: before?.problems ?? [],
    };
    this.#setRecord(path, record);
    this.#list.add(path);
    cache?.appended(path, size - (before?.size ?? 0), isSealed(record));
  }

  /** Returns the parts of each segment that are not events. */
  problems(): ReadonlyMap<VaultPath, readonly LineProblem[]> {
    return new Map([...this.#segments].map(([path, { problems }]) => [path, problems]));
  }

  /** Returns true, once, after a known segment disappeared, shrank or lost its last line. */
  takeLoss(): boolean {
    const hasLoss = this.#hasLoss;
    this.#hasLoss = false;
    return hasLoss;
  }

  /** Files that the last scan could not read, or not downloaded yet; not treated as deleted. */
  unreadable(): readonly VaultPath[] {
    return [...this.#unreadable];
  }

  /** Files whose lines may still come: those of the last scan, and `BlankSegments`. */
  waiting(): readonly VaultPath[] {
    const now = this.#options.clock?.now() ?? Infinity;
    return [...new Set([...this.#unreadable, ...this.#blank.missedAt(now, this.#writers)])];
  }

  /** Returns the segments that may have changed. */
  #takeDue(rescans: number): VaultPath[] {
    const segments = this.#segments;
    const open = this.#open;
    const due = new Set(open.currentAt(this.#options.clock?.now()));
    for (const path of this.#invalid) if (segments.has(path)) due.add(path);
    this.#invalid.clear();
    for (const path of open.takeIdle(rescans > 0 ? IDLE_RESCAN_BATCH : IDLE_BATCH)) due.add(path);
    if (rescans === 0) return [...due];
    if (this.#rescanQueue.length === 0) this.#rescanQueue = [...segments.keys()].reverse();
    for (const path of this.#rescanQueue.splice(-rescans, rescans))
      if (segments.has(path)) due.add(path);
    return [...due];
  }

  /** Takes in changes in the folders. A file replaced under its name changes its folder too. */
  #takeChanges(): void {
    const { changed, relisted } = this.#list.takeChanges();
    for (const path of changed) {
      if (!this.#list.has(path)) this.#remove(path);
      else if (!this.#segments.has(path)) this.#pending.add(path);
    }
    for (const path of this.#open.idleIn(relisted)) this.#pending.add(path);
  }

  /** Its events stay in the writer index. */
  #remove(path: VaultPath): void {
    const { onLines, cache } = this.#options;
    this.#pending.delete(path);
    if (!this.#segments.delete(path)) return;
    this.#hasLoss = true;
    this.#open.delete(path);
    this.#blank.delete(path);
    cache?.remove(path);
    onLines?.(path, [], true);
  }

  async #readAll(paths: readonly VaultPath[]): Promise<void> {
    await eachInParallel(paths, MAX_PARALLEL_READS, async (path) => {
      try {
        await this.#readChanges(path);
        if (this.#segments.has(path)) this.#pending.delete(path);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.#pending.add(path);
        this.#unreadable.add(path);
      }
    });
  }

  #setRecord(path: VaultPath, record: SegmentRecord): void {
    this.#segments.set(path, record);
    this.#open.set(path, record);
    this.#blank.set(path, record);
  }

  async #readChanges(path: VaultPath): Promise<void> {
    const { onLines, cache } = this.#options;
    const record = this.#segments.get(path);
    const readAt = this.#options.clock?.now() ?? Infinity;
    const settled = (info: FileInfo | undefined) =>
      info && hasSettled(info.mtime, readAt) ? info : undefined;
    const before = record || cache ? await this.#files.stat(path) : undefined;
    if (record && !before) {
      this.#list.invalidate(path); // which reports it too
      return;
    }
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
    // checked again, because many reads may have ended together
    while (this.#scheduler.isDue) await this.#scheduler.yieldIfDue();
    const isLarge = whole?.length === MAX_FILE_BYTES;
    const parsed =
      whole && (isLarge ? await readLargeFile(this.#files, path, whole) : readSegment(whole));
    const segment = growth ?? cached ?? parsed;
    if (!segment) return;
    if (record?.last && !growth && !hasLine(segment, record.last)) this.#hasLoss = true;
    const next = segmentRecordOf(segment, settled(before), growth && record);
    // a sealed segment is never compared, and asking for information takes a tenth of the start
    const after = before || isSealed(next) ? undefined : settled(await this.#files.stat(path));
    this.#setRecord(path, after?.size === next.size ? { ...next, info: after } : next);
    if (parsed && next.info && next.hasEvents && !isLarge)
      cache?.persist(path, next.info, whole, parsed);
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

  /** Returns a cached segment unless a power cut took its last line. Sealed ones are unchecked. */
  async #takeCached(path: VaultPath, info: FileInfo): Promise<ReadSegment | undefined> {
    const cached = this.#options.cache?.take(path, info);
    const last = cached?.lines.at(-1);
    if (!cached) return undefined;
    const unread = { lastHash: undefined, bytes: undefined, offset: 0 };
    const segment = { ...cached, size: info.size, ...unread };
    if (!last || last.event.t === 'log.seal') return segment;
    const tail = await this.#files.read(path, last.from);
    if (!tail || !startsWithLine(tail, last)) return undefined;
    return { ...segment, lastHash: chainHash(last.event, tail.subarray(0, last.to - last.from)) };
  }

  /** Reads what follows the settled part; undefined if the last line is no longer there. */
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
