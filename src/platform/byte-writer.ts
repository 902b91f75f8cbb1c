/** A growing byte buffer. Numbers are LEB128 varints: seven bits a byte, lowest first; the top bit is set if another byte follows. */
export interface ByteWriter {
  readonly length: () => number;
  readonly byte: (value: number) => void;
  readonly varint: (value: number) => void;
  readonly bytes: (source: Uint8Array, start?: number, end?: number) => void;
  /** Returns the written bytes as a view that is valid until the next write. */
  readonly written: () => Uint8Array;
  readonly clear: () => void;
}

export function createByteWriter(capacity = 1024): ByteWriter {
  let buffer = new Uint8Array(capacity);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= buffer.length) return;
    const larger = new Uint8Array(Math.max(length + more, buffer.length * 2));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  };
  return {
    length: () => length,
    byte(value) {
      reserve(1);
      buffer[length++] = value;
    },
    varint(value) {
      reserve(5);
      let rest = value;
      while (rest > 127) {
        buffer[length++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      buffer[length++] = rest;
    },
    bytes(source, start = 0, end = source.length) {
      reserve(end - start);
      if (end - start < 32) for (let at = start; at < end; at++) buffer[length++] = source[at]!;
      else {
        buffer.set(source.subarray(start, end), length);
        length += end - start;
      }
    },
    written: () => buffer.subarray(0, length),
    clear() {
      length = 0;
    },
  };
}

/** A `ByteWriter` for long output: full chunks are set apart, so that little is copied as it grows. */
export interface ChunkedWriter extends Pick<ByteWriter, 'length' | 'byte' | 'varint' | 'bytes'> {
  /** Ends the current chunk if it is full. */
  readonly cut: () => void;
  /** Returns the written bytes as consecutive chunks. */
  readonly parts: () => readonly Uint8Array[];
}

const CHUNK_BYTES = 1 << 20;

export function createChunkedWriter(): ChunkedWriter {
  const { length, byte, varint, bytes, written, clear } = createByteWriter(1 << 14);
  const full: Uint8Array[] = [];
  let before = 0;
  return {
    byte,
    varint,
    bytes,
    length: () => before + length(),
    cut() {
      if (length() < CHUNK_BYTES) return;
      full.push(written().slice());
      before += length();
      clear();
    },
    parts: () => [...full, written()],
  };
}

/** A read position in bytes, advanced by each read. */
export interface Cursor {
  at: number;
}

export function readVarint(bytes: Uint8Array, cursor: Cursor): number {
  let byte = bytes[cursor.at++]!;
  if (byte < 128) return byte;
  let value = byte & 127;
  let shift = 7;
  do {
    byte = bytes[cursor.at++]!;
    value |= (byte & 127) << shift;
    shift += 7;
  } while (byte > 127);
  return value >>> 0;
}

/** Compares lexicographically by bytes: negative, zero or positive as `a` is before, equal to or after `b`. A prefix comes first. */
export function compareBytes(
  a: Uint8Array,
  aLength: number,
  b: Uint8Array,
  bLength: number,
): number {
  const shorter = Math.min(aLength, bLength);
  for (let at = 0; at < shorter; at++) {
    const difference = a[at]! - b[at]!;
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}

/** Code units whose order differs between UTF-16 and UTF-8. */
const NON_UTF8_ORDER = /[\ud800-\uffff]/;

/** Texts sorted or merged between two yields. */
const SORT_BATCH_SIZE = 1024;

/** Returns the texts sorted by their UTF-8 bytes; yields while it works. */
export function* sortedByBytes(texts: readonly string[]): Generator<undefined, readonly string[]> {
  let runs: (readonly string[])[] = [];
  const compare = texts.some((text) => NON_UTF8_ORDER.test(text)) ? compareAsUtf8 : undefined;
  for (let from = 0; from < texts.length; from += SORT_BATCH_SIZE) {
    runs.push(texts.slice(from, from + SORT_BATCH_SIZE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeSorted(runs[at]!, runs[at + 1] ?? [], compare ?? compareUnits));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeSorted(
  a: readonly string[],
  b: readonly string[],
  compare: (a: string, b: string) => number,
): Generator<undefined, readonly string[]> {
  const merged: string[] = [];
  let aAt = 0;
  let bAt = 0;
  while (aAt < a.length || bAt < b.length) {
    const takesA = bAt === b.length || (aAt < a.length && compare(a[aAt]!, b[bAt]!) <= 0);
    merged.push(takesA ? a[aAt++]! : b[bAt++]!);
    if (merged.length % SORT_BATCH_SIZE === 0) yield;
  }
  return merged;
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function compareAsUtf8(a: string, b: string): number {
  const aBytes = encoder.encode(a);
  const bBytes = encoder.encode(b);
  return compareBytes(aBytes, aBytes.length, bBytes, bBytes.length);
}

const encoder = new TextEncoder();

const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f] as const;

/** About one millisecond of work between two yields. */
const CHECKSUM_BATCH_BYTES = 1 << 20;

/**
 * Returns a 32-bit checksum of `bytes`, whose length and offset in the buffer are multiples of four; yields while it works. It keeps four
 * running values, each changed by every word that it takes: damage within 16 bytes is always detected, other damage except with a
 * chance of 1 in 2^32. Several times as fast as a CRC in plain JavaScript, so that a large segment opens at once.
 */
export function* checksumSteps(bytes: Uint8Array): Generator<undefined, number> {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  let [a, b, c, d] = PRIMES as readonly [number, number, number, number];
  const whole = words.length & ~3;
  for (let at = 0; at < whole;) {
    for (const end = Math.min(whole, at + CHECKSUM_BATCH_BYTES / 4); at < end; at += 4) {
      a = Math.imul(((a << 13) | (a >>> 19)) ^ words[at]!, PRIMES[0]);
      b = Math.imul(((b << 13) | (b >>> 19)) ^ words[at + 1]!, PRIMES[0]);
      c = Math.imul(((c << 13) | (c >>> 19)) ^ words[at + 2]!, PRIMES[0]);
      d = Math.imul(((d << 13) | (d >>> 19)) ^ words[at + 3]!, PRIMES[0]);
    }
    yield;
  }
  for (let at = whole; at < words.length; at++)
    a = Math.imul(((a << 13) | (a >>> 19)) ^ words[at]!, PRIMES[0]);
  let sum = bytes.length;
  for (const part of [a, b, c, d]) {
    sum = Math.imul(sum ^ part, PRIMES[1]);
    sum ^= sum >>> 15;
  }
  return sum >>> 0;
}

/** Runs a generator to its end without pausing; returns its result. */
export function runToEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Returns a 64-bit hash of a text as two 32-bit numbers, which shows if a document has changed since it was indexed. */
export function hashText(text: string, seed: readonly [number, number] = [0, 0]): [number, number] {
  let a = PRIMES[2] ^ seed[0];
  let b = PRIMES[3] ^ seed[1];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, PRIMES[0]);
    b = Math.imul(((b << 5) | (b >>> 27)) ^ unit, PRIMES[1]);
  }
  a ^= text.length;
  a = Math.imul(a ^ (a >>> 16) ^ (b >>> 13), PRIMES[2]);
  b = Math.imul(b ^ (b >>> 16) ^ (a >>> 13), PRIMES[3]);
  return [(a ^ (a >>> 15)) >>> 0, (b ^ (b >>> 15)) >>> 0];
}

/** UTF-16 units hashed between two yields: about one millisecond of work. */
const HASH_BATCH_LENGTH = 1 << 19;

/** Returns the hash of a text of any length, chained over its parts; yields while it works. */
export function* hashSteps(
  text: string,
  seed: readonly [number, number],
): Generator<undefined, [number, number]> {
  let hash = hashText(text.slice(0, HASH_BATCH_LENGTH), seed);
  for (let from = HASH_BATCH_LENGTH; from < text.length; from += HASH_BATCH_LENGTH) {
    yield;
    hash = hashText(text.slice(from, from + HASH_BATCH_LENGTH), hash);
  }
  return hash;
}

/** Copies an array to a new one of the given, larger length. */
export function resized<T extends Uint8Array | Uint16Array | Int32Array>(
  array: T,
  length: number,
): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}
