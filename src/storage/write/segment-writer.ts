import type { Draft, LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { joinBytes } from '../../platform/bytes/bytes.js';
import type { Clock } from '../../platform/clock.js';
import { FileChangedError, type FileInfo, type Files } from '../../platform/files.js';
import { createWriterId, type Random } from '../../platform/random.js';
import { sha256 } from '../../platform/sha256.js';
import type { HybridClock } from '../format/hybrid-clock.js';
import { dayOf, MAX_SEGMENT_BYTES, segmentPath, type LaneName } from '../format/lanes.js';
import { CHAIN_START, decodeLine, encodeLine } from '../format/line.js';
import type { LocatedEvent } from '../read/reader.js';
import type { WriterIndex } from '../read/writer-index.js';
import type { Identities, WriterRecord } from './writer-identity.js';

export interface LogSegmentWriterOptions {
  readonly files: Files;
  readonly root: VaultPath;
  readonly lane: LaneName;
  readonly identities: Identities;
  readonly random: Random;
  readonly clock: Clock;
  readonly hybridClock: HybridClock;
  /** All that the log has seen so far. */
  readonly writers: WriterIndex;
}

/** Lines that one append has written. */
export interface LogAppend {
  readonly path: VaultPath;
  /** The file's information after the append. */
  readonly info: FileInfo;
  readonly lines: readonly LocatedEvent[];
  readonly bytes: Uint8Array;
}

export interface PreparedWriter {
  /** A stored writer that cannot be continued. Its last events may be lost, and its record may be all that still mentions them. */
  readonly abandoned?: WriterRecord | undefined;
  /** The seal of a segment of an earlier day. */
  readonly sealed?: LogAppend | undefined;
}

/** The lines of the next append. */
interface StagedLines {
  readonly events: LogEvent[];
  readonly lines: Uint8Array[];
  /** Bytes. */
  size: number;
}

/**
 * Writes one lane's events as one writer, to segments that it alone writes, only by appending.
 * On any anomaly it abandons the writer for good, and the next event comes from a new one.
 */
export class LogSegmentWriter {
  readonly #options: LogSegmentWriterOptions;
  #current: WriterRecord | undefined;
  #staged: StagedLines = noLines();

  constructor(options: LogSegmentWriterOptions) {
    this.#options = options;
  }

  /** Id of the current writer. */
  get writer(): string | undefined {
    return this.#current?.writer;
  }

  /** Number of the current writer's last event; 0 if there is none. */
  get lastNumber(): number {
    return this.#current?.n ?? 0;
  }

  /** True if the next staged event will be the first of a segment. */
  get opensSegment(): boolean {
    const current = this.#current;
    return current !== undefined && !hasSegment(current) && this.#staged.events.length === 0;
  }

  /** Acquires or creates a writer, and seals a segment of an earlier day, as `seal` does. Call it before `stage`. */
  async prepare(): Promise<PreparedWriter> {
    const abandoned = this.#current ? undefined : await this.#acquire();
    const current = this.#current!;
    const isPastDay = hasSegment(current) && current.day !== this.#today();
    return { abandoned, sealed: isPastDay ? await this.seal() : undefined };
  }

  /**
   * Stages events for the next append, and returns them stamped; `full` if the segment must be sealed first. Throws a `Refusal`,
   * and stages nothing, if one is too long.
   */
  stage(drafts: readonly Draft[]): LogEvent[] | 'full' {
    const record = this.#current;
    if (!record) throw new Error('prepare() comes before stage()');
    const { opensSegment } = this;
    const staged = this.#staged;
    const before = { events: staged.events.length, size: staged.size };
    try {
      for (const draft of drafts) this.#addLine(record, draft);
    } catch (error) {
      this.#cutStaged(before);
      throw error;
    }
    const size = (hasSegment(record) ? record.size : 0) + staged.size;
    if (size > MAX_SEGMENT_BYTES[this.#options.lane] && !opensSegment) {
      this.#cutStaged(before);
      return 'full';
    }
    return staged.events.slice(before.events);
  }

  /** Drops the staged events. */
  unstage(): void {
    this.#staged = noLines();
  }

  /** Appends the staged events in one write, which waits for the disk except in the trace lane. Returns undefined if there are none. */
  async commit(): Promise<LogAppend | undefined> {
    const { root, lane } = this.#options;
    const record = this.#current;
    if (!record || this.#staged.events.length === 0) return undefined;
    const { events, lines } = this.#staged;
    this.unstage();
    const isNew = !hasSegment(record);
    const day = isNew ? this.#today() : record.day;
    const number = isNew ? record.number + 1 : record.number;
    const path = isNew ? segmentPath(root, lane, day, record.writer, number) : record.path;
    const start = isNew ? 0 : record.size;
    const bytes = joinBytes(lines);
    const info = await this.#append(path, bytes, isNew ? 'new' : record);
    const located = locateLines(path, start, events, lines);
    const last = located.at(-1)!;
    const { n, c, h } = last.event;
    this.#current = {
      writer: record.writer,
      n,
      c,
      h,
      path,
      number,
      day,
      size: info.size,
      fileId: info.fileId,
      lines: (isNew ? 0 : record.lines) + events.length,
      lastFrom: last.from,
      isSealed: false,
    };
    return { path, info, lines: located, bytes };
  }

  /**
   * Closes the segment, so that the next event begins a new one. Returns undefined if there is no open segment. Abandons the writer
   * and throws a `FileChangedError` if another program has changed the file.
   */
  async seal(): Promise<LogAppend | undefined> {
    const { files, hybridClock } = this.#options;
    const record = this.#current;
    if (!record || !hasSegment(record)) return undefined;
    const { path, size } = record;
    const content = await files.read(path);
    if (content?.length !== size) {
      this.abandon();
      throw new FileChangedError(`${path} is not as it was left`);
    }
    const { event, bytes } = encodeLine({
      v: 1,
      w: record.writer,
      n: record.n + 1,
      p: record.c,
      h: hybridClock.next(),
      t: 'log.seal',
      e: '',
      d: { count: record.lines, sha256: await sha256(content) },
    });
    const info = await this.#append(path, bytes, record);
    const { n, c, h } = event;
    this.#current = {
      ...record,
      n,
      c,
      h,
      size: info.size,
      lines: record.lines + 1,
      lastFrom: size,
      isSealed: true,
    };
    return { path, info, lines: locateLines(path, size, [event], [bytes]), bytes };
  }

  /** Abandons the writer: another program uses it, or has changed its segment. */
  abandon(): void {
    this.#current = undefined;
    this.unstage();
  }

  /** Stores the writer for the next process of this device. */
  async release(): Promise<void> {
    const { identities, lane } = this.#options;
    if (this.#current && this.#current.n > 0) await identities.release(lane, this.#current);
    this.abandon();
  }

  /** Makes a stored writer the current one, or else a new one. Returns a stored writer that cannot be continued. */
  async #acquire(): Promise<WriterRecord | undefined> {
    const { identities, lane, files, random, hybridClock } = this.#options;
    const stored = await identities.acquire(lane);
    const isIntact = stored && this.#isUnused(stored) && (await isAsLeft(files, stored));
    const current = isIntact ? stored : newRecord(random);
    this.#current = current;
    hybridClock.observe(current.h);
    return isIntact ? undefined : stored;
  }

  /** Returns true unless the log has events of that writer which are later than its record. */
  #isUnused({ writer, n }: WriterRecord): boolean {
    const state = this.#options.writers.get(writer);
    return !state || (state.lastNumber <= n && state.forks.size === 0);
  }

  #addLine(record: WriterRecord, { t, e, d }: Draft): void {
    const staged = this.#staged;
    const last = staged.events.at(-1) ?? record;
    const line = encodeLine({
      v: 1,
      w: record.writer,
      n: last.n + 1,
      p: last.c,
      h: this.#options.hybridClock.next(),
      t,
      e,
      d,
    });
    staged.events.push(line.event);
    staged.lines.push(line.bytes);
    staged.size += line.bytes.length;
  }

  #cutStaged(before: { readonly events: number; readonly size: number }): void {
    const staged = this.#staged;
    staged.events.length = before.events;
    staged.lines.length = before.events;
    staged.size = before.size;
  }

  async #append(
    path: VaultPath,
    bytes: Uint8Array,
    before: 'new' | WriterRecord,
  ): Promise<FileInfo> {
    const { files, lane } = this.#options;
    const expect =
      before === 'new'
        ? before
        : { size: before.size, ...(before.fileId !== undefined && { fileId: before.fileId }) };
    try {
      return await files.append(path, bytes, { expect, durable: lane !== 'trace' });
    } catch (error) {
      this.#current = undefined;
      if (before === 'new' && !(error instanceof FileChangedError))
        await removeIfEmpty(files, path);
      throw error;
    }
  }

  /** The UTC day, such as `2026-11-20`. */
  #today(): string {
    return dayOf(this.#options.clock.now());
  }
}

function noLines(): StagedLines {
  return { events: [], lines: [], size: 0 };
}

function newRecord(random: Random): WriterRecord {
  return {
    writer: createWriterId(random),
    n: 0,
    c: CHAIN_START,
    h: '',
    path: '',
    number: 0,
    day: '',
    size: 0,
    lines: 0,
    lastFrom: 0,
    isSealed: true,
  };
}

/** Returns true if there is a segment that may still grow. */
function hasSegment(record: WriterRecord): boolean {
  return !record.isSealed;
}

async function isAsLeft(files: Files, record: WriterRecord): Promise<boolean> {
  const info = await files.stat(record.path);
  if (info?.size !== record.size || info.fileId !== record.fileId) return false;
  const tail = await files.read(record.path, record.lastFrom);
  if (tail?.length !== record.size - record.lastFrom) return false;
  const line = decodeLine(tail, 0, tail.length - 1);
  if (!('event' in line)) return false;
  const { w, n, c, h } = line.event;
  return w === record.writer && n === record.n && c === record.c && h === record.h;
}

/** Removes the file that a failed append has just created, if it is still empty. */
async function removeIfEmpty(files: Files, path: VaultPath): Promise<void> {
  const info = await files.stat(path).catch(() => undefined);
  if (info?.size === 0) await files.remove(path).catch(() => undefined); // an empty file does no harm
}

function locateLines(
  path: VaultPath,
  start: number,
  events: readonly LogEvent[],
  lines: readonly Uint8Array[],
): LocatedEvent[] {
  let at = start;
  return events.map((event, index): LocatedEvent => {
    const from = at;
    at += lines[index]!.length;
    return { event, from, to: at - 1, path };
  });
}
