import type { FileInfo } from '../../platform/files.js';
import { decodeLine, MAX_LINE_BYTES } from '../format/line.js';
import {
  parseSegment,
  toUtf8,
  type LineProblem,
  type ParsedSegment,
  type SegmentLine,
} from '../format/segment.js';
import { chainHash } from '../format/stub.js';

/** A segment as it was when it was last read. */
export interface SegmentRecord {
  /** Bytes. */
  size: number;
  /** File information at that time; undefined if not asked for, or if a change might not show. */
  info: FileInfo | undefined;
  settled: number;
  /** The last settled line. */
  last: SegmentLine | undefined;
  hasEvents: boolean;
  problems: LineProblem[];
}

/** A segment, or what was added to it, as it was read. */
export interface ReadSegment extends ParsedSegment {
  /** Bytes of the whole file. */
  readonly size: number;
  /** Hash of the last line; undefined if sealed, since the writer's next line repeats it. */
  readonly lastHash: string | undefined;
  /** Bytes that were read, from `offset` of the file on; undefined if from the cache. */
  readonly bytes: Uint8Array | undefined;
  readonly offset: number;
}

export function readSegment(bytes: Uint8Array): ReadSegment {
  const text = toUtf8(bytes);
  const parsed = parseSegment(text);
  const lastHash = lastHashOf(text, parsed.lines);
  return { ...parsed, size: bytes.length, lastHash, bytes: text, offset: 0 };
}

export function lastHashOf(bytes: Uint8Array, lines: readonly SegmentLine[]): string | undefined {
  const last = lines.at(-1);
  return last && last.event.t !== 'log.seal'
    ? chainHash(last.event, bytes.subarray(last.from, last.to))
    : undefined;
}

/** `before`: file information before the read. `grown`: the old record if only growth was read. */
export function segmentRecordOf(
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
    hasEvents: lines.length > 0,
    problems,
  };
}

/** Returns true if nothing can be added any more; damaged parts may still be replaced. */
export function isSealed(record: SegmentRecord): boolean {
  return (
    record.last?.event.t === 'log.seal' &&
    record.settled >= record.size &&
    record.problems.length === 0
  );
}

/** Returns false for another file, or for damage in the settled part, which may be repaired now. */
export function mayHaveGrown(
  { size, info, settled, problems }: SegmentRecord,
  now: FileInfo,
): boolean {
  return (
    now.size > size &&
    info !== undefined &&
    now.fileId === info.fileId &&
    problems.every(({ from }) => from >= settled)
  );
}

/**
 * Compares only the size if a sealed segment's information was never asked for. Without events, a
 * segment counts as changed: a sync service may fill in its lines and keep size and time.
 */
export function isUnchanged(record: SegmentRecord, now: FileInfo): boolean {
  const { size, info, hasEvents } = record;
  if (!hasEvents && size <= MAX_LINE_BYTES) return false;
  if (!info) return isSealed(record) && now.size === size;
  return info.size === now.size && info.mtime === now.mtime && info.fileId === now.fileId;
}

export function startsWithLine(tail: Uint8Array, { event, from, to }: SegmentLine): boolean {
  const line = to - from <= tail.length ? decodeLine(tail, 0, to - from) : undefined;
  return line !== undefined && 'event' in line && line.event.c === event.c;
}

export function hasLine({ lines }: ParsedSegment, { event: { w, n, c } }: SegmentLine): boolean {
  return lines.some(({ event }) => event.w === w && event.n === n && event.c === c);
}
