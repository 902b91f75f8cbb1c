import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import { MAX_LINE_BYTES } from '../format/line.js';
import { parseSegment, type LineProblem, type SegmentLine } from '../format/segment.js';
import type { ReadSegment } from './segment-record.js';

/** Files up to this size are read at once. No segment of this program comes near it. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Size of the further pieces, which is more than the longest line. */
const PIECE_BYTES = 8 * 1024 * 1024;
const LF = 0x0a;

/**
 * Reads, in pieces, a file that is too large for a segment. `first` is its first `MAX_FILE_BYTES` bytes. Only its whole lines count;
 * the file as a whole is reported as damaged.
 */
export async function readLargeFile(
  files: Files,
  path: VaultPath,
  first: Uint8Array,
): Promise<ReadSegment> {
  const lines: SegmentLine[] = [];
  const problems: LineProblem[] = [{ kind: 'damaged', from: 0 }];
  const buffer = new Uint8Array(PIECE_BYTES);
  let at = 0;
  let piece: Uint8Array | undefined = first;
  while (piece && piece.length > 0) {
    const used = addLines(lines, piece, at);
    at += used;
    const hasMore: boolean = piece === first || piece.length === PIECE_BYTES;
    piece = hasMore ? await files.read(path, at, PIECE_BYTES, buffer) : undefined;
  }
  const size = (await files.stat(path))?.size ?? at;
  return { lines, problems, settled: size, size, lastHash: undefined, bytes: undefined, offset: 0 };
}

/** Adds the lines of a piece that begins at byte `at` of the file. Returns the number of bytes that need not be read again. */
function addLines(lines: SegmentLine[], piece: Uint8Array, at: number): number {
  const nuls = countNuls(piece);
  if (nuls === piece.length) return nuls;
  const end = piece.lastIndexOf(LF) + 1;
  if (end > nuls)
    for (const { event, from, to } of parseSegment(piece.subarray(0, end), nuls).lines)
      lines.push({ event, from: from + at, to: to + at });
  const isLine = piece.length - Math.max(end, nuls) <= MAX_LINE_BYTES;
  return isLine && Math.max(end, nuls) > 0 ? Math.max(end, nuls) : piece.length;
}

/** Returns the number of NULs at the beginning. */
function countNuls(bytes: Uint8Array): number {
  let at = 0;
  if (bytes.byteOffset % 4 === 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    let word = 0;
    while (word + 3 < words.length && (words[word]! | words[word + 1]! | words[word + 2]! | words[word + 3]!) === 0) word += 4; // prettier-ignore
    at = 4 * word;
  }
  while (at < bytes.length && bytes[at] === 0) at++;
  return at;
}
