import { expect, it } from 'vitest';
import { readSettings } from '../../src/obsidian/settings.js';

const defaults = {
  ...{ dataFolder: 'Savepoint', defaultWorkspace: 'default', traceDays: 90, traceMegabytes: 50, excludedFolders: [] },
  ...{ isBridgeOn: true, isReadOnly: false, readOnlyClients: [], providers: {}, chatProvider: '', allowedTools: [] },
};

it.each([undefined, null, 'text', 7, [], {}])('reads %j as nothing chosen', (data) => {
  expect(readSettings(data)).toEqual(defaults);
});

it('keeps what can be read beside what cannot', () => {
  const data = { dataFolder: 'Memory/AI', traceDays: -1, traceMegabytes: 'much', excludedFolders: ['../out'], other: true };
  expect(readSettings(data)).toEqual({ ...defaults, dataFolder: 'Memory/AI' });
});

it('takes no data folder that leads outside the vault', () => {
  expect(['../x', '/etc', 'C:\\x', ''].map((dataFolder) => readSettings({ dataFolder }).dataFolder)).toEqual(Array(4).fill('Savepoint'));
});
