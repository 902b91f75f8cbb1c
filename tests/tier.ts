/*
 * Test tiers: SAVEPOINT_TIER is quick, full or nightly, and full by default. SAVEPOINT_WORLDS,
 * SAVEPOINT_RUNS, SAVEPOINT_RELOADS, SAVEPOINT_KILLS and SAVEPOINT_CONSENTS override the sizes,
 * SAVEPOINT_SEED the random seed that vitest.config.mjs generates.
 */

const tier = process.env['SAVEPOINT_TIER'] ?? 'full';

/** True if the cases run that `npm test` leaves to `npm run test:full`. */
export const isFull = tier !== 'quick';

/** True if the cases run at the size of `npm run test:nightly`. */
export const isNightly = tier === 'nightly';

/** Returns the size for the current tier. */
export function perTier(quick: number, full: number, nightly: number): number {
  if (isNightly) return nightly;
  return isFull ? full : quick;
}

/** Number of simulated worlds. */
export const WORLDS = Number(process.env['SAVEPOINT_WORLDS'] ?? perTier(15, 700, 100_000));

/** Number of runs of a property of the log. */
export const RUNS = Number(process.env['SAVEPOINT_RUNS'] ?? perTier(50, 500, 20_000));

/** Number of times that the app ends while an agent answers. */
export const RELOADS = Number(process.env['SAVEPOINT_RELOADS'] ?? perTier(1, 1, 100));

/** Number of sessions of AI apps that are killed. */
export const KILLS = Number(process.env['SAVEPOINT_KILLS'] ?? perTier(2, 12, 300));

/** Number of random sequences of what a user does about capture. */
export const CONSENTS = Number(process.env['SAVEPOINT_CONSENTS'] ?? perTier(3, 60, 5000));

/** Seed of this run: that of the first simulated world and of each property. */
export const SEED = Number(process.env['SAVEPOINT_SEED'] ?? 1);

/** Returns true in the full and nightly tiers. Otherwise prints what is skipped. */
export function inFull(reason: string): boolean {
  if (!isFull) console.log(`Left to npm run test:full: ${reason}`);
  return isFull;
}

/** Returns true in the nightly tier. Otherwise prints what is skipped. */
export function inNightly(reason: string): boolean {
  if (!isNightly) console.log(`Left to npm run test:nightly: ${reason}`);
  return isNightly;
}

/** Returns all cases, but in the quick tier only `count` evenly spaced ones, chosen by the seed. */
export function someOf<T>(cases: readonly T[], count: number): readonly T[] {
  if (isFull || cases.length <= count) return cases;
  const step = cases.length / count;
  const offset = SEED % Math.floor(step);
  return Array.from({ length: count }, (_, index) => cases[Math.floor(index * step) + offset]!);
}
