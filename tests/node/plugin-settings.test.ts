import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readDataFolder } from '../../src/node/plugin-settings.js';
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
  ['half a file', { '.obsidian': '{"dataFolder":"Mem' }, 'Savepoint'],
  ['a folder outside', { '.obsidian': '{"dataFolder":"../x"}' }, 'Savepoint'],
  ['a hidden folder', { '.obsidian': '{"dataFolder":".memory"}' }, 'Savepoint'],
  ['no text', { '.obsidian': '{"dataFolder":7}' }, 'Savepoint'],
])('reads, of %s, where the memory lies', async (_, settings, folder) => {
  expect(await readDataFolder(node, vaultWith(settings as Record<string, string>))).toBe(folder);
});

it('answers the usual folder where there is no vault', async () => {
  expect(await readDataFolder(node, join(createFolder(), 'gone'))).toBe('Savepoint');
});
