// Tier full: the app in the sandbox of Flatpak, and an AI app outside
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect, PROGRAM, runProgram, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { startNodeHost } from '../node-host.js';
import { personAt } from './desktop-app.js';

const OWN_FOLDERS = 'md.obsidian.Obsidian';

/** Node in a sandbox, as Flatpak makes them with bubblewrap: own /run and /tmp, the user's home. */
function nodeInSandbox(home: string): [string, ...string[]] {
  const seen = ['--bind', '/', '/', '--tmpfs', '/run', '--tmpfs', '/tmp', '--bind', home, home];
  const own = ['--dev', '/dev', '--proc', '/proc', '--die-with-parent'];
  return ['bwrap', ...seen, ...own, process.execPath];
}

const hasBubblewrap = spawnSync('bwrap', ['--bind', '/', '/', 'true']).status === 0;
if (!hasBubblewrap) console.log('Without a sandbox of bwrap, which cannot run here');

async function startInFlatpak(home: string, isSandboxed: boolean) {
  const vault = join(home, 'Notes');
  const settings = join(vault, '.obsidian/plugins/savepoint/data.json');
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify({ askingClients: ['savepoint-tests'] }));
  const own = join(home, '.var/app', OWN_FOLDERS);
  const env = {
    HOME: home,
    FLATPAK_ID: OWN_FOLDERS,
    XDG_CONFIG_HOME: join(own, 'config'),
    XDG_DATA_HOME: join(own, 'data'),
    XDG_CACHE_HOME: join(own, 'cache'),
    XDG_STATE_HOME: join(own, '.local/state'),
    XDG_RUNTIME_DIR: '/run/user/1000',
  };
  const host = await startNodeHost({
    vault,
    plugin: PROGRAM,
    storageFile: join(home, 'local-storage.json'),
    env,
    ...(isSandboxed && { runtime: nodeInSandbox(home) }),
  });
  onTestFinished(() => host.kill());
  const person = personAt(host);
  await expect.poll(() => person.texts('.status-bar-item')).toContain('Default');
  return { host, vault, ...person };
}

test.each([
  ['the variables of Flatpak', false],
  ...(hasBubblewrap ? [['a sandbox', true] as const] : []),
] as const)('with %s, the app answers an AI app outside, and asks its user', async (_, isReal) => {
  const home = temporaryFolder('home');
  const { host, vault, texts, click } = await startInFlatpak(home, isReal);
  const state = join(home, '.local/state/savepoint');
  const { call } = await connect(vault, state);
  const saving = call('createState', stateNamed('Outside'));
  await expect.poll(() => texts('.savepoint-approval')).toHaveLength(1);
  await click('.savepoint-approval button', 'Allow once');
  expect(await saving).toMatchObject({ success: true });
  await host.quit();
  expect(host.errors).toEqual([]);
  const { stdout } = await runProgram(['devices', '--vault', vault, '--state', state]);
  expect(stdout.split('\n').filter((line) => line.includes('this device'))).toHaveLength(1);
  expect(stdout.trim().split('\n')).toHaveLength(1);
});

test('says on the pages of apps and agents what it cannot do there', async () => {
  const { host, openPage, texts, run } = await startInFlatpak(temporaryFolder('home'), false);
  await openPage('Agents in the chat');
  await expect
    .poll(async () => (await texts('.setting-item-name')).join('\n'))
    .toContain('Obsidian runs in the sandbox of Flatpak, where it cannot start agents.');
  await run('check-connections');
  await expect
    .poll(async () => (await texts('.notice, .modal')).join('\n'))
    .toContain('where it cannot start programs of this machine');
  expect(host.errors).toEqual([]);
});
