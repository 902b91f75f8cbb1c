const FINGERPRINT_BITS = 64;
/** Shorter texts have no fingerprint: lists of a few words may be alike without being the same. */
const MIN_WORDS = 40;
/** Texts that share about three quarters of their word pairs differ in at most this many bits. */
const MAX_DIFFERING_BITS = 8;

/**
 * Similar texts get similar fingerprints (one-permutation MinHash with one bit per bin): the hash
 * of each pair of neighbouring words selects one of 64 bins, and one bit of the smallest hash in
 * each bin is kept. Two texts agree in it if both contain that pair.
 */
export function createFingerprinter() {
  const smallest = new Uint32Array(FINGERPRINT_BITS).fill(0xffffffff);
  let before = 0;
  let count = 0;
  return {
    /** Adds the next word by its hash. */
    word(hash: number): void {
      let pair = Math.imul(before ^ (hash >>> 15), 0x2c1b3c6d) ^ hash;
      pair = Math.imul(pair ^ (pair >>> 16), 0x297a2d39);
      pair = (pair ^ (pair >>> 15)) >>> 0;
      before = hash;
      if (count++ > 0 && pair < smallest[pair & (FINGERPRINT_BITS - 1)]!)
        smallest[pair & (FINGERPRINT_BITS - 1)] = pair;
    },
    /** Returns two 32-bit numbers, and starts over; zeros for too short a text. */
    take(): readonly [number, number] {
      const halves: [number, number] = [0, 0];
      if (count >= MIN_WORDS) {
        for (let bin = 0; bin < FINGERPRINT_BITS; bin++)
          halves[bin >> 5]! |= ((smallest[bin]! >>> 6) & 1) << (bin & 31);
      }
      smallest.fill(0xffffffff);
      before = 0;
      count = 0;
      return [halves[0] >>> 0, halves[1] >>> 0];
    },
  };
}

/** Returns true if two texts are nearly the same by their fingerprints; false if one has none. */
export function isNearlySame(aLow: number, aHigh: number, bLow: number, bHigh: number): boolean {
  if ((aLow | aHigh) === 0 || (bLow | bHigh) === 0) return false;
  return bitCount(aLow ^ bLow) + bitCount(aHigh ^ bHigh) <= MAX_DIFFERING_BITS;
}

function bitCount(bits: number): number {
  let value = bits - ((bits >>> 1) & 0x55555555);
  value = (value & 0x33333333) + ((value >>> 2) & 0x33333333);
  return Math.imul((value + (value >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
