import {
  createByteWriter,
  createChunkedWriter,
  type ByteWriter,
} from '../../../platform/bytes/byte-writer.js';
import { NumberList } from '../number-list.js';
import { FREQUENCIES, FREQUENCY_BITS, impact, isDense, POSTINGS_BLOCK } from '../segment-format.js';
import type { TermPostings } from './term-postings.js';

const MAX_LENGTH = 65_534;
const NO_LENGTH = 65_535;

/** Weighted lengths of a segment's passages. */
export class PassageLengths {
  readonly #lengths = new NumberList(Uint16Array);
  #sum = 0;

  add(weighted: number): void {
    const length = Math.min(MAX_LENGTH, Math.round(weighted));
    this.#lengths.push(length);
    this.#sum += length;
  }

  get count(): number {
    return this.#lengths.count;
  }

  /** Returns the average length, at least 1. */
  average(): number {
    return Math.max(1, this.#sum / Math.max(1, this.#lengths.count));
  }

  values(): Uint16Array {
    return this.#lengths.values();
  }

  bytes(): Uint8Array {
    return this.#lengths.bytes();
  }
}

/** Encodes the postings of terms, one after another, with upper bounds of their impacts. */
export class PostingsEncoder {
  readonly #lengths: PassageLengths;
  readonly #out = createChunkedWriter();
  readonly #table = createByteWriter();
  readonly #blocks = createByteWriter();
  /** Length of the shortest passage with each code, for `#boundOf`. */
  readonly #shortest = new Uint16Array(FREQUENCIES.length);

  /** @param lengths Weighted lengths of all passages of the segment. */
  constructor(lengths: PassageLengths) {
    this.#lengths = lengths;
  }

  /** Encodes a list; returns its bound, from 1 to 255. */
  add(list: TermPostings): number {
    const out = this.#out;
    if (list.count <= POSTINGS_BLOCK) {
      const bound = this.#boundOf(list, 0, list.count);
      writeBlock(out, list, 0, list.count, -1);
      return bound;
    }
    this.#table.clear();
    this.#blocks.clear();
    const bound = isDense(list.count, this.#lengths.count)
      ? this.#writeDense(list)
      : this.#writeBlocks(list);
    out.bytes(this.#table.written());
    out.bytes(this.#blocks.written());
    return bound;
  }

  length(): number {
    return this.#out.length();
  }

  /** Starts a new chunk if the current one is full; to be called after each list. */
  cut(): void {
    this.#out.cut();
  }

  parts(): readonly Uint8Array[] {
    return this.#out.parts();
  }

  /** Returns the largest impact of the postings from `from` to `to`, in 255ths, rounded up. */
  #boundOf({ passages, codes }: TermPostings, from: number, to: number): number {
    const lengths = this.#lengths.values();
    const average = this.#lengths.average();
    const shortest = this.#shortest;
    shortest.fill(NO_LENGTH);
    for (let at = from; at < to; at++) {
      const length = lengths[passages[at]!]!;
      if (length < shortest[codes[at]!]!) shortest[codes[at]!] = length;
    }
    let bound = 0;
    for (let code = 0; code < FREQUENCIES.length; code++) {
      if (shortest[code] !== NO_LENGTH)
        bound = Math.max(bound, impact(FREQUENCIES[code]! / 10, shortest[code]!, average));
    }
    return Math.min(255, Math.ceil(bound * 255));
  }

  /** Encodes a list in blocks, with a table of them; returns the largest of their bounds. */
  #writeBlocks(list: TermPostings): number {
    const { count, passages, positionEnds } = list;
    const table = this.#table;
    const blocks = this.#blocks;
    let max = 0;
    for (let from = 0; from < count; from += POSTINGS_BLOCK) {
      const to = Math.min(count, from + POSTINGS_BLOCK);
      const after = from === 0 ? -1 : passages[from - 1]!;
      const start = blocks.length();
      const bound = this.#boundOf(list, from, to);
      writeBlock(blocks, list, from, to, after);
      table.varint(passages[to - 1]! - after);
      table.varint(blocks.length() - start);
      table.varint(positionEnds[to - 1]! - (from === 0 ? 0 : positionEnds[from - 1]!));
      table.byte(bound);
      max = Math.max(max, bound);
    }
    return max;
  }

  /** Writes a table of blocks, then half a byte per passage. Returns the largest bound. */
  #writeDense(list: TermPostings): number {
    const { count, passages, codes, positionEnds } = list;
    const table = this.#table;
    const blocks = this.#blocks;
    const all = this.#lengths.count;
    let max = 0;
    for (let first = 0, from = 0; first < all; first += POSTINGS_BLOCK) {
      let to = from;
      while (to < count && passages[to]! < first + POSTINGS_BLOCK) to++;
      const bound = this.#boundOf(list, from, to);
      const end = Math.min(all, first + POSTINGS_BLOCK);
      for (let passage = first, at = from; passage < end; passage += 2) {
        const low = at < to && passages[at] === passage ? codes[at++]! + 1 : 0;
        const high = at < to && passages[at] === passage + 1 ? codes[at++]! + 1 : 0;
        blocks.byte(low | (high << 4));
      }
      const positionsBefore = from === 0 ? 0 : positionEnds[from - 1]!;
      table.varint((to === 0 ? 0 : positionEnds[to - 1]!) - positionsBefore);
      table.byte(bound);
      max = Math.max(max, bound);
      from = to;
    }
    return max;
  }
}

/** Writes each posting as a varint; `after` is the passage before the first. */
function writeBlock(
  out: Pick<ByteWriter, 'varint'>,
  { passages, codes }: TermPostings,
  from: number,
  to: number,
  after: number,
): void {
  for (let at = from, last = after; at < to; at++) {
    out.varint(((passages[at]! - last) << FREQUENCY_BITS) | codes[at]!);
    last = passages[at]!;
  }
}
