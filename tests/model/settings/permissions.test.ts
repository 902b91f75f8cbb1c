import { expect, it } from 'vitest';
import { readPermissions } from '../../../src/model/settings/permissions.js';

const usual = {
  isReadOnly: false,
  otherClients: 'write',
  writingClients: [],
  askingClients: [],
  readOnlyClients: [],
  isBridgeOn: true,
  isRestApiOn: false,
  toolsetSwitches: {},
  allowedTools: [],
  openNoteChoices: {},
};

it('readPermissions returns the usual permissions if none is stored', () => {
  expect(readPermissions({})).toEqual({ permissions: usual, unclear: [] });
});

it('readPermissions returns valid values as they are', () => {
  const stored = {
    isReadOnly: true,
    otherClients: 'ask',
    writingClients: ['a'],
    askingClients: ['b'],
    readOnlyClients: ['c'],
    isBridgeOn: false,
    isRestApiOn: true,
    toolsetSwitches: { storage: true, index: false },
    allowedTools: ['createState'],
    openNoteChoices: { openai: true },
  };
  expect(readPermissions({ ...stored, other: 1 })).toEqual({ permissions: stored, unclear: [] });
});

it.each(Object.keys(usual))('readPermissions restricts %s of any unknown form', (key) => {
  const onlyGrants = ['writingClients', 'allowedTools', 'isRestApiOn', 'openNoteChoices'];
  for (const value of [null, 7, 'true', 'none', [true], [['a']], { a: 'on' }, { a: { b: true } }]) {
    const { permissions, unclear } = readPermissions({ [key]: value });
    expect(unclear, JSON.stringify(value)).toEqual([key]);
    const { isReadOnly, otherClients, isBridgeOn } = permissions;
    const mayWrite = !isReadOnly && otherClients === 'write' && isBridgeOn;
    expect(mayWrite).toBe(onlyGrants.includes(key));
    expect(permissions.isRestApiOn).toBe(false);
    for (const switches of [permissions.toolsetSwitches, permissions.openNoteChoices])
      expect(Object.values(switches)).not.toContain(true);
    expect([...permissions.writingClients, ...permissions.allowedTools]).toEqual([]);
  }
});

it.each([
  ['askingClients', ['a', 7], ['a']],
  ['readOnlyClients', ['a', null], ['a']],
  ['toolsetSwitches', { a: true, b: 'on' }, { a: true, b: false }],
])('readPermissions keeps what it understands of %s', (key, value, kept) => {
  const { permissions, unclear } = readPermissions({ [key]: value });
  expect(permissions).toEqual({ ...usual, [key]: kept, isReadOnly: true });
  expect(unclear).toEqual([key]);
});
