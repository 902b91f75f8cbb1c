import { joinBytes } from '../../platform/bytes/bytes.js';

/** One entry of a JSON list, as bytes. */
export interface JsonEntry {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** True if the file ends inside the entry. */
  readonly isCut: boolean;
  /** True if the entry exceeds the limit. Then `bytes` contains only its beginning. */
  readonly isTooLong: boolean;
}

const MAX_ENTRY_BYTES = 64 * 1024 * 1024;
/** Number of bytes kept of an entry that is too long. They usually contain its title. */
const TITLE_SAMPLE_BYTES = 4096;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Splits a file that contains a list of objects into its entries, chunk by chunk, without loading
 * the whole file. A file that is a single object is one entry.
 */
export class JsonEntrySplitter {
  readonly #maxEntryBytes: number;
  #isInText = false;
  #isEscaped = false;
  #isList = false;
  #depth = 0;
  #number = 0;
  /** Chunks of the current entry so far; undefined between entries. */
  #pieces: Uint8Array[] | undefined;
  #length = 0;

  /** @param maxEntryBytes Size limit of an entry. Only the beginning of a longer entry is kept. */
  constructor(maxEntryBytes = MAX_ENTRY_BYTES) {
    this.#maxEntryBytes = maxEntryBytes;
  }

  /** Returns the entries that end in this chunk. */
  push(chunk: Uint8Array): JsonEntry[] {
    const entries: JsonEntry[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#isInText) at = this.#skipText(chunk, at);
      else if (byte === QUOTE) this.#isInText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (this.#open(byte)) from = at;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        this.#depth--;
        if (this.#pieces === undefined || this.#depth !== this.#entryDepth) continue;
        this.#append(chunk.subarray(from, at + 1));
        entries.push(this.#takeEntry(false));
      }
    }
    if (this.#pieces) this.#append(chunk.slice(from));
    return entries;
  }

  /** Returns the entry that the end of the file cuts off, if any. */
  end(): JsonEntry[] {
    return this.#pieces ? [this.#takeEntry(true)] : [];
  }

  get #entryDepth(): number {
    return this.#isList ? 1 : 0;
  }

  /**
   * Skips a string from `start`; returns the offset of its closing quote, or the chunk's length.
   */
  #skipText(chunk: Uint8Array, start: number): number {
    let isEscaped = this.#isEscaped;
    let at = start;
    for (; at < chunk.length; at++) {
      if (isEscaped) isEscaped = false;
      else if (chunk[at] === BACKSLASH) isEscaped = true;
      else if (chunk[at] === QUOTE) {
        this.#isInText = false;
        break;
      }
    }
    this.#isEscaped = isEscaped;
    return at;
  }

  /** Returns true if an entry begins with this bracket. */
  #open(byte: number): boolean {
    if (this.#depth === 0 && byte === OPEN_LIST) this.#isList = true;
    const isEntry = this.#pieces === undefined && this.#depth === this.#entryDepth;
    this.#depth++;
    if (!isEntry) return false;
    this.#pieces = [];
    this.#length = 0;
    return true;
  }

  #append(part: Uint8Array): void {
    const before = this.#length;
    this.#length += part.length;
    if (this.#length <= this.#maxEntryBytes) this.#pieces?.push(part);
    else if (before <= this.#maxEntryBytes) {
      const parts = [...(this.#pieces ?? []), part.subarray(0, TITLE_SAMPLE_BYTES)];
      this.#pieces = [joinBytes(parts).slice(0, TITLE_SAMPLE_BYTES)];
    }
  }

  #takeEntry(isCut: boolean): JsonEntry {
    const entry = {
      number: ++this.#number,
      bytes: joinBytes(this.#pieces ?? []),
      isCut,
      isTooLong: this.#length > this.#maxEntryBytes,
    };
    this.#pieces = undefined;
    return entry;
  }
}
