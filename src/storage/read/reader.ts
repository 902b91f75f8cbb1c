import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { FileInfo, Files } from '../../platform/files.js';
import { allEnded, eachInParallel } from '../../platform/parallel.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { isPlaceholderName, isSegmentName, type LaneName } from '../format/lanes.js';
import { decodeLine } from '../format/line.js';
import {
  parseSegment,
  toUtf8,
  type LineProblem,
  type ParsedSegment,
  type SegmentLine,
} from '../format/segment.js';
import type { SegmentCache } from './segment-cache.js';
import { indexEvent, type WriterIndex } from './writer-index.js';

/** An event and the location of its line. */
export interface LocatedEvent extends SegmentLine {
  readonly path: VaultPath;
}

/** A segment as it was when it was last read. */
interface SegmentRecord {
  /** Bytes. */
  size: number;
  /** The file's information at that time; undefined if it was not asked for, or the file was changing. */
  info: FileInfo | undefined;
  settled: number;
  /** The last settled line. */
  last: SegmentLine | undefined;
  problems: LineProblem[];
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
}

/** Reads one lane of the log under `root` incrementally, and adds its events to the writer index. */
export class LaneReader {
  readonly #files: Files;
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

  /** Takes in lines that this process has just appended, so that no scan reads them again. */
  recordAppend(path: VaultPath, info: FileInfo, lines: readonly SegmentLine[]): void {
    const { onLines, cache } = this.#options;
    for (const { event } of lines) indexEvent(this.#writers, this.#lane, event);
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
    for (const { name, kind } of await this.#files.list(folder)) {
      const path = `${folder}/${name}`;
      if (kind === 'folder') this.#folders.add(path);
      else if (isSegmentName(name)) paths.push(path);
      else if (isPlaceholderName(name)) this.#unreadable.push(path);
    }
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
    const whole = growth || cached ? undefined : await this.#files.read(path);
    while (this.#scheduler.isDue) await this.#scheduler.yieldIfDue(); // checked again, because many reads may have ended together
    const parsed = whole && parseSegment(toUtf8(whole));
    const segment =
      growth ??
      (cached && before
        ? { ...cached, size: before.size }
        : parsed && { ...parsed, size: whole.length });
    if (!segment) return;
    if (record?.last && !growth && !hasLine(segment, record.last)) this.#hasLoss = true;
    const next = recordOf(segment, before, growth && record);
    // Most segments are sealed when they are first read. Asking for information that is never compared takes a tenth of the start.
    const after = before || isSealed(next) ? undefined : await this.#files.stat(path);
    this.#segments.set(path, after?.size === next.size ? { ...next, info: after } : next);
    if (parsed && before) cache?.persist(path, before, whole, parsed);
    else if (growth) cache?.appended(path, growth.size - (record?.size ?? 0), isSealed(next));
    onLines?.(path, segment.lines, !growth);
    for (const { event, from, to } of segment.lines)
      if (indexEvent(this.#writers, this.#lane, event) !== 'known')
        this.#found.push({ event, from, to, path });
  }

  /** Compares the last line of a segment that is not sealed: a power cut changes only what had not reached the disk. */
  async #takeCached(path: VaultPath, info: FileInfo): Promise<ParsedSegment | undefined> {
    const cached = this.#options.cache?.take(path, info);
    const last = cached?.lines.at(-1);
    if (!last || last.event.t === 'log.seal') return cached;
    const tail = await this.#files.read(path, last.from);
    return tail && startsWithLine(tail, last) ? cached : undefined;
  }

  /** Reads past the settled part; undefined if the last line that was read is not in its place any more. */
  async #readGrowth(
    path: VaultPath,
    { last, settled }: SegmentRecord,
  ): Promise<(ParsedSegment & { size: number }) | undefined> {
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
    };
  }
}

/** `before`: the file's information from before it was read. `grown`: the file's previous record, if only bytes appended since then were read. */
function recordOf(
  { lines, problems, settled, size }: ParsedSegment & { readonly size: number },
  before: FileInfo | undefined,
  grown: SegmentRecord | undefined,
): SegmentRecord {
  // If the read returned less than the file's size, the file counts as changed at the next scan.
  const info = before && before.size <= size ? before : undefined;
  return {
    info,
    size: info?.size ?? size,
    settled,
    last: lines.findLast(({ to }) => to <= settled) ?? grown?.last,
    problems,
  };
}

/** Returns true if nothing can be added to the segment any more; damaged parts may still be replaced. */
function isSealed(record: SegmentRecord): boolean {
  return (
    record.last?.event.t === 'log.seal' &&
    record.settled >= record.size &&
    record.problems.length === 0
  );
}

/** Returns false if it is another file, or has damage in its settled part, which may have been repaired. */
function mayHaveGrown({ size, info, settled, problems }: SegmentRecord, now: FileInfo): boolean {
  return (
    now.size > size &&
    info !== undefined &&
    now.fileId === info.fileId &&
    problems.every(({ from }) => from >= settled)
  );
}

/** Compares only the size if a sealed segment's information was never asked for. */
function isUnchanged(record: SegmentRecord, now: FileInfo): boolean {
  const { size, info } = record;
  if (!info) return isSealed(record) && now.size === size;
  return info.size === now.size && info.mtime === now.mtime && info.fileId === now.fileId;
}

function startsWithLine(tail: Uint8Array, { event, from, to }: SegmentLine): boolean {
  const line = to - from <= tail.length ? decodeLine(tail, 0, to - from) : undefined;
  return line !== undefined && 'event' in line && line.event.c === event.c;
}

function hasLine({ lines }: ParsedSegment, { event: { w, n, c } }: SegmentLine): boolean {
  return lines.some(({ event }) => event.w === w && event.n === n && event.c === c);
}
