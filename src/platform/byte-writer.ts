/** Bytes that grow as they are written. Numbers are varints: seven bits a byte, lowest first, the top bit says that more follows. */
export interface ByteWriter {
  readonly length: () => number;
  readonly byte: (value: number) => void;
  readonly varint: (value: number) => void;
  readonly bytes: (source: Uint8Array, start?: number, end?: number) => void;
  /** What was written: a view, valid until the next write. */
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

/** As a `ByteWriter`, for what may become long: what is full is put aside, so that little is moved while it grows. */
export interface LongWriter extends Pick<ByteWriter, 'length' | 'byte' | 'varint' | 'bytes'> {
  /** Puts aside what was written if that is much. */
  readonly cut: () => void;
  /** What was written, part after part. */
  readonly parts: () => readonly Uint8Array[];
}

const PART = 1 << 20;

export function createLongWriter(): LongWriter {
  const { length, byte, varint, bytes, written, clear } = createByteWriter(1 << 14);
  const full: Uint8Array[] = [];
  let before = 0;
  return {
    byte,
    varint,
    bytes,
    length: () => before + length(),
    cut() {
      if (length() < PART) return;
      full.push(written().slice());
      before += length();
      clear();
    },
    parts: () => [...full, written()],
  };
}

/** A place in bytes, moved on by what is read from it. */
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

/** Below, equal or above zero, as `a` stands before, at or after `b`, byte by byte; what is longer stands after. */
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

/** Where units of 16 bits stand in another order than the bytes of UTF-8. */
const OTHER_ORDER = /[\ud800-\uffff]/;

/** So many texts are sorted, or put together sorted, between two yields. */
const SORTED_AT_ONCE = 1024;

/** Texts in the order of their bytes. */
export function* sortedByBytes(texts: readonly string[]): Generator<undefined, readonly string[]> {
  let runs: (readonly string[])[] = [];
  const compare = texts.some((text) => OTHER_ORDER.test(text)) ? compareTexts : undefined;
  for (let from = 0; from < texts.length; from += SORTED_AT_ONCE) {
    runs.push(texts.slice(from, from + SORTED_AT_ONCE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const joined: (readonly string[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      joined.push(yield* joinedInOrder(runs[at]!, runs[at + 1] ?? [], compare ?? compareUnits));
    runs = joined;
  }
  return runs[0] ?? [];
}

function* joinedInOrder(
  one: readonly string[],
  other: readonly string[],
  compare: (a: string, b: string) => number,
): Generator<undefined, readonly string[]> {
  const joined: string[] = [];
  for (let [at, atOther] = [0, 0]; at < one.length || atOther < other.length;) {
    const isOne =
      atOther === other.length || (at < one.length && compare(one[at]!, other[atOther]!) <= 0);
    joined.push(isOne ? one[at++]! : other[atOther++]!);
    if (joined.length % SORTED_AT_ONCE === 0) yield;
  }
  return joined;
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function compareTexts(a: string, b: string): number {
  const [one, other] = [encoder.encode(a), encoder.encode(b)];
  return compareBytes(one, one.length, other, other.length);
}

const encoder = new TextEncoder();

const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f] as const;

/** So many bytes are summed up between two yields: about a millisecond's work. */
const CHECKED_AT_ONCE = 1 << 20;

/**
 * 32 bits over `bytes` (their number is divisible by four, and so is their place in the buffer). Four running values,
 * each of which every word that it takes changes for certain: damage within 16 bytes never passes, other damage with
 * a chance of 1 in 2^32. Several times as fast as a CRC in plain JavaScript, so that a large segment opens at once.
 */
export function* checksumSteps(bytes: Uint8Array): Generator<undefined, number> {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  let [a, b, c, d] = PRIMES as readonly [number, number, number, number];
  const whole = words.length & ~3;
  for (let at = 0; at < whole;) {
    for (const end = Math.min(whole, at + CHECKED_AT_ONCE / 4); at < end; at += 4) {
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

/** The last value of a generator whose pauses are of no use here. */
export function runSteps<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** 64 bits over a text as two numbers of 32: tells whether a document is still the one that was indexed. */
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

/** So many units are hashed between two yields: about a millisecond's work. */
const HASHED_AT_ONCE = 1 << 19;

/** The hash of a text of any length: that of its end, seeded with that of what comes before. */
export function* hashSteps(
  text: string,
  seed: readonly [number, number],
): Generator<undefined, [number, number]> {
  let hash = hashText(text.slice(0, HASHED_AT_ONCE), seed);
  for (let from = HASHED_AT_ONCE; from < text.length; from += HASHED_AT_ONCE) {
    yield;
    hash = hashText(text.slice(from, from + HASHED_AT_ONCE), hash);
  }
  return hash;
}

/** The same numbers with room for more. */
export function grown<T extends Uint8Array | Uint16Array | Int32Array>(
  array: T,
  length: number,
): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}
