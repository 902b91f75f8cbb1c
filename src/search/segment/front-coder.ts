import { createChunkedWriter, type ChunkedWriter } from '../../platform/bytes/byte-writer.js';
import { resized } from '../../platform/bytes/bytes.js';
import { NumberList } from './number-list.js';
import { DICTIONARY_BLOCK } from './segment-format.js';

/**
 * Encodes sorted strings, each without the prefix it shares with the one before; the first of a
 * block is whole.
 */
export class FrontCoder {
  readonly #out = createChunkedWriter();
  readonly #blocks = new NumberList(Uint32Array);
  #last = new Uint8Array(256);
  #lastLength = 0;
  #count = 0;

  /**
   * Adds a string. Returns the writer, to which the caller writes the data of the entry. If the
   * string is the first of a block, the table of blocks stores `first` and `second`.
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

  /** Starts a new chunk if the current one is full; call it after each entry. */
  cut(): void {
    this.#out.cut();
  }

  /**
   * Returns the table of blocks, with the offset of each block and the two numbers given with its
   * first string.
   */
  blocks(): Uint8Array {
    return this.#blocks.bytes();
  }

  parts(): readonly Uint8Array[] {
    return this.#out.parts();
  }
}
