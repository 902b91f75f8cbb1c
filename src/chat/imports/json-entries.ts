import { joinBytes } from '../../storage/bytes.js';

/** One entry of a long list, as bytes. */
export interface JsonEntry {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Whether the file ends in the middle of it. */
  readonly isCut: boolean;
}

/** Takes a file that holds a list of objects apart, piece by piece, without reading it as a whole. */
export interface EntrySplitter {
  /** The entries that end in this piece. */
  push(piece: Uint8Array): JsonEntry[];
  /** What is left when the file has ended. */
  end(): JsonEntry[];
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** An object that stands alone is its own only entry. */
export function createSplitter(): EntrySplitter {
  let isInText = false;
  let isEscaped = false;
  let isList = false;
  let depth = 0;
  let number = 0;
  /** The pieces of the entry that has begun. */
  let begun: Uint8Array[] | undefined;

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
          from = at;
        }
        depth++;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth--;
        if (begun === undefined || depth !== (isList ? 1 : 0)) continue;
        entries.push({ number: ++number, bytes: joinBytes([...begun, piece.subarray(from, at + 1)]), isCut: false });
        begun = undefined;
      }
    }
    begun?.push(piece.slice(from));
    return entries;
  }

  return {
    push,
    end: () => (begun ? [{ number: number + 1, bytes: joinBytes(begun), isCut: true }] : []),
  };
}
