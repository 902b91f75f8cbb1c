import type { LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { joinBytes } from '../../platform/bytes.js';
import { crc32, crcText } from '../../platform/crc32.js';
import type { FileInfo } from '../../platform/files.js';
import { PLACED, type Lane, type PlacedKind } from './lanes.js';
import { decodeLine } from './line.js';
import {
  readSegment,
  segmentBytes,
  type HeldLine,
  type LineProblem,
  type SegmentReading,
} from './segment.js';

/** A segment as a device keeps it in its cache. To be raised when a segment is read in another way than before: older records then lapse. */
const FORMAT = 1;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `CRC-32 of all that follows the blank`, blank. */
const CRC_BYTES = 9;
const LF = 0x0a;

/** Which file this was when it was read. */
interface Head extends Pick<FileInfo, 'size' | 'mtime' | 'fileId'> {
  readonly fmt: number;
  readonly path: VaultPath;
}

/** What was found in a segment of which most events are only placed: these as columns, all others as they stand in the file. */
interface Columns {
  readonly settled: number;
  readonly problems: readonly LineProblem[];
  /** Position among the lines, offset and text of each event that is not just placed. */
  readonly others: readonly (readonly [number, number, string])[];
  readonly writers: readonly string[];
  readonly owners: readonly string[];
  /** Of each placed event: writer, its number beyond the last, offset beyond the last one's end, length, owner. */
  readonly rows: readonly number[];
  /** Their clock readings and CRCs, one after another. */
  readonly clocks: string;
  readonly crcs: string;
}

const ROW = 5;
const CLOCK_LENGTH = 29;
const CRC_LENGTH = 8;

/**
 * The record of a segment: in the core lane the file itself, else what `readSegment` made of it, with no more of the events that are
 * read where they stand than finds them. `info` is what the file was said to be before it was read.
 */
export function encodeKept(
  lane: Lane,
  path: VaultPath,
  info: FileInfo,
  bytes: Uint8Array,
  reading: SegmentReading,
): Uint8Array {
  const { size, mtime, fileId } = info;
  const head: Head = { fmt: FORMAT, path, size, mtime, ...(fileId !== undefined && { fileId }) };
  const body =
    lane === 'core'
      ? bytes
      : encoder.encode(JSON.stringify(columnsOf(PLACED[lane], bytes, reading)));
  const told = joinBytes([encoder.encode(`${JSON.stringify(head)}\n`), body]);
  return joinBytes([encoder.encode(`${crcText(crc32(told))} `), told]);
}

/** What a segment that is `info` now was found to hold when it was as it is now; undefined where that is not told, or not whole. */
export function decodeKept(
  lane: Lane,
  path: VaultPath,
  info: FileInfo,
  record: Uint8Array,
): SegmentReading | undefined {
  const headEnd = record.indexOf(LF);
  if (
    headEnd < CRC_BYTES ||
    decoder.decode(record.subarray(0, CRC_BYTES)) !== `${crcText(crc32(record, CRC_BYTES))} `
  )
    return undefined;
  const head = JSON.parse(decoder.decode(record.subarray(CRC_BYTES, headEnd))) as Head;
  const isThat =
    head.fmt === FORMAT &&
    head.path === path &&
    head.size === info.size &&
    head.mtime === info.mtime;
  if (!isThat || head.fileId !== info.fileId) return undefined;
  const body = record.subarray(headEnd + 1);
  return lane === 'core'
    ? readSegment(segmentBytes(body))
    : readingOf(PLACED[lane], JSON.parse(decoder.decode(body)) as Columns);
}

function columnsOf(
  kind: PlacedKind,
  raw: Uint8Array,
  { lines, problems, settled }: SegmentReading,
): Columns {
  const bytes = segmentBytes(raw);
  const others: [number, number, string][] = [];
  const [writers, owners] = [new Map<string, number>(), new Map<string, number>()];
  const rows: number[] = [];
  let [clocks, crcs] = ['', ''];
  let [lastNumber, lastEnd] = [0, 0];
  for (const [at, { event, from, to }] of lines.entries()) {
    const owner = event.v === 1 && event.t === kind.t ? event.d[kind.field] : undefined;
    if (typeof owner !== 'string') {
      others.push([at, from, decoder.decode(bytes.subarray(from, to))]);
      continue;
    }
    rows.push(
      indexOf(writers, event.w),
      event.n - lastNumber,
      from - lastEnd,
      to - from,
      indexOf(owners, owner),
    );
    clocks += event.h;
    crcs += event.c;
    [lastNumber, lastEnd] = [event.n, to];
  }
  return {
    settled,
    problems,
    others,
    writers: [...writers.keys()],
    owners: [...owners.keys()],
    rows,
    clocks,
    crcs,
  };
}

function indexOf(texts: Map<string, number>, text: string): number {
  const held = texts.get(text) ?? texts.size;
  texts.set(text, held);
  return held;
}

function readingOf({ t, field }: PlacedKind, columns: Columns): SegmentReading {
  const { settled, problems, others, writers, owners, rows, clocks, crcs } = columns;
  const lines: HeldLine[] = [];
  const data = owners.map((owner) => ({ [field]: owner }));
  let [n, from, to, other] = [0, 0, 0, 0];
  for (let at = 0, row = 0; at < others.length + rows.length / ROW; at++) {
    if (others[other]?.[0] === at) {
      lines.push(lineOf(others[other]![1], others[other]![2]));
      other++;
      continue;
    }
    const cell = row * ROW;
    n += rows[cell + 1]!;
    from = to + rows[cell + 2]!;
    to = from + rows[cell + 3]!;
    const h = clocks.slice(row * CLOCK_LENGTH, (row + 1) * CLOCK_LENGTH);
    const c = crcs.slice(row * CRC_LENGTH, (row + 1) * CRC_LENGTH);
    const event: LogEvent = {
      v: 1,
      w: writers[rows[cell]!]!,
      n,
      p: '',
      h,
      t,
      e: '',
      d: data[rows[cell + 4]!]!,
      c,
    };
    lines.push({ event, from, to });
    row++;
  }
  return { lines, problems: [...problems], settled };
}

function lineOf(from: number, text: string): HeldLine {
  const bytes = encoder.encode(text);
  const reading = decodeLine(bytes, 0, bytes.length);
  if (!('event' in reading)) throw new Error('What was an event when it was kept is none any more');
  return { event: reading.event, from, to: from + bytes.length };
}
