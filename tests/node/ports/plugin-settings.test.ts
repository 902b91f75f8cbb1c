import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPluginSettings } from '../../../src/node/ports/plugin-settings.js';
import { createFolder, node } from '../folders.js';

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
  ['settings without this value', { '.obsidian': '{"traceDays":30}' }, 'Savepoint'],
  [
    'settings with a data folder',
    { '.obsidian': '{"dataFolder":"System/Memory"}' },
    'System/Memory',
  ],
  ['a renamed settings folder', { '.config-home': '{"dataFolder":"Memory"}' }, 'Memory'],
  [
    'the newer of two settings folders',
    { '.a': '{"dataFolder":"Old"}', '.obsidian': '{"dataFolder":"New"}' },
    'New',
  ],
  [
    'settings with a folder outside the vault',
    { '.obsidian': '{"dataFolder":"../x"}' },
    'Savepoint',
  ],
  ['settings with a hidden folder', { '.obsidian': '{"dataFolder":".memory"}' }, 'Savepoint'],
  ['settings with a number', { '.obsidian': '{"dataFolder":7}' }, 'Savepoint'],
])('createPluginSettings reads the data folder from %s', async (_, settings, folder) => {
  expect(
    await createPluginSettings(node, vaultWith(settings as Record<string, string>)).read(),
  ).toHaveProperty('dataFolder', folder);
});

it.each([
  ['no settings', {}, {}],
  ['settings without this value', { '.obsidian': '{"traceDays":30}' }, {}],
  [
    'settings with two switches',
    { '.obsidian': '{"toolsetSwitches":{"storage":true,"index":false}}' },
    { storage: true, index: false },
  ],
  [
    'settings with an invalid switch',
    { '.obsidian': '{"toolsetSwitches":{"storage":"on","index":true}}' },
    { storage: false, index: true },
  ],
  ['settings with a list', { '.obsidian': '{"toolsetSwitches":["storage"]}' }, {}],
])('createPluginSettings reads the toolset switches from %s', async (_, settings, switches) => {
  expect(
    await createPluginSettings(node, vaultWith(settings as Record<string, string>)).read(),
  ).toHaveProperty('permissions.toolsetSwitches', switches);
});

it('createPluginSettings rejects damaged settings', async () => {
  for (const text of ['', '{"dataFolder":"Mem', '[]', 'null']) {
    const vault = vaultWith({ '.obsidian': text });
    await expect(createPluginSettings(node, vault).read()).rejects.toThrow(
      /data\.json is damaged\. Open the vault in Obsidian/,
    );
  }
});

it('createPluginSettings waits for a file that is being written', async () => {
  const vault = vaultWith({ '.obsidian': '' });
  setTimeout(
    () =>
      writeFileSync(
        join(vault, '.obsidian/plugins/savepoint/data.json'),
        '{"dataFolder":"Memory"}',
      ),
    150,
  );
  expect(await createPluginSettings(node, vault).read()).toHaveProperty('dataFolder', 'Memory');
});

it('createPluginSettings returns the default folder if there is no vault', async () => {
  expect(await createPluginSettings(node, join(createFolder(), 'gone')).read()).toHaveProperty(
    'dataFolder',
    'Savepoint',
  );
});

it('createPluginSettings restricts permissions that it does not understand, and names them', async () => {
  const settings = { isReadOnly: 'true', otherClients: 'none', askingClients: ['a', 7] };
  expect(
    await createPluginSettings(node, vaultWith({ '.obsidian': JSON.stringify(settings) })).read(),
  ).toMatchObject({
    permissions: { isReadOnly: true, otherClients: 'read', askingClients: ['a'] },
    unclear: ['isReadOnly', 'otherClients', 'askingClients'],
  });
});

describe('settings of a serving program', () => {
  /** Opens the settings of a vault that has not changed for a minute, and counts the reads. */
  function servedVault(settings: Record<string, string>) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    const vault = vaultWith(settings);
    const readFile = vi.fn(node.fs.readFile);
    const opened = createPluginSettings(
      { ...node, fs: { ...node.fs, readFile: readFile as typeof node.fs.readFile } },
      vault,
    );
    return { vault, opened, reads: () => readFile.mock.calls.length };
  }
  const write = async (vault: string, config: string, text: string) => {
    // Longer than a tick of the file system clock, because only the mtime shows the change.
    await sleep(30);
    mkdirSync(join(vault, config, 'plugins/savepoint'), { recursive: true });
    writeFileSync(join(vault, config, 'plugins/savepoint/data.json'), text);
  };

  afterEach(() => {
    vi.useRealTimers();
  });

  it('are not read again if unchanged', async () => {
    const { opened, reads } = servedVault({ '.obsidian': '{"dataFolder":"Memory"}' });
    for (let time = 0; time < 3; time++)
      expect(await opened.read()).toHaveProperty('dataFolder', 'Memory');
    expect(reads()).toBe(1);
  });

  it('are read again if they have changed very recently', async () => {
    const { opened, reads } = servedVault({ '.obsidian': '{"dataFolder":"Memory"}' });
    vi.useRealTimers();
    for (let time = 0; time < 3; time++)
      expect(await opened.read()).toHaveProperty('dataFolder', 'Memory');
    expect(reads()).toBe(3);
  });

  it('are up to date after a change, an addition and a removal', async () => {
    const { vault, opened } = servedVault({ '.obsidian': '{"dataFolder":"Memory"}' });
    expect(await opened.read()).toHaveProperty('dataFolder', 'Memory');
    await write(vault, '.obsidian', '{"dataFolder":"Memorz"}');
    expect(await opened.read()).toHaveProperty('dataFolder', 'Memorz');
    await write(vault, '.phone', '{"dataFolder":"Newest"}');
    vi.setSystemTime(Date.now() + 10_000); // a second folder is not looked for at every call
    expect(await opened.read()).toHaveProperty('dataFolder', 'Newest');
    await sleep(30);
    rmSync(join(vault, '.phone'), { recursive: true });
    expect(await opened.read()).toHaveProperty('dataFolder', 'Memorz');
    rmSync(join(vault, '.obsidian/plugins/savepoint/data.json'));
    expect(await opened.read()).toHaveProperty('dataFolder', 'Savepoint');
  });
});
