import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Run by `npm run test:sync`, never by `npm test`: it needs Syncthing and minutes. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['tests/sync/*.sync.ts'],
    globalSetup: 'tests/build.ts',
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
