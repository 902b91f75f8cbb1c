import fc from '../node_modules/fast-check/lib/fast-check.js';

export * from '../node_modules/fast-check/lib/fast-check.js';

const { SAVEPOINT_TIER, SAVEPOINT_SEED } = process.env;

/** Largest number of runs of one property in the quick tier. */
const QUICK_RUNS = 100;

/** Adds the seed of this run of the tests, which a failure then prints, and limits the number of runs in the quick tier. */
function parametersOf(parameters) {
  const seed = SAVEPOINT_SEED === undefined ? {} : { seed: Number(SAVEPOINT_SEED) };
  if (SAVEPOINT_TIER !== 'quick') return { ...seed, ...parameters };
  return {
    ...seed,
    ...parameters,
    numRuns: Math.min(parameters?.numRuns ?? QUICK_RUNS, QUICK_RUNS),
  };
}

export const assert = (property, parameters) => fc.assert(property, parametersOf(parameters));

/** fast-check as the tests of this repository see it. */
export default { ...fc, assert };
