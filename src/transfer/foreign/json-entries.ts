import { joinBytes } from '../../platform/bytes/bytes.js';

export interface JsonEntry {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** True if the file ends inside the entry, or before the list of entries does. */
  readonly isCut: boolean;
  /** True if the entry exceeds the limit. Then `bytes` contains only its beginning. */
  readonly isTooLong: boolean;
}

const MAX_ENTRY_BYTES = 64 * 1024 * 1024;
/** Number of bytes kept of an entry that is too long. They usually contain its title. */
const TITLE_SAMPLE_BYTES = 4096;
/** Longer keys name none of the lists. */
const MAX_KEY_LENGTH = 40;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Splits a JSON file into its entries, chunk by chunk. Entries are the objects of a list, or those
 * that are in nothing else, such as one per line. An object with one of the named lists is no
 * entry, but the objects in these lists are.
 */
export class JsonEntrySplitter {
  readonly #lists: ReadonlySet<string>;
  readonly #maxEntryBytes: number;
  #isInText = false;
  #isEscaped = false;
  /** The latest key of the object that is an entry, or that has the named lists. */
  #key = '';
  #isKey = false;
  #depth = 0;
  /** Depth at which entries begin; undefined between the named lists of an object. */
  #entryDepth: number | undefined = 0;
  /** Depth at which the object with the named lists began. */
  #ownerDepth: number | undefined;
  #number = 0;
  /** Chunks of the current entry so far; undefined between entries. */
  #pieces: Uint8Array[] | undefined;
  #length = 0;

  /** @param maxEntryBytes Only the beginning of a longer entry is kept. */
  constructor(lists: readonly string[], maxEntryBytes = MAX_ENTRY_BYTES) {
    this.#lists = new Set(lists);
    this.#maxEntryBytes = maxEntryBytes;
  }

  /** Returns the entries that end in this chunk. */
  push(chunk: Uint8Array): JsonEntry[] {
    const entries: JsonEntry[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#isInText) at = this.#skipText(chunk, at);
      else if (byte === QUOTE) this.#startText();
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (this.#open(byte)) from = at;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        this.#depth = Math.max(0, this.#depth - 1);
        if (this.#pieces === undefined) this.#leave();
        else if (this.#depth === this.#entryDepth) {
          this.#append(chunk.subarray(from, at + 1));
          entries.push(this.#takeEntry(false));
          this.#leave();
        }
      }
    }
    if (this.#pieces) this.#append(chunk.slice(from));
    return entries;
  }

  /** Returns the entry that the end of the file cuts off, if any. */
  end(): JsonEntry[] {
    return this.#pieces || this.#depth > 0 ? [this.#takeEntry(true)] : [];
  }

  get #keyDepth(): number {
    return (this.#ownerDepth ?? this.#entryDepth ?? 0) + 1;
  }

  #startText(): void {
    this.#isInText = true;
    this.#isKey = this.#depth === this.#keyDepth;
    if (this.#isKey) this.#key = '';
  }

  /** Returns the offset of the closing quote of a string, or the chunk's length. */
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
    if (this.#isKey && this.#key.length <= MAX_KEY_LENGTH)
      this.#key += String.fromCharCode(
        ...chunk.subarray(start, Math.min(at, start + MAX_KEY_LENGTH + 1)),
      );
    return at;
  }

  /** Returns true if an entry begins with this bracket. */
  #open(byte: number): boolean {
    const isNamed = byte === OPEN_LIST && this.#depth === this.#keyDepth;
    if (this.#depth === 0 && byte === OPEN_LIST) this.#entryDepth = 1;
    else if (isNamed && this.#lists.has(this.#key)) {
      this.#pieces = undefined;
      this.#ownerDepth = this.#depth - 1;
      this.#entryDepth = this.#depth + 1;
    }
    const isEntry = this.#pieces === undefined && this.#depth === this.#entryDepth;
    this.#depth++;
    if (!isEntry) return false;
    this.#pieces = [];
    this.#length = 0;
    return true;
  }

  /** Adjusts the depth of entries after a bracket that closes no part of an entry. */
  #leave(): void {
    const owner = this.#ownerDepth;
    if (owner !== undefined && this.#depth === owner + 1) this.#entryDepth = undefined;
    else if (owner !== undefined && this.#depth <= owner) {
      this.#entryDepth = owner;
      this.#ownerDepth = undefined;
    }
    if (this.#depth === 0) this.#entryDepth = 0;
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
      isTooLong: this.#pieces !== undefined && this.#length > this.#maxEntryBytes,
    };
    this.#pieces = undefined;
    return entry;
  }
}
