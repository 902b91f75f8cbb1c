const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f] as const;

/** About one millisecond of work between two yields. */
const CHECKSUM_BATCH_BYTES = 1 << 20;

/**
 * Returns a 32-bit checksum, several times as fast as a CRC in plain JavaScript; yields meanwhile.
 * The length and offset of `bytes` must be multiples of four. Damage within one word is always
 * detected, other damage missed with a probability of about 1 in 2^32.
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

/** Returns a 64-bit hash as two 32-bit numbers. Detects that an indexed document has changed. */
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

export function isSameHash(
  [a, b]: readonly [number, number],
  other: readonly [number, number] | undefined,
): boolean {
  return other?.[0] === a && other[1] === b;
}

/** UTF-16 units hashed between two yields: about one millisecond of work. */
const HASH_BATCH_LENGTH = 1 << 19;

/** Returns the hash of a long text, chained over its parts; yields while it works. */
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
