// Tier full: starts the desktop app in a vault whose data folder was renamed
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callProgram } from '../../cli/program-folders.js';
import { temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { createDesktopPlace, startDesktop } from './desktop-app.js';

test('the window of Verify names a data folder that was renamed, and merges it', async () => {
  const place = createDesktopPlace();
  const other = { vault: place.vault, state: temporaryFolder('state') };
  expect((await callProgram(other, 'createState', stateNamed('Plan'))).code).toBe(0);
  renameSync(join(place.vault, 'Savepoint'), join(place.vault, 'Savepoint 2'));

  const { host, texts, run, click } = await startDesktop(place);
  await run('verify-memory');
  const shown = async () => (await texts('.modal')).join();
  await expect.poll(shown, { timeout: 30_000 }).toContain('Savepoint 2: ');
  expect(await shown()).toContain('Some data is missing or damaged');
  await click('.modal button', 'Merge');
  await expect.poll(shown, { timeout: 30_000 }).not.toContain('Savepoint 2');
  expect((await texts('.notice')).join()).toMatch(/\d events were added/);
  await host.quit();
  expect(host.errors).toEqual([]);

  expect(existsSync(join(place.vault, 'Savepoint 2/core'))).toBe(true);
  expect((await callProgram(other, 'listStates', {})).stdout).toContain('"Plan"');
});
