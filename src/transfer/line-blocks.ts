import { joinBytes } from '../platform/bytes/bytes.js';
import { utf8Chunks, type ImportSource } from './import-source.js';

export interface LineBlock {
  readonly bytes: Uint8Array;
  /** Number of the first line, from 1. */
  readonly line: number;
  /** True for a single line that exceeds the limit, of which no byte is kept. */
  readonly isTooLong: boolean;
}

/** Longer lines are not read. A line of the log has at most 1 MB. */
const MAX_SOURCE_LINE_BYTES = 16 * 1024 * 1024;

const LF = 0x0a;

/** Keeps no more of a source in memory than its longest line. */
export async function* lineBlocks(source: ImportSource): AsyncGenerator<LineBlock> {
  let line = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    const from = length === 0 ? part.findIndex((byte) => byte !== 0) : 0; // a run of NULs is nothing
    if (from < 0) return;
    length += part.length - from;
    if (length > MAX_SOURCE_LINE_BYTES) parts = [];
    else parts.push(part.subarray(from));
  };
  const take = (): LineBlock => {
    const isTooLong = length > MAX_SOURCE_LINE_BYTES;
    const block = { bytes: joinBytes(parts), line, isTooLong };
    line += isTooLong ? 1 : countLines(block.bytes);
    [parts, length] = [[], 0];
    return block;
  };
  for await (const chunk of utf8Chunks(source)) {
    const first = chunk.indexOf(LF);
    if (first < 0) {
      add(chunk);
      continue;
    }
    add(chunk.subarray(0, first + 1)); // the end of a line that may be too long
    yield take();
    const last = chunk.lastIndexOf(LF);
    if (last > first) {
      parts = [chunk.subarray(first + 1, last + 1)];
      yield take();
    }
    add(chunk.subarray(last + 1));
  }
  if (length > 0) yield take();
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}
