/*
 * How much the tests do: SAVEPOINT_TIER is quick, full or nightly. Without it everything runs, in the numbers of the full tier.
 * SAVEPOINT_WORLDS and SAVEPOINT_RUNS overrule the numbers, SAVEPOINT_SEED the seed that vitest.config.mjs draws for each run.
 */

const tier = process.env['SAVEPOINT_TIER'] ?? 'full';

/** Whether the cases run that `npm test` leaves to `npm run test:full`. */
export const isFull = tier !== 'quick';

/** Whether the cases run at the size of `npm run test:nightly`. */
export const isNightly = tier === 'nightly';

/** Returns the one of three sizes that belongs to this tier. */
export function perTier(quick: number, full: number, nightly: number): number {
  if (isNightly) return nightly;
  return isFull ? full : quick;
}

/** Number of simulated worlds. */
export const WORLDS = Number(process.env['SAVEPOINT_WORLDS'] ?? perTier(200, 2000, 100_000));

/** Number of runs of a property of the log. */
export const RUNS = Number(process.env['SAVEPOINT_RUNS'] ?? perTier(100, 1000, 20_000));

/** Seed of this run: the first simulated world, and the seed of each property. */
export const SEED = Number(process.env['SAVEPOINT_SEED'] ?? 1);

/** Returns true if the full tier runs; else prints once that something is left out, and why. */
export function inFull(reason: string): boolean {
  if (!isFull) console.log(`Left to npm run test:full: ${reason}`);
  return isFull;
}

/** Returns all cases in the full tier. The quick tier takes `count` of them, evenly spaced, others in each run. */
export function someOf<T>(cases: readonly T[], count: number): readonly T[] {
  if (isFull || cases.length <= count) return cases;
  const step = cases.length / count;
  const offset = SEED % Math.floor(step);
  return Array.from({ length: count }, (_, index) => cases[Math.floor(index * step) + offset]!);
}
