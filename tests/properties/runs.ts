import { RUNS, SEED } from '../tier.js';

/** The options of a property: how often it is tried. `share` of all runs where one run is dear. */
export function runs(share = 1): { numRuns: number; seed: number } {
  return { numRuns: Math.max(1, Math.ceil(RUNS * share)), seed: SEED };
}
