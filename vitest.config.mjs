import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: 'tests/build.ts',
    maxWorkers: '100%', // of the cores: most tests wait for programs and browsers
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } }, // how long it takes is the machine's affair; benchmarks ask about that
  },
});
