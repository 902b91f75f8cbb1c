// Tier full: starts a vitest whose browser is killed
import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { endOf } from '../fakes/program.js';

const VITEST = 'node_modules/vitest/vitest.mjs';
const CONFIG = 'tests/host/dying-browser/vitest.config.mjs';

it('a browser that died is started again for the next file', async ({ skip }) => {
  const { code, stdout, stderr } = await endOf(
    spawn(process.execPath, [VITEST, 'run', '--config', CONFIG, '--reporter', 'json'], {
      stdio: 'pipe',
    }),
  );
  skip(stdout.includes('The browser tests are skipped'), 'no browser runs here');
  expect({ code, stderr, summary: /"numPassedTests":\d+/.exec(stdout)?.[0] }).toEqual({
    code: 0,
    stderr: '',
    summary: '"numPassedTests":3',
  });
});
