import type { Random } from '../../src/platform/random.js';

/** The source of randomness of a world, determined by its seed (mulberry32). */
export interface Dice extends Random {
  /** Returns an integer from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
}

export function createDice(seed: number): Dice {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0; // makes consecutive seeds start far apart

  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  const below = (limit: number) => Math.floor(fraction() * limit);
  return {
    below,
    chance: (probability) => fraction() < probability,
    pick(items) {
      if (items.length === 0) throw new Error('Nothing to pick from');
      return items[below(items.length)]!;
    },
    shuffle(items) {
      const mixed = [...items];
      for (let at = mixed.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
      }
      return mixed;
    },
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
  };
}
