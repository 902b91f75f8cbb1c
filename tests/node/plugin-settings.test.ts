import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readAgentSwitches, readClientPolicy, readDataFolder } from '../../src/node/plugin-settings.js';
import { createFolder, node } from './folders.js';

function vaultWith(settings: Record<string, string>): string {
  const vault = createFolder();
  Object.entries(settings).forEach(([config, text], at) => {
    const file = join(vault, config, 'plugins/savepoint/data.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, 1000 + at, 1000 + at);
  });
  return vault;
}

it.each([
  ['no settings', {}, 'Savepoint'],
  ['settings that say nothing of it', { '.obsidian': '{"traceDays":30}' }, 'Savepoint'],
  ['a folder of its own', { '.obsidian': '{"dataFolder":"System/Memory"}' }, 'System/Memory'],
  ['a settings folder of another name', { '.config-home': '{"dataFolder":"Memory"}' }, 'Memory'],
  ['two settings folders: the later', { '.a': '{"dataFolder":"Old"}', '.obsidian': '{"dataFolder":"New"}' }, 'New'],
  ['a folder outside', { '.obsidian': '{"dataFolder":"../x"}' }, 'Savepoint'],
  ['a hidden folder', { '.obsidian': '{"dataFolder":".memory"}' }, 'Savepoint'],
  ['no text', { '.obsidian': '{"dataFolder":7}' }, 'Savepoint'],
])('reads, of %s, where the memory lies', async (_, settings, folder) => {
  expect(await readDataFolder(node, vaultWith(settings as Record<string, string>))).toBe(folder);
});

it.each([
  ['no settings', {}, {}],
  ['settings that say nothing of it', { '.obsidian': '{"traceDays":30}' }, {}],
  ['what a person chose', { '.obsidian': '{"furtherAgents":{"storage":true,"index":false}}' }, { storage: true, index: false }],
  ['what is no switch', { '.obsidian': '{"furtherAgents":{"storage":"on","index":false}}' }, { index: false }],
  ['a list', { '.obsidian': '{"furtherAgents":["storage"]}' }, {}],
])('reads, of %s, which agents are on and which are off', async (_, settings, switches) => {
  expect(await readAgentSwitches(node, vaultWith(settings as Record<string, string>))).toEqual(switches);
});

it('refuses in words where the settings are damaged, for they may forbid what is asked for', async () => {
  for (const text of ['', '{"dataFolder":"Mem', '[]', 'null']) {
    const vault = vaultWith({ '.obsidian': text });
    await expect(readClientPolicy(node, vault)).rejects.toThrow(/data\.json is damaged\. Open the vault in Obsidian/);
  }
});

it('waits for a file that is being written', async () => {
  const vault = vaultWith({ '.obsidian': '' });
  setTimeout(() => writeFileSync(join(vault, '.obsidian/plugins/savepoint/data.json'), '{"dataFolder":"Memory"}'), 150);
  expect(await readDataFolder(node, vault)).toBe('Memory');
});

it('answers the usual folder where there is no vault', async () => {
  expect(await readDataFolder(node, join(createFolder(), 'gone'))).toBe('Savepoint');
});

it('reads what each client may do, and takes what cannot be read as if nothing had been said', async () => {
  const settings = { isReadOnly: 'yes', otherClients: 'ask', askingClients: ['a', 7], readOnlyClients: 'b', writingClients: ['c'] };
  expect(await readClientPolicy(node, vaultWith({ '.obsidian': JSON.stringify(settings) }))).toEqual({
    ...{ isReadOnly: false, otherClients: 'ask', askingClients: ['a'], readOnlyClients: [], writingClients: ['c'] },
  });
  expect(await readClientPolicy(node, vaultWith({ '.obsidian': '{"otherClients":"all"}' }))).toMatchObject({ otherClients: 'write' });
});
