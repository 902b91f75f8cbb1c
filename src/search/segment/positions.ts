import { readVarint, type Cursor } from '../../platform/bytes/byte-writer.js';
import {
  CODE_ONCE,
  LAST_POSITION,
  LONG_GAP,
  NO_POSITIONS,
  POSITION_LIST,
} from './segment-format.js';

const cursor: Cursor = { at: 0 };

/** `start` is the start of a passage's positions; `code` is the term's frequency code there. */
export function endOfPositions(positions: Uint8Array, start: number, code: number): number {
  const first = positions[start]!;
  if (first === NO_POSITIONS || (code === CODE_ONCE && first !== POSITION_LIST)) return start + 1;
  cursor.at = code === CODE_ONCE ? start + 1 : start;
  for (;;) {
    const byte = positions[cursor.at++]!;
    if ((byte & LONG_GAP) === LONG_GAP) readVarint(positions, cursor);
    if (byte & LAST_POSITION) return cursor.at;
  }
}

/** Reads a passage's positions, ascending, as many as fit. Returns the number of positions read. */
export function readPositions(
  positions: Uint8Array,
  start: number,
  code: number,
  into: Int32Array,
): number {
  const first = positions[start]!;
  if (first === NO_POSITIONS) return 0;
  if (code === CODE_ONCE && first !== POSITION_LIST) {
    into[0] = first;
    return 1;
  }
  cursor.at = code === CODE_ONCE ? start + 1 : start;
  let count = 0;
  let position = 0;
  for (;;) {
    const byte = positions[cursor.at++]!;
    const gap = byte & LONG_GAP;
    position += gap === LONG_GAP ? LONG_GAP - 1 + readVarint(positions, cursor) : gap;
    if (count < into.length) into[count++] = position;
    if (byte & LAST_POSITION) return count;
  }
}
