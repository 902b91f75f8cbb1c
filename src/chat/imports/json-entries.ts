import { joinBytes } from '../../platform/bytes.js';

/** One entry of a long list, as bytes. */
export interface JsonEntry {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Whether the file ends in the middle of it. */
  readonly isCut: boolean;
  /** Whether it is longer than anything that is read: then its bytes are only the first. */
  readonly isTooLong: boolean;
}

/** Takes a file that holds a list of objects apart, piece by piece, without reading it as a whole. */
export interface EntrySplitter {
  /** The entries that end in this piece. */
  push(piece: Uint8Array): JsonEntry[];
  /** What is left when the file has ended. */
  end(): JsonEntry[];
}

/** Bytes of one entry. */
const MOST_ENTRY = 64 * 1024 * 1024;
/** So much of one that is longer still tells what it is called. */
const HEAD = 4096;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/** An object that stands alone is its own only entry. Of an entry that has more than `mostEntry` bytes only the beginning is kept. */
export function createSplitter(mostEntry = MOST_ENTRY): EntrySplitter {
  let isInText = false;
  let isEscaped = false;
  let isList = false;
  let depth = 0;
  let number = 0;
  /** The pieces of the entry that has begun. */
  let begun: Uint8Array[] | undefined;
  let length = 0;

  function hold(part: Uint8Array): void {
    const before = length;
    length += part.length;
    if (length <= mostEntry) begun?.push(part);
    else if (before <= mostEntry)
      begun = [joinBytes([...(begun ?? []), part.subarray(0, HEAD)]).slice(0, HEAD)];
  }

  function take(isCut: boolean): JsonEntry {
    const entry = {
      number: ++number,
      bytes: joinBytes(begun ?? []),
      isCut,
      isTooLong: length > mostEntry,
    };
    begun = undefined;
    return entry;
  }

  function push(piece: Uint8Array): JsonEntry[] {
    const entries: JsonEntry[] = [];
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (depth === 0 && byte === OPEN_LIST) isList = true;
        if (begun === undefined && depth === (isList ? 1 : 0)) {
          begun = [];
          length = 0;
          from = at;
        }
        depth++;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth--;
        if (begun === undefined || depth !== (isList ? 1 : 0)) continue;
        hold(piece.subarray(from, at + 1));
        entries.push(take(false));
      }
    }
    if (begun) hold(piece.slice(from));
    return entries;
  }

  return {
    push,
    end: () => (begun ? [take(true)] : []),
  };
}
