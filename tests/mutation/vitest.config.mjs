import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What `npm run test:mutation` runs against each mutant: the quick tests of the log and the model, or those that SAVEPOINT_TESTS names. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: (process.env['SAVEPOINT_TESTS'] ?? 'tests/{storage,model}/**/*.test.ts').split(' '),
    setupFiles: ['tests/mutation/setup.mjs'],
    testTimeout: 20_000,
  },
});
