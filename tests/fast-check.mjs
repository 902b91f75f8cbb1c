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

const SURROGATES_START = 0xd800;
const SURROGATES = 0x800;

/**
 * Any code point except surrogates, as `unit: 'binary'` has them. fast-check lists all of them in
 * advance, which takes most of a second in each test file.
 */
const codePoint = fc.nat(0x10ffff - SURROGATES).map(
  (index) => String.fromCodePoint(index < SURROGATES_START ? index : index + SURROGATES),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text)
      throw new TypeError('Not one code point');
    return code < SURROGATES_START ? code : code - SURROGATES;
  },
);

export const string = (constraints = {}) =>
  fc.string(constraints.unit === 'binary' ? { ...constraints, unit: codePoint } : constraints);

/** fast-check as the tests of this repository see it. */
export default { ...fc, assert, string };
