import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The tests of the changed file itself first: most mutants are found there. Then by name, so that every run is like the last. */
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
 * What `npm run test:mutation` runs against each mutant: the quick tests of the log and the model, or those that SAVEPOINT_TESTS names. All
 * in one place, since to load the sources again for each file of tests takes longer than the tests; so what some tests put in the place of
 * a module stands there for all.
 */
export default defineConfig({
  test: {
    root: fileOf('../..'),
    include: (process.env['SAVEPOINT_TESTS'] ?? 'tests/{storage,model}/**/*.test.ts').split(' '),
    alias: [
      { find: 'fast-check', replacement: fileOf('fast-check.mjs') },
      { find: /^\.\.?\/sha256\.js$/, replacement: fileOf('../simulation/instant-sha256.ts') },
    ],
    sequence: { sequencer: NearestFirst },
    isolate: false,
    testTimeout: 60_000,
  },
});
