/** Of each passage so many bits are kept, in two numbers of 32. */
const BITS = 64;
/** Shorter texts have none: two lists of a few words may be alike and still not be the same. */
const FEWEST_WORDS = 40;
/** Texts of which about three quarters of all pairs of neighbours are the same differ in so many bits at most. */
const MOST_DIFFERENT = 8;

/** Collects the words of a text, in order, by their hashes. */
export interface FingerprintMaker {
  readonly word: (hash: number) => void;
  /** The fingerprint of what was collected, which is then forgotten; two zeros for a text too short for one. */
  readonly take: () => readonly [number, number];
}

/**
 * Texts that are nearly the same have nearly the same fingerprint. Each pair of neighbouring words falls by its hash into one of 64
 * bins; of the least hash in each bin one bit is kept. So each bit is the same in two texts if the least pair of its bin is in both.
 */
export function createFingerprintMaker(): FingerprintMaker {
  const least = new Uint32Array(BITS).fill(0xffffffff);
  let before = 0;
  let count = 0;
  return {
    word(hash) {
      let pair = Math.imul(before ^ (hash >>> 15), 0x2c1b3c6d) ^ hash;
      pair = Math.imul(pair ^ (pair >>> 16), 0x297a2d39);
      pair = (pair ^ (pair >>> 15)) >>> 0;
      before = hash;
      if (count++ > 0 && pair < least[pair & (BITS - 1)]!) least[pair & (BITS - 1)] = pair;
    },
    take() {
      const halves: [number, number] = [0, 0];
      if (count >= FEWEST_WORDS) {
        for (let bin = 0; bin < BITS; bin++)
          halves[bin >> 5]! |= ((least[bin]! >>> 6) & 1) << (bin & 31);
      }
      least.fill(0xffffffff);
      before = count = 0;
      return [halves[0] >>> 0, halves[1] >>> 0];
    },
  };
}

/** Whether two texts are the same or nearly so; never where one has no fingerprint. */
export function isNearlySame(
  one: number,
  oneMore: number,
  other: number,
  otherMore: number,
): boolean {
  if ((one | oneMore) === 0 || (other | otherMore) === 0) return false;
  return bitCount(one ^ other) + bitCount(oneMore ^ otherMore) <= MOST_DIFFERENT;
}

function bitCount(bits: number): number {
  let value = bits - ((bits >>> 1) & 0x55555555);
  value = (value & 0x33333333) + ((value >>> 2) & 0x33333333);
  return Math.imul((value + (value >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
