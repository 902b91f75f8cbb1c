import { RUNS, SEED } from '../tier.js';

/** Options for a property: the number of runs, times `share` if a run is expensive. */
export function runs(share = 1): { numRuns: number; seed: number } {
  return { numRuns: Math.max(1, Math.ceil(RUNS * share)), seed: SEED };
}
