import { RUNS, SEED } from '../tier.js';

/** Returns options for a property. `share` below 1 reduces the number of expensive runs. */
export function runs(share = 1): { numRuns: number; seed: number } {
  return { numRuns: Math.max(1, Math.ceil(RUNS * share)), seed: SEED };
}
