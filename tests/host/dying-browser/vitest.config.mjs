import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Run by tests/host/shared-browser.test.ts: three files in one worker, each of which kills the
 * browser that it used.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    include: ['tests/host/dying-browser/*.case.ts'],
    globalSetup: 'tests/host/launch-browser.ts',
    setupFiles: 'tests/host/skip-without-browser.ts',
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 120_000,
  },
});
