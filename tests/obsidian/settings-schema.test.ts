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

it.each([undefined, null, 'text', 7, [], {}])('reads %j as nothing chosen', (data) => {
  expect(readSettings(data)).toEqual(defaults);
});

it('keeps valid values next to invalid ones', () => {
  const data = {
    dataFolder: 'Memory/AI',
    traceDays: -1,
    traceMegabytes: 'much',
    excludedFolders: ['../out'],
    other: true,
  };
  expect(readSettings(data)).toEqual({ ...defaults, dataFolder: 'Memory/AI' });
});

it('knows which agents are on nowhere, and reads what is no switch as nothing chosen', () => {
  expect(
    agentsOff(readSettings({ furtherAgents: { storage: false, index: true, trace: false } })),
  ).toEqual(['storage', 'trace']);
  expect(agentsOff(readSettings({ furtherAgents: { storage: 'off' } }))).toEqual([]);
});

it('takes no data folder that leads outside the vault', () => {
  expect(
    ['../x', '/etc', 'C:\\x', ''].map((dataFolder) => readSettings({ dataFolder }).dataFolder),
  ).toEqual(Array(4).fill('Savepoint'));
});
