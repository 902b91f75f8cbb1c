import { expect, it } from 'vitest';
import { agentsOff, readSettings } from '../../src/obsidian/settings-schema.js';

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
  allowedTools: [],
  furtherAgents: {},
};

it.each([undefined, null, 'text', 7, [], {}])('readSettings reads %j as the defaults', (data) => {
  expect(readSettings(data)).toEqual(defaults);
});

it('readSettings keeps valid values next to invalid ones', () => {
  const data = {
    dataFolder: 'Memory/AI',
    traceDays: -1,
    traceMegabytes: 'much',
    excludedFolders: ['../out', 'Diary/'],
    other: true,
  };
  expect(readSettings(data)).toEqual({
    ...defaults,
    dataFolder: 'Memory/AI',
    excludedFolders: ['Diary'],
  });
});

it('agentsOff lists the disabled agents and ignores invalid switches', () => {
  expect(
    agentsOff(readSettings({ furtherAgents: { storage: false, index: true, trace: false } })),
  ).toEqual(['storage', 'trace']);
  expect(agentsOff(readSettings({ furtherAgents: { storage: 'off' } }))).toEqual([]);
});

it('readSettings ignores a data folder outside the vault', () => {
  expect(
    ['../x', '/etc', 'C:\\x', '', '.hidden'].map(
      (dataFolder) => readSettings({ dataFolder }).dataFolder,
    ),
  ).toEqual(Array(5).fill('Savepoint'));
});
