// Tier full: the app, two clients and the shell
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callProgram } from '../../cli/program-folders.js';
import { connect } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { createDesktopPlace, startDesktop } from './desktop-app.js';

const NAME = 'Ana’s laptop';

test('the name from the settings is used by the app, its clients and the shell', async () => {
  const place = createDesktopPlace();
  const { vault, state } = place;
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: vault });
  writeFileSync(join(vault, 'Beds.md'), 'one');
  const { host, openPage, type } = await startDesktop(place);
  await openPage('');
  await type('Device name', NAME);

  const { client, call } = await connect(vault, state);
  const activeFiles = ['Beds.md'];
  const params = stateNamed('From a client', { activeFiles });
  expect(await call('createState', params)).toMatchObject({ success: true, workspace: 'Default' });
  writeFileSync(join(vault, 'Beds.md'), 'two');
  expect(await call('loadState', { name: 'From a client' })).toMatchObject({
    data: {
      savedBy: { client: 'savepoint-tests', device: NAME },
      changedFiles: [{ path: 'Beds.md', change: 'modified' }],
    },
  });
  await client.close();
  await host.kill();

  await callProgram(place, 'createState', stateNamed('From a shell'));
  const { stdout } = await callProgram(place, 'loadState', { name: 'From a shell' });
  expect(JSON.parse(stdout)).toMatchObject({
    data: { savedBy: { client: 'Savepoint', device: NAME } },
  });
});
