import fc from '../node_modules/fast-check/lib/fast-check.js';

export * from '../node_modules/fast-check/lib/fast-check.js';

const { SAVEPOINT_TIER, SAVEPOINT_SEED } = process.env;

/** Largest number of runs of one property in the quick tier. */
const QUICK_RUNS = 50;

/**
 * Adds this run's seed, which a failure prints, and limits the runs in the quick tier. Properties
 * with a seed have chosen both (tests/properties/runs.ts).
 */
function parametersOf(parameters = {}) {
  if (parameters.seed !== undefined || SAVEPOINT_SEED === undefined) return parameters;
  const { numRuns = 100 } = parameters;
  return {
    ...parameters,
    seed: Number(SAVEPOINT_SEED),
    numRuns: SAVEPOINT_TIER === 'quick' ? Math.min(numRuns, QUICK_RUNS) : numRuns,
  };
}

export const assert = (property, parameters) => fc.assert(property, parametersOf(parameters));

/** fast-check as the tests of this repository see it. */
export default { ...fc, assert };
