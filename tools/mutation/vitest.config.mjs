import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Runs the tests of the mutated file first, which detect most mutants, then the others by name so
 * that all runs have the same order.
 */
class NearestFirst extends BaseSequencer {
  async sort(specifications) {
    const nearest = (process.env['SAVEPOINT_MUTATED'] ?? '')
      .replace(/^.*\/src\//, '/tests/')
      .replace(/\.ts$/, '.test.ts');
    const rank = ({ moduleId }) => (nearest !== '' && moduleId.endsWith(nearest) ? 0 : 1);
    return [...specifications].sort(
      (a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1),
    );
  }
}

/**
 * Configures the tests that `npm run test:mutation` runs against each mutant: those of the log and
 * the model, or those in SAVEPOINT_TESTS. Test files are not isolated, since loading the sources
 * for each file takes longer than the tests. A module that some tests replace is therefore replaced
 * for all.
 */
export default defineConfig({
  test: {
    root: fileOf('../..'),
    exclude: ['**/bit-flips.test.ts'], // takes longer than all others together
    include: (process.env['SAVEPOINT_TESTS'] ?? 'tests/{storage,model}/**/*.test.ts').split(' '),
    alias: [
      { find: 'fast-check', replacement: fileOf('fast-check.mjs') },
      {
        find: /^(\.\.?\/)+([a-z]+\/)*sha256\.js$/,
        replacement: fileOf('../../tests/simulation/instant-sha256.ts'),
      },
    ],
    sequence: { sequencer: NearestFirst },
    isolate: false,
    testTimeout: 60_000,
  },
});
