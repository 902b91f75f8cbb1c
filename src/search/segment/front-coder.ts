import { createChunkedWriter, type ChunkedWriter } from '../../platform/bytes/byte-writer.js';
import { resized } from '../../platform/bytes/bytes.js';
import { NumberList } from './number-list.js';
import { DICTIONARY_BLOCK } from './segment-format.js';

/** Encodes sorted strings without the prefix shared with the one before, except a block's first. */
export class FrontCoder {
  readonly #out = createChunkedWriter();
  readonly #blocks = new NumberList(Uint32Array);
  #last = new Uint8Array(256);
  #lastLength = 0;
  #count = 0;

  /**
   * Adds a string. Returns the writer for the data of the entry. `first` and `second` are stored in
   * the table of blocks if the string is the first of a block.
   */
  add(bytes: Uint8Array, length: number, first: number, second: number): ChunkedWriter {
    const out = this.#out;
    let last = this.#last;
    let shared = 0;
    if (this.#count % DICTIONARY_BLOCK === 0) {
      this.#blocks.push(out.length());
      this.#blocks.push(first);
      this.#blocks.push(second);
    } else {
      const max = Math.min(length, this.#lastLength);
      while (shared < max && bytes[shared] === last[shared]) shared++;
    }
    out.varint(shared);
    out.varint(length - shared);
    out.bytes(bytes, shared, length);
    if (length > last.length) {
      last = resized(last, length * 2);
      this.#last = last;
    }
    for (let at = shared; at < length; at++) last[at] = bytes[at]!;
    this.#lastLength = length;
    this.#count++;
    return out;
  }

  get count(): number {
    return this.#count;
  }

  /** Starts a new chunk if the current one is full; to be called after each entry. */
  cut(): void {
    this.#out.cut();
  }

  /** Returns per block its offset, and the two numbers given with its first string. */
  blocks(): Uint8Array {
    return this.#blocks.bytes();
  }

  parts(): readonly Uint8Array[] {
    return this.#out.parts();
  }
}
