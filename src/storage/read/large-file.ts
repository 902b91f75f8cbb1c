import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import { LF, MAX_LINE_BYTES } from '../format/line.js';
import { parseSegment, type LineProblem, type SegmentLine } from '../format/segment.js';
import type { ReadSegment } from './segment-record.js';

/** Files up to this size are read at once. No segment of this program comes near it. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Size of the further pieces, which is more than the longest line. */
const PIECE_BYTES = 8 * 1024 * 1024;

/** Reads the whole lines of a file too large for a segment, and reports it as damaged. */
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
    at += addLines(lines, piece, at);
    piece = await files.read(path, at, PIECE_BYTES, buffer);
  }
  const size = (await files.stat(path))?.size ?? at;
  return { lines, problems, settled: size, size, lastHash: undefined, bytes: undefined, offset: 0 };
}

/** Adds a piece's lines, from byte `at`. Returns the number of bytes not to be read again. */
function addLines(lines: SegmentLine[], piece: Uint8Array, at: number): number {
  if (isNuls(piece)) return piece.length;
  const end = piece.lastIndexOf(LF) + 1;
  for (const { event, from, to } of parseSegment(piece.subarray(0, end)).lines)
    lines.push({ event, from: from + at, to: to + at });
  if (end > 0) return end;
  // A line may begin anywhere among NULs.
  return piece.length > MAX_LINE_BYTES ? piece.length - MAX_LINE_BYTES : piece.length;
}

/** Returns true if all bytes are NUL. Compares aligned words, much faster than seeking newlines. */
function isNuls({ buffer, byteOffset, length }: Uint8Array): boolean {
  if ((byteOffset | length) % 8 !== 0) return false;
  const words = new BigInt64Array(buffer, byteOffset, length / 8);
  let at = 0;
  while (at < words.length && words[at] === 0n) at++;
  return at === words.length;
}
