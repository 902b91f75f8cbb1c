import type { Draft, JsonObject, LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { joinBytes } from '../../platform/bytes.js';
import { FileChanged, type FileInfo, type Files } from '../../platform/files.js';
import type { Identities, WriterRecord } from './writer-identity.js';
import { createWriterId, type Random } from '../../platform/random.js';
import { SEGMENT_LIMIT, segmentPath, type Lane } from '../format/lanes.js';
import { decodeLine, encodeLine, FIRST_LINK } from '../format/line.js';
import type { PlacedEvent } from '../read/reader.js';
import type { HeldLine } from '../format/segment.js';
import { sha256 } from '../../platform/sha256.js';

export interface SegmentWriterOptions {
  readonly files: Files;
  readonly root: VaultPath;
  readonly lane: Lane;
  readonly identities: Identities;
  readonly random: Random;
  /** The next reading of the hybrid clock. */
  tick(): string;
  /** Tells the clock of a reading that was seen. */
  sawClock(h: string): void;
  /** The UTC day, `2026-11-20`. */
  today(): string;
  /** Whether nothing that is held says that somebody else has used the writer since it was laid down. */
  mayTakeUp(record: WriterRecord): boolean;
  /** Hears of a writer whose last segment is not as it was left: nobody else may know how far it had come. */
  gaveUp(record: WriterRecord): void;
  /** What a new segment begins with, after `log.seg`. */
  preamble(): Draft[];
  /** Hears of each append that has succeeded. */
  wrote(path: VaultPath, info: FileInfo, lines: readonly PlacedEvent[], bytes: Uint8Array): void;
  /** Data of `log.seg`. */
  header(): JsonObject;
}

/** The lines of one append, laid ready by `stage`. */
interface Staged {
  readonly events: LogEvent[];
  readonly lines: Uint8Array[];
  size: number;
}

/**
 * Writes one lane's events as one writer, to segments that it alone writes, only by appending.
 * On any anomaly the writer is given up for ever, and the next event comes from a new one.
 */
export interface SegmentWriter {
  /** Takes up or makes a writer; closes a segment of an earlier day, as `seal` does. Call before `stage`. */
  prepare(): Promise<void>;
  /** Lays events ready; answers them stamped, or `full` when the segment must first be sealed. Throws a `Refusal` for one too long. */
  stage(drafts: readonly Draft[]): LogEvent[] | 'full';
  /** Closes the segment, so that the next event begins a new one. Where it is not as it was left: gives the writer up, `FileChanged`. */
  seal(): Promise<void>;
  /** Appends what was laid ready, in one write; answers where it stands. */
  commit(durable: boolean): Promise<PlacedEvent[]>;
  /** Drops what was laid ready but not committed. */
  unstage(): void;
  /** Gives the writer up: it is not as this process left it. */
  abandon(): void;
  /** Lays the writer down for the next process of this device. */
  release(): Promise<void>;
  /** The writer in use. */
  writer(): string | undefined;
  /** The number of its last event, 0 when there is none. */
  lastNumber(): number;
}

export function createSegmentWriter(options: SegmentWriterOptions): SegmentWriter {
  const { files, root, lane, identities, random } = options;
  let current: WriterRecord | undefined;
  let staged: Staged = nothingStaged();

  async function prepare(): Promise<void> {
    if (!current) {
      const taken = await identities.take(lane);
      const isGood = taken && options.mayTakeUp(taken) && (await isAsLeft(files, taken));
      if (taken && !isGood) options.gaveUp(taken);
      current = isGood ? taken : newRecord(random);
      options.sawClock(current.h);
    }
    if (hasSegment(current) && current.day !== options.today()) await seal();
  }

  function stage(drafts: readonly Draft[]): LogEvent[] | 'full' {
    const record = current;
    if (!record) throw new Error('prepare() comes before stage()');
    const opensSegment = !hasSegment(record) && staged.events.length === 0;
    const before = { events: staged.events.length, size: staged.size };
    try {
      const all = opensSegment
        ? [{ t: 'log.seg', e: '', d: options.header() }, ...options.preamble(), ...drafts]
        : drafts;
      for (const draft of all) addLine(record, draft);
      const length = (hasSegment(record) ? record.size : 0) + staged.size;
      const isFull = length > SEGMENT_LIMIT[lane] && !opensSegment;
      if (isFull) cutStage(before);
      return isFull ? 'full' : staged.events.slice(before.events);
    } catch (error) {
      cutStage(before);
      throw error;
    }
  }

  function addLine(record: WriterRecord, { t, e, d }: Draft): void {
    const last = staged.events.at(-1) ?? record;
    const line = encodeLine({
      v: 1,
      w: record.writer,
      n: last.n + 1,
      p: last.c,
      h: options.tick(),
      t,
      e,
      d,
    });
    staged.events.push(line.event);
    staged.lines.push(line.bytes);
    staged.size += line.bytes.length;
  }

  function cutStage(before: { events: number; size: number }): void {
    staged.events.length = before.events;
    staged.lines.length = before.events;
    staged.size = before.size;
  }

  async function commit(durable: boolean): Promise<PlacedEvent[]> {
    const record = current;
    if (!record || staged.events.length === 0) return [];
    const { events, lines } = staged;
    staged = nothingStaged();
    const isNew = !hasSegment(record);
    const day = isNew ? options.today() : record.day;
    const number = isNew ? record.number + 1 : record.number;
    const path = isNew ? segmentPath(root, lane, day, record.writer, number) : record.path;
    const start = isNew ? 0 : record.size;
    const bytes = joinBytes(lines);
    const info = await append(path, bytes, isNew ? 'new' : record, durable);
    const placed = placeLines(path, start, events, lines);
    const last = placed.at(-1)!;
    const { n, c, h } = last.event;
    current = {
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
    options.wrote(path, info, placed, bytes);
    return placed;
  }

  async function append(
    path: VaultPath,
    bytes: Uint8Array,
    before: 'new' | WriterRecord,
    durable: boolean,
  ): Promise<FileInfo> {
    const expect =
      before === 'new'
        ? before
        : { size: before.size, ...(before.fileId !== undefined && { fileId: before.fileId }) };
    try {
      return await files.append(path, bytes, { expect, durable });
    } catch (error) {
      current = undefined;
      if (before === 'new' && !(error instanceof FileChanged)) await removeIfEmpty(files, path);
      throw error;
    }
  }

  async function seal(): Promise<void> {
    const record = current;
    if (!record || !hasSegment(record)) return;
    const bytes = await files.read(record.path);
    if (bytes?.length !== record.size) {
      abandon();
      throw new FileChanged(`${record.path} is not as it was left`);
    }
    const { event, bytes: line } = encodeLine({
      v: 1,
      w: record.writer,
      n: record.n + 1,
      p: record.c,
      h: options.tick(),
      t: 'log.seal',
      e: '',
      d: { count: record.lines, sha256: await sha256(bytes) },
    });
    const info = await append(record.path, line, record, lane === 'core'); // as durable as what follows it, or a power cut leaves a hole
    const { n, c, h } = event;
    current = {
      ...record,
      n,
      c,
      h,
      size: info.size,
      lines: record.lines + 1,
      lastFrom: record.size,
      isSealed: true,
    };
    options.wrote(record.path, info, placeLines(record.path, record.size, [event], [line]), line);
  }

  function abandon(): void {
    current = undefined;
    staged = nothingStaged();
  }

  return {
    prepare,
    stage,
    seal,
    commit,
    abandon,
    unstage: () => void (staged = nothingStaged()),
    async release() {
      if (current && current.n > 0) await identities.give(lane, current);
      abandon();
    },
    writer: () => current?.writer,
    lastNumber: () => current?.n ?? 0,
  };
}

function nothingStaged(): Staged {
  return { events: [], lines: [], size: 0 };
}

function newRecord(random: Random): WriterRecord {
  const none = { path: '', number: 0, day: '', size: 0, lines: 0, lastFrom: 0, isSealed: true };
  return { writer: createWriterId(random), n: 0, c: FIRST_LINK, h: '', ...none };
}

/** Whether there is a segment that may still grow. */
function hasSegment(record: WriterRecord): boolean {
  return !record.isSealed;
}

async function isAsLeft(files: Files, record: WriterRecord): Promise<boolean> {
  const info = await files.stat(record.path);
  if (info?.size !== record.size || info.fileId !== record.fileId) return false;
  const tail = await files.read(record.path, record.lastFrom);
  if (tail?.length !== record.size - record.lastFrom) return false;
  const reading = decodeLine(tail, 0, tail.length - 1);
  if (!('event' in reading)) return false;
  const { w, n, c, h } = reading.event;
  return w === record.writer && n === record.n && c === record.c && h === record.h;
}

/** A file that a failed append has just made holds nothing that anybody could miss. */
async function removeIfEmpty(files: Files, path: VaultPath): Promise<void> {
  const info = await files.stat(path).catch(() => undefined);
  if (info?.size === 0) await files.remove(path).catch(() => undefined); // an empty file harms nobody
}

function placeLines(
  path: VaultPath,
  start: number,
  events: readonly LogEvent[],
  lines: readonly Uint8Array[],
): PlacedEvent[] {
  let at = start;
  return events.map((event, index): HeldLine & { path: VaultPath } => {
    const from = at;
    at += lines[index]!.length;
    return { event, from, to: at - 1, path };
  });
}
