import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toolsetsOff, readSettings } from '../../src/obsidian/settings-schema.js';

const SOURCE = join(import.meta.dirname, '../../src');

const defaults = {
  dataFolder: 'Savepoint',
  defaultWorkspace: 'default',
  traceDays: 90,
  traceMegabytes: 50,
  excludedFolders: [],
  otherClients: 'write',
  writingClients: [],
  askingClients: [],
  readOnlyClients: [],
  clientNotices: 'writes',
  isRestApiOn: false,
  isBridgeOn: true,
  isReadOnly: false,
  providers: {},
  chatProvider: '',
  callLimit: 100,
  openNoteChoices: {},
  promptFolder: '',
  allowedTools: [],
  toolsetSwitches: {},
  unclear: [],
};

it.each([undefined, null, 'text', 7, [], {}])('readSettings reads %j as the defaults', (data) => {
  expect(readSettings(data)).toEqual(defaults);
});

it('readSettings keeps valid values next to invalid ones', () => {
  const data = {
    dataFolder: 'Memory/AI',
    traceDays: -1,
    traceMegabytes: 'much',
    callLimit: 0,
    excludedFolders: ['../out', 'Diary/'],
    other: true,
  };
  expect(readSettings(data)).toEqual({
    ...defaults,
    dataFolder: 'Memory/AI',
    excludedFolders: ['', 'Diary'],
  });
});

it('a folder that is not understood still excludes everything after saving', () => {
  const read = readSettings({ excludedFolders: [{ path: 'Private' }] });
  expect(readSettings(JSON.parse(JSON.stringify(read))).excludedFolders).toEqual(['']);
});

it('toolsetsOff lists the disabled toolsets, also those with an invalid switch', () => {
  expect(
    toolsetsOff(readSettings({ toolsetSwitches: { storage: false, index: true, trace: false } })),
  ).toEqual(['storage', 'trace']);
  expect(toolsetsOff(readSettings({ toolsetSwitches: { storage: 'on' } }))).toEqual(['storage']);
});

it('readSettings restricts permissions that it does not understand, also after saving', () => {
  const { unclear, ...read } = readSettings({ isReadOnly: 'true', otherClients: 'none' });
  expect(unclear).toEqual(['isReadOnly', 'otherClients']);
  expect(readSettings(JSON.parse(JSON.stringify(read)))).toEqual({
    ...defaults,
    isReadOnly: true,
    otherClients: 'read',
  });
});

it('readSettings ignores a data folder outside the vault', () => {
  expect(
    ['../x', '/etc', 'C:\\x', '', '.hidden'].map(
      (dataFolder) => readSettings({ dataFolder }).dataFolder,
    ),
  ).toEqual(Array(5).fill('Savepoint'));
});

it.each(Object.keys(readSettings({})))('something but the settings page reads %s', (key) => {
  const isRead = new RegExp(`(?:\\.|[{,] ?)${key}\\b`);
  const readers = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.tsx?$/.test(path) &&
      !/^obsidian.(?:settings|i18n)\b/.test(path) &&
      isRead.test(readFileSync(join(SOURCE, path), 'utf8').replace(/\s+/g, ' ')),
  );
  expect(readers).not.toEqual([]);
});
