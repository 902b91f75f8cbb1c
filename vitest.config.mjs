import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PROJECTS, selectFiles, testFiles, TIERS } from './tests/projects.mjs';

const tier = process.env['SAVEPOINT_TIER'] ?? 'full';
if (!TIERS.includes(tier)) throw new Error(`SAVEPOINT_TIER is "${tier}": ${TIERS.join(', ')}.`);
const files = selectFiles(testFiles(), tier, process.env['SAVEPOINT_REST'] === '1');

process.env['SAVEPOINT_SEED'] ??= String(randomInt(2 ** 31)); // tests/build.ts prints it

const fastCheck = {
  find: /^fast-check$/,
  replacement: fileURLToPath(new URL('tests/fast-check.mjs', import.meta.url)),
};

/** The embedding table is imported as the build does it. */
const texts = {
  name: 'texts',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('.txt') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))};` : undefined,
};

const cores = availableParallelism();

/** These wait for a browser or for programs most of the time, and the others for nothing. */
const waiting = { maxWorkers: cores + 2, sequence: { groupOrder: 0 } };
const computing = { maxWorkers: cores, sequence: { groupOrder: 1 } };

/**
 * How the files of each project run. tests/projects.mjs decides which files are in it. Projects of
 * one group run at the same time, so that no core is idle while the last file of one ends.
 */
const settings = {
  browser: {
    pool: 'forks',
    isolate: false,
    globalSetup: ['tests/host/launch-browser.ts'],
    setupFiles: ['tests/host/skip-without-browser.ts'],
    ...waiting,
  },
  process: { pool: 'forks', isolate: false, alias: [fastCheck], ...waiting },
  isolated: { pool: 'threads', isolate: true, alias: [fastCheck], ...computing },
  unit: { pool: 'threads', isolate: false, alias: [fastCheck], ...computing },
};

/**
 * How long anything takes is the machine's affair; benchmarks ask about that. These limits only end
 * what hangs.
 */
const limits = {
  testTimeout: tier === 'nightly' ? 24 * 3_600_000 : 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    globalSetup: ['tests/build.ts'], // once for the run: the projects do not inherit it
    teardownTimeout: 60_000,
    projects: PROJECTS.map((name) => ({
      plugins: [texts],
      test: {
        name,
        include: files.filter(({ project }) => project === name).map(({ path }) => path),
        ...limits,
        ...settings[name],
      },
    })),
  },
});
