import { isJsonObject, type LogEvent } from '../../model/event.js';
import type { WriterState, WriterIndex } from '../read/writer-index.js';

/** The number of events, and a sum over them in 16 hex digits that is the same in any order. It is not cryptographic. */
export interface EventChecksum {
  readonly count: number;
  readonly sum: string;
}

/** Builds the checksum of events one by one. */
export class ChecksumBuilder {
  #count = 0;
  #high = 0;
  #low = 0;
  /** The hashes of the last writer, which is nearly always the next event's too. */
  #writer = { id: '', high: 0, low: 0 };

  add(writer: string, n: number, c: string): void {
    if (writer !== this.#writer.id)
      this.#writer = {
        id: writer,
        high: hashOf(writer, 0x811c9dc5),
        low: hashOf(writer, 0x2f0b4f2d),
      };
    const { high, low } = this.#writer;
    const crc = parseInt(c, 16);
    const number = mix(n);
    this.#high = (this.#high + mix(high ^ number ^ crc)) | 0;
    this.#low = (this.#low + mix((low + number) ^ Math.imul(crc, 0x9e3779b1))) | 0;
    this.#count++;
  }

  total(): EventChecksum {
    return { count: this.#count, sum: hex(this.#high) + hex(this.#low) };
  }
}

/** The checksum over the core lane's events in a writer index. It keeps running sums, so that later totals are cheap. */
export class CoreChecksum {
  readonly #writers: WriterIndex;
  /** By writer, the sum over its first `upTo` events. */
  readonly #running = new Map<string, { upTo: number; readonly sum: ChecksumBuilder }>();

  constructor(writers: WriterIndex) {
    this.#writers = writers;
  }

  /** Returns the checksum over the events of all writers but `excluded`. */
  totalWithout(excluded: string | undefined): EventChecksum {
    return [...this.#writers]
      .filter(([writer, { lane }]) => lane === 'core' && writer !== excluded)
      .flatMap(([writer, state]) => this.#sumsOf(writer, state))
      .reduce(plus, new ChecksumBuilder().total());
  }

  #sumsOf(writer: string, { crcs, outOfOrder, forks }: WriterState): EventChecksum[] {
    const running = this.#running.get(writer) ?? { upTo: 0, sum: new ChecksumBuilder() };
    this.#running.set(writer, running);
    for (; running.upTo < crcs.length; running.upTo++)
      running.sum.add(writer, running.upTo + 1, crcs[running.upTo]!);
    const others = new ChecksumBuilder();
    for (const [n, c] of outOfOrder) others.add(writer, n, c);
    for (const fork of forks) others.add(writer, Number(fork.split(' ')[0]), fork.split(' ')[1]!);
    return [running.sum.total(), others.total()];
  }
}

/** Returns the checksum in a watermark; undefined if it has none. */
export function checksumIn({ d }: LogEvent): EventChecksum | undefined {
  const { core } = d;
  if (!isJsonObject(core)) return undefined;
  const { count, sum } = core;
  return typeof count === 'number' && typeof sum === 'string' ? { count, sum } : undefined;
}

function plus(a: EventChecksum, b: EventChecksum): EventChecksum {
  const half = (at: number) =>
    hex((parseInt(a.sum.slice(at, at + 8), 16) + parseInt(b.sum.slice(at, at + 8), 16)) | 0);
  return { count: a.count + b.count, sum: half(0) + half(8) };
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

/** FNV-1a over the UTF-16 code units, with the given offset basis. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** The finalizer of MurmurHash3: each output bit depends on each input bit. */
function mix(word: number): number {
  let bits = word | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
