import type { Draft, LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { joinBytes } from '../../platform/bytes/bytes.js';
import { FileChangedError, FileReplacedError } from '../../platform/files.js';
import { createWriterId } from '../../platform/random.js';
import type { HybridClock } from '../format/hybrid-clock.js';
import {
  dayOf,
  healedPath,
  MAX_SEGMENT_BYTES,
  segmentPath,
  type LaneName,
} from '../format/lanes.js';
import { encodeLine, type EncodedLine } from '../format/line.js';
import type { SeenWriter } from '../format/watermark.js';
import type { LogOptions } from '../log.js';
import type { WriterIndex } from '../read/writer-index.js';
import {
  appendOf,
  readHashes,
  removeIfEmpty,
  rewriteLines,
  type LogAppend,
} from './segment-file.js';
import { newWriterRecord, type WriterRecord } from './writer-identity.js';

export interface LogSegmentWriterOptions extends Pick<
  LogOptions,
  'files' | 'root' | 'identities' | 'random' | 'clock'
> {
  readonly lane: LaneName;
  readonly hybridClock: HybridClock;
  /** All that the log has seen so far. */
  readonly writers: WriterIndex;
  /** Returns the last event of a writer that any watermark mentions. */
  readonly announced: (writer: string) => SeenWriter | undefined;
  /** Called with the writer before the first line of each segment. Must not throw. */
  readonly onOpen?: (writer: string) => Promise<void>;
}

export interface PreparedWriter {
  /** A stored writer that cannot be continued; its record may be the only trace of its events. */
  readonly abandoned?: WriterRecord | undefined;
  /** The seal of a segment of an earlier day. */
  readonly sealed?: LogAppend | undefined;
}

/** The lines of the next append. */
interface StagedLines {
  readonly lines: EncodedLine[];
  /** Bytes. */
  size: number;
}

/** Appends one lane's events to segments only it writes; after any anomaly, as a new writer. */
export class LogSegmentWriter {
  readonly #options: LogSegmentWriterOptions;
  #current: WriterRecord | undefined;
  #staged: StagedLines = noLines();
  /** Line hashes of the current writer's events, as far as they are known. */
  #hashes = new Map<number, string>();
  #isDistrusted = false;

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

  /** Path of the segment that the writer may still append to. */
  get openPath(): VaultPath | undefined {
    return this.#current && hasSegment(this.#current) ? this.#current.path : undefined;
  }

  /** True if the next staged event will be the first of a segment. */
  get opensSegment(): boolean {
    const current = this.#current;
    return current !== undefined && !hasSegment(current) && this.#staged.lines.length === 0;
  }

  /** Acquires or creates a writer; seals a segment of an earlier day. Call it before `stage`. */
  async prepare(): Promise<PreparedWriter> {
    if (this.#isDistrusted) await this.abandon();
    const abandoned = this.#current ? undefined : await this.#acquire();
    const current = this.#current!;
    const isPastDay = hasSegment(current) && current.day !== this.#today();
    const sealed = isPastDay ? await this.seal() : undefined;
    if (!this.#current) await this.#acquire(); // the file was replaced
    return { abandoned, sealed };
  }

  /** Stages all events or none; `full`: seal first. Throws a `Refusal` if one is too long. */
  stage(
    drafts: readonly Draft[],
    maxBytes = MAX_SEGMENT_BYTES[this.#options.lane],
  ): LogEvent[] | 'full' {
    const record = this.#current;
    if (!record) throw new Error('prepare() comes before stage()');
    const { opensSegment } = this;
    const staged = this.#staged;
    const before = { lines: staged.lines.length, size: staged.size };
    try {
      for (const draft of drafts) this.#addLine(record, draft);
    } catch (error) {
      this.#cutStaged(before);
      throw error;
    }
    const size = (hasSegment(record) ? record.size : 0) + staged.size;
    if (size > maxBytes && !opensSegment) {
      this.#cutStaged(before);
      return 'full';
    }
    return staged.lines.slice(before.lines).map(({ event }) => event);
  }

  get staged(): LogEvent[] {
    return this.#staged.lines.map(({ event }) => event);
  }

  unstage(): void {
    this.#staged = noLines();
  }

  /** Appends the staged events in one write; waits for the disk except in the trace lane. */
  async commit(): Promise<LogAppend | undefined> {
    const { root, lane } = this.#options;
    const record = this.#current;
    const { lines } = this.#staged;
    if (!record || lines.length === 0) return undefined;
    this.unstage();
    const isNew = !hasSegment(record);
    const day = isNew ? this.#today() : record.day;
    const number = isNew ? record.number + 1 : record.number;
    const path = isNew ? segmentPath(root, lane, day, record.writer, number) : record.path;
    const start = isNew ? 0 : record.size;
    const after: WriterRecord = {
      ...record,
      path,
      number,
      day,
      size: start,
      lines: isNew ? 0 : record.lines,
      isSealed: false,
    };
    return this.#append(after, lines, isNew ? 'new' : record);
  }

  /** Seals the open segment, if any. Throws a `FileChangedError` if the file has another size. */
  async seal(): Promise<LogAppend | undefined> {
    const record = this.#current;
    if (!record || !hasSegment(record)) return undefined;
    const line = this.#encode(record, { t: 'log.seal', e: '', d: { count: record.lines } });
    return this.#append({ ...record, isSealed: true }, [line], record);
  }

  /**
   * Checks an event that a watermark mentions. If the current writer should have written it but has
   * not, it is used twice or was restored, and is abandoned before the next append.
   */
  checkAnnounced(seen: SeenWriter): void {
    const { writer, n } = this.#current ?? { n: 0 };
    if (seen.writer !== writer) return;
    const known = this.#hashes.get(seen.n);
    if (seen.n > n || (known !== undefined && seen.hash !== undefined && known !== seen.hash))
      this.#isDistrusted = true;
  }

  /** Abandons the writer: another program uses it, or has changed its segment. */
  async abandon(): Promise<void> {
    const { writer } = this;
    this.#drop();
    if (writer !== undefined) await this.#options.identities.forget?.(this.#options.lane, writer);
  }

  /** Stores the writer for this device's next process or write, if its segment may still grow. */
  async release(): Promise<void> {
    const { identities, lane } = this.#options;
    const current = this.#current;
    if (this.#isDistrusted || current?.n === 0 || current?.isSealed) return this.abandon();
    if (current) await identities.release(lane, current);
    this.#drop();
  }

  #drop(): void {
    this.#current = undefined;
    this.#isDistrusted = false;
    this.#hashes = new Map();
    this.unstage();
  }

  /** Makes a stored or else a new writer current. Returns a stored one that cannot be continued. */
  async #acquire(): Promise<WriterRecord | undefined> {
    const { identities, lane, files, random, hybridClock } = this.#options;
    const stored = await identities.acquire(lane);
    const hashes = stored && this.#isUnused(stored) ? await readHashes(files, stored) : undefined;
    const current = stored && hashes ? stored : newWriterRecord(random);
    this.#current = current;
    this.#hashes = hashes ?? new Map<number, string>();
    const seen = this.#options.announced(current.writer);
    if (seen) this.checkAnnounced(seen);
    if (this.#isDistrusted) {
      this.#drop();
      this.#current = newWriterRecord(random);
    }
    hybridClock.observe(this.#current.h);
    if (!stored || this.#current === stored) return undefined;
    await identities.forget?.(lane, stored.writer);
    return stored;
  }

  /**
   * Returns true unless the segment is in another data folder or sealed (a process killed after
   * that may have begun another), or the log has later events of the writer.
   */
  #isUnused({ writer, n, path, day, number, isSealed }: WriterRecord): boolean {
    const { writers, root, lane } = this.#options;
    if (isSealed || path !== segmentPath(root, lane, day, writer, number)) return false;
    const state = writers.get(writer);
    return !state || (state.lastNumber <= n && state.forks.size === 0);
  }

  /** Encodes the line after the last one that is staged or written. */
  #encode({ writer: w, n, hash }: WriterRecord, { t, e, d }: Draft): EncodedLine {
    const last = this.#staged.lines.at(-1);
    const [number, p] = [(last?.event.n ?? n) + 1, last?.hash ?? hash];
    return encodeLine({ v: 1, w, n: number, p, h: this.#options.hybridClock.next(), t, e, d });
  }

  #addLine(record: WriterRecord, draft: Draft): void {
    const staged = this.#staged;
    const line = this.#encode(record, draft);
    staged.lines.push(line);
    staged.size += line.bytes.length;
  }

  #cutStaged(before: { readonly lines: number; readonly size: number }): void {
    this.#staged.lines.length = before.lines;
    this.#staged.size = before.size;
  }

  /** Appends lines to the segment of `record`, which excludes them. `before`: the stored state. */
  async #append(
    record: WriterRecord,
    lines: readonly EncodedLine[],
    before: 'new' | WriterRecord,
  ): Promise<LogAppend> {
    const { files, lane, identities, onOpen } = this.#options;
    const { path, size } = record;
    if (before === 'new') await onOpen?.(record.writer);
    const bytes = joinBytes(lines.map((line) => line.bytes));
    const { event: last } = lines.at(-1)!;
    const expect =
      before === 'new'
        ? before
        : { size: before.size, ...(before.fileId !== undefined && { fileId: before.fileId }) };
    try {
      const info = await files.append(path, bytes, { expect, durable: lane !== 'trace' });
      const append = appendOf(path, info, size, lines);
      for (const { event, hash } of lines) this.#hashes.set(event.n, hash);
      this.#current = {
        ...record,
        n: last.n,
        hash: append.lastHash,
        h: last.h,
        size: info.size,
        fileId: info.fileId,
        lines: record.lines + lines.length,
      };
      await identities.save?.(lane, this.#current);
      return append;
    } catch (error) {
      await this.abandon();
      if (error instanceof FileReplacedError) return this.#rewrite(path, lines);
      if (before === 'new' && !(error instanceof FileChangedError))
        await removeIfEmpty(files, path);
      throw error;
    }
  }

  #rewrite(replaced: VaultPath, lines: readonly EncodedLine[]): Promise<LogAppend> {
    const { files, root, lane, random } = this.#options;
    return rewriteLines(files, replaced, lines, () =>
      healedPath(root, lane, this.#today(), createWriterId(random)),
    );
  }

  /** The UTC day, such as `2026-11-20`. */
  #today(): string {
    return dayOf(this.#options.clock.now());
  }
}

function noLines(): StagedLines {
  return { lines: [], size: 0 };
}

/** Returns true if there is a segment that may still grow. */
function hasSegment(record: WriterRecord): boolean {
  return !record.isSealed;
}
