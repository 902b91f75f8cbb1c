// Tier full: installs the program and runs some fifty commands
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { endOf } from '../fakes/program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('each shell line of README, guide and CONTRIBUTING does what its page says', async () => {
  const walk = spawn(process.execPath, [join(root, 'scripts/walk-pages.mjs')], { stdio: 'pipe' });
  const { code, stdout, stderr } = await endOf(walk);
  expect([code, stderr]).toEqual([0, '']);
  for (const start of ['README.md: npm install -g ', 'docs/guide/', 'CONTRIBUTING.md: npm run '])
    expect(stdout).toContain(start);
}, 300_000);
