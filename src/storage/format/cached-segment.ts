import type { JsonObject, LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { joinBytes } from '../../platform/bytes/bytes.js';
import { CRC_START, crc32, crcText, finishCrc, updateCrc } from '../../platform/crc32.js';
import type { FileInfo } from '../../platform/files.js';
import { ON_DEMAND_EVENTS, type LaneName, type OnDemandEventType } from './lanes.js';
import { decodeLine, LF } from './line.js';
import {
  parseSegment,
  toUtf8,
  type SegmentLine,
  type LineProblem,
  type ParsedSegment,
} from './segment.js';

/** Version of a cached segment. Raise it if parsing changes: older records become invalid. */
const FORMAT = 2;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Eight digits, the CRC-32 of all that follows, and a space. */
const CRC_BYTES = 9;

/** Identifies the file as it was when it was read. */
interface Head extends Pick<FileInfo, 'size' | 'mtime' | 'fileId'> {
  readonly fmt: number;
  readonly path: VaultPath;
}

/** A parsed segment: its on-demand events as columns, the others as the text of their lines. */
interface Columns {
  readonly settled: number;
  readonly problems: readonly LineProblem[];
  /** Index among the lines, byte offset and text of each other event. */
  readonly others: readonly (readonly [number, number, string])[];
  readonly writers: readonly string[];
  /** The indexed fields of their data, as JSON. */
  readonly data: readonly string[];
  /** Per on-demand event: writer index, number delta, gap to last end, byte length, data index. */
  readonly rows: readonly number[];
  /** Their timestamps and CRCs, concatenated. */
  readonly clocks: string;
  readonly crcs: string;
}

const ROW_LENGTH = 5;
const CLOCK_LENGTH = 29;
const CRC_LENGTH = 8;

/**
 * Encodes a segment for the cache: the file itself in the core lane, else the parsed lines without
 * the data of on-demand events. `info` is from before the file was read.
 */
export function encodeCachedSegment(
  lane: LaneName,
  path: VaultPath,
  info: FileInfo,
  bytes: Uint8Array,
  reading: ParsedSegment,
): Uint8Array {
  const { size, mtime, fileId } = info;
  const head: Head = { fmt: FORMAT, path, size, mtime, ...(fileId !== undefined && { fileId }) };
  const body =
    lane === 'core'
      ? bytes
      : encoder.encode(JSON.stringify(columnsOf(ON_DEMAND_EVENTS[lane], bytes, reading)));
  const first = encoder.encode(`${JSON.stringify(head)}\n`);
  const crc = updateCrc(updateCrc(CRC_START, first, 0, first.length), body, 0, body.length);
  return joinBytes([encoder.encode(`${crcText(finishCrc(crc))} `), first, body]);
}

/** Decodes a cached segment; undefined if it is damaged or `info` shows that the file changed. */
export function decodeCachedSegment(
  lane: LaneName,
  path: VaultPath,
  info: FileInfo,
  record: Uint8Array,
): ParsedSegment | undefined {
  const headEnd = record.indexOf(LF);
  if (
    headEnd < CRC_BYTES ||
    decoder.decode(record.subarray(0, CRC_BYTES)) !== `${crcText(crc32(record, CRC_BYTES))} `
  )
    return undefined;
  const head = JSON.parse(decoder.decode(record.subarray(CRC_BYTES, headEnd))) as Head;
  const isSameFile =
    head.fmt === FORMAT &&
    head.path === path &&
    head.size === info.size &&
    head.mtime === info.mtime;
  if (!isSameFile || head.fileId !== info.fileId) return undefined;
  const body = record.subarray(headEnd + 1);
  return lane === 'core'
    ? parseSegment(toUtf8(body))
    : readingOf(ON_DEMAND_EVENTS[lane], JSON.parse(decoder.decode(body)) as Columns);
}

function columnsOf(
  kind: OnDemandEventType,
  raw: Uint8Array,
  { lines, problems, settled }: ParsedSegment,
): Columns {
  const bytes = toUtf8(raw);
  const others: [number, number, string][] = [];
  const [writers, data] = [new Map<string, number>(), new Map<string, number>()];
  const rows: number[] = [];
  let [clocks, crcs] = ['', ''];
  let [lastNumber, lastEnd] = [0, 0];
  for (const [at, { event, from, to }] of lines.entries()) {
    const isOnDemand = event.v === 1 && event.t === kind.type;
    if (!isOnDemand || typeof event.d[kind.ownerField] !== 'string') {
      others.push([at, from, decoder.decode(bytes.subarray(from, to))]);
      continue;
    }
    rows.push(
      indexOf(writers, event.w),
      event.n - lastNumber,
      from - lastEnd,
      to - from,
      indexOf(data, JSON.stringify(indexedFields(kind, event.d))),
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
    data: [...data.keys()],
    rows,
    clocks,
    crcs,
  };
}

function indexOf(texts: Map<string, number>, text: string): number {
  const index = texts.get(text) ?? texts.size;
  texts.set(text, index);
  return index;
}

function indexedFields({ ownerField, otherFields = [] }: OnDemandEventType, d: JsonObject) {
  const fields = [ownerField, ...otherFields].filter((field) => d[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, d[field]]));
}

function readingOf({ type: t }: OnDemandEventType, columns: Columns): ParsedSegment {
  const { settled, problems, others, writers, rows, clocks, crcs } = columns;
  const lines: SegmentLine[] = [];
  const data = columns.data.map((json) => JSON.parse(json) as JsonObject);
  let [n, from, to, other] = [0, 0, 0, 0];
  for (let at = 0, row = 0; at < others.length + rows.length / ROW_LENGTH; at++) {
    if (others[other]?.[0] === at) {
      lines.push(lineOf(others[other]![1], others[other]![2]));
      other++;
      continue;
    }
    const cell = row * ROW_LENGTH;
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

function lineOf(from: number, text: string): SegmentLine {
  const bytes = encoder.encode(text);
  const reading = decodeLine(bytes, 0, bytes.length);
  if (!('event' in reading)) throw new Error('A cached line is not an event any more');
  return { event: reading.event, from, to: from + bytes.length };
}
