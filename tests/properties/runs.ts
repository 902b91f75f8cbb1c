import { perTier, RUNS, SEED } from '../tier.js';

/** Smallest number of runs of an expensive property for each change. */
const LEAST = Math.min(RUNS, perTier(1, 100, 1));

/** Returns options for a property. `share` below 1 reduces the number of expensive runs. */
export function runs(share = 1): { numRuns: number; seed: number } {
  return { numRuns: Math.max(LEAST, Math.ceil(RUNS * share)), seed: SEED };
}
