import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkObsidianSync } from '../../../../src/node/client-setup/check/sync-settings.js';
import { createFolder, node } from '../../folders.js';

const SYNC = { vaultId: '5495a8fb', allowTypes: ['image'] };

function vaultWith(corePlugins: unknown, sync: unknown): string {
  const vault = createFolder();
  mkdirSync(join(vault, '.obsidian'));
  const write = (name: string, value: unknown) =>
    writeFileSync(join(vault, '.obsidian', name), JSON.stringify(value));
  write('core-plugins.json', corePlugins);
  write('sync.json', sync);
  return vault;
}

it('reports that Obsidian Sync leaves the memory out', async () => {
  const [check] = await checkObsidianSync(node, vaultWith({ sync: true }, SYNC));
  expect(check).toMatchObject({ isOk: false, name: 'Obsidian Sync' });
  expect(check?.fix).toContain('Sync all other types');
  const complete = { ...SYNC, allowTypes: ['image', 'unsupported'] };
  expect(await checkObsidianSync(node, vaultWith(['sync'], complete))).toMatchObject([
    { isOk: true },
  ]);
});

it.each([
  ['Sync is off', { sync: false }, SYNC],
  ['Sync is not connected', { sync: true }, { ...SYNC, vaultId: null }],
  ['the file is not understood', { sync: true }, { vaultId: '5495a8fb', allowTypes: 'all' }],
  ['the file is a list', { sync: true }, []],
])('says nothing if %s', async (_, corePlugins, sync) => {
  expect(await checkObsidianSync(node, vaultWith(corePlugins, sync))).toEqual([]);
});
