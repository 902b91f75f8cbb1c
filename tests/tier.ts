/*
 * How much the tests do: SAVEPOINT_TIER is quick, full or nightly. Without it everything runs, in the numbers of the full tier.
 * SAVEPOINT_WORLDS and SAVEPOINT_RUNS overrule the numbers, SAVEPOINT_SEED the seed that vitest.config.mjs draws for each run.
 */

const tier = process.env['SAVEPOINT_TIER'] ?? 'full';

/** Whether the cases run that `npm test` leaves to `npm run test:full`. */
export const isFull = tier !== 'quick';

/** Whether the cases run at the size of `npm run test:nightly`. */
export const isNightly = tier === 'nightly';

const COUNTS = {
  quick: { worlds: 200, runs: 100 },
  full: { worlds: 2000, runs: 1000 },
  nightly: { worlds: 100_000, runs: 20_000 },
};
const counts = COUNTS[tier as keyof typeof COUNTS];

/** Number of simulated worlds. */
export const WORLDS = Number(process.env['SAVEPOINT_WORLDS'] ?? counts.worlds);

/** Number of runs of a property of the log. */
export const RUNS = Number(process.env['SAVEPOINT_RUNS'] ?? counts.runs);

/** Seed of this run: the first simulated world, and the seed of each property. */
export const SEED = Number(process.env['SAVEPOINT_SEED'] ?? 1);

/** Returns true if the full tier runs; else prints once that something is left out, and why. */
export function inFull(reason: string): boolean {
  if (!isFull) console.log(`Left to npm run test:full: ${reason}`);
  return isFull;
}
