import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Run by `npm run test:sync`, never by `npm test`: it needs Syncthing and minutes. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['tests/sync/*.sync.ts'],
    globalSetup: 'tests/build.ts',
    maxWorkers: 2, // they wait more than they work
    testTimeout: 420_000,
    hookTimeout: 60_000,
  },
});
