import { createRequire } from 'node:module';

const fc = createRequire(import.meta.url)('fast-check');
const MOST_RUNS = 20;

/**
 * fast-check with few runs, a fixed seed and no shrinking, since a mutant only has to be detected.
 */
export default {
  ...fc,
  assert: (property, parameters) =>
    fc.assert(property, {
      ...parameters,
      numRuns: Math.min(parameters?.numRuns ?? MOST_RUNS, MOST_RUNS),
      seed: 1,
      endOnFailure: true,
    }),
};
