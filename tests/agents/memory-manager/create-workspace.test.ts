import { describe, expect, it } from 'vitest';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { createTestVault, garden } from '../../fakes/test-vault.js';

const taken = 'Workspace "Garden" already exists. Use listWorkspaces to see existing workspaces.';

describe('createWorkspace', () => {
  it('creates the root folder, and returns nothing except success', async () => {
    const vault = createTestVault();
    expect(
      await vault.call('createWorkspace', { ...garden, rootFolder: 'Projects/Garden/' }),
    ).toEqual({ success: true });
    expect(await vault.files.list('Projects')).toEqual([{ name: 'Garden', kind: 'folder' }]);
    expect(await vault.data('loadWorkspace', { name: 'Garden' })).toMatchObject({
      rootFolder: 'Projects/Garden',
    });
  });

  it('makes the workspace current for its own session only', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden, { session: 'one' });
    await vault.data(
      'createState',
      { name: 'S', conversationContext: 'c', activeTask: 't', activeFiles: [], nextSteps: [] },
      { session: 'one' },
    );
    expect(await vault.data('listStates', {}, { session: 'one' })).toMatchObject([{ name: 'S' }]);
    expect(await vault.data('listStates', {}, { session: 'two' })).toEqual([]);
  });

  it.each(['Garden', 'garden', '  GARDEN ', 'Ｇarden'])(
    'refuses "%s" if Garden exists, and creates no folder',
    async (name) => {
      const vault = createTestVault();
      await vault.data('createWorkspace', garden);
      expect(await vault.error('createWorkspace', { ...garden, name, rootFolder: 'Other' })).toBe(
        taken.replace('Garden', name),
      );
      expect(await vault.files.stat('Other')).toBeUndefined();
    },
  );

  it('refuses the name of an archived workspace and of the built-in one', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('archiveWorkspace', { name: 'Garden' });
    expect(await vault.error('createWorkspace', garden)).toBe(
      'Workspace "Garden" already exists and is archived. Use another name, or updateWorkspace with name "Garden" and isArchived false to restore it.',
    );
    expect(await vault.error('createWorkspace', { ...garden, name: 'default' })).toContain(
      'already exists',
    );
  });

  it.each([
    ['../outside', 'leads outside the vault with ".."'],
    ['a/../../b', 'leads outside the vault with ".."'],
    ['/etc', 'starts with "/"'],
    ['C:\\x', 'has a backslash'],
    ['c:/x', 'starts with a drive letter'],
    ['.obsidian', 'is in a hidden folder'],
    ['notes/.git/x', 'is in a hidden folder'],
    ['Savepoint', "is in Savepoint's data folder"],
    ['savepoint/core', "is in Savepoint's data folder"],
    ['x'.repeat(5000), 'has 5000 characters'],
    ['a\u0000b', 'has control characters'],
  ])('refuses the root folder %j and writes nothing', async (rootFolder, reason) => {
    const vault = createTestVault();
    const error = await vault.error('createWorkspace', { ...garden, rootFolder });
    expect(error).toContain(reason);
    expect(error.length).toBeLessThan(400);
    expect(vault.files.paths().filter((path) => path.includes('/core/'))).toEqual([]);
    expect(await vault.data('listWorkspaces')).toHaveLength(1);
  });

  it('refuses a root folder that links out of the vault', async () => {
    const vault = createTestVault({
      wrap: (files) => ({ ...files, isInside: (path) => Promise.resolve(path !== 'Linked') }),
    });
    expect(await vault.error('createWorkspace', { ...garden, rootFolder: 'Linked' })).toContain(
      'leads outside the vault through a symbolic link',
    );
  });

  it('refuses a root folder that is a file, and creates nothing', async () => {
    const files = createMemoryFiles();
    files.put('Garden', 'a note');
    const vault = createTestVault({ files });
    expect(await vault.error('createWorkspace', garden)).toContain('is a file');
    expect(await vault.data('listWorkspaces')).toHaveLength(1);
  });

  it('accepts "/" as the whole vault', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', { ...garden, rootFolder: '/' });
    expect(await vault.data('loadWorkspace', { name: 'Garden' })).toMatchObject({
      rootFolder: '/',
    });
  });

  it.each([
    ['', 'is empty'],
    ['  \u200b ', 'is empty'],
    ['x'.repeat(10_000), 'has 10000 characters; use at most 200'],
    ['a\nb', 'has control characters'],
    ['Plan ⟨k3v9⟩', 'ends in a mark'],
    ['Plan \u202egnp.exe', '"name" has the invisible character U+202E; leave it out.'],
    ['broken \ud800', 'contains half a character'],
  ])('refuses the name %j with a reason', async (name, reason) => {
    const error = await createTestVault().error('createWorkspace', { ...garden, name });
    expect(error).toContain(reason);
    expect(error.length).toBeLessThan(300);
  });

  it('creates no folder with an invisible character, but accepts an existing one', async () => {
    const vault = createTestVault();
    const params = { ...garden, rootFolder: 'Bee\u200bds' };
    expect(await vault.error('createWorkspace', params)).toContain(
      'rootFolder "Bee⟨U+200B⟩ds" has the invisible character U+200B; leave it out.',
    );
    vault.files.put('Bee\u200bds/Plan.md', 'text');
    await vault.data('createWorkspace', params);
  });

  it.each(['CON', 'what? *', 'Beds.', 'Beds/aux.md/Plan'])(
    'refuses to create the folder "%s", which Windows cannot hold',
    async (rootFolder) => {
      const vault = createTestVault();
      expect(await vault.error('createWorkspace', { ...garden, rootFolder })).toMatch(
        /^rootFolder ".+" contains ".+", which .*Windows/,
      );
      vault.files.put(`${rootFolder}/Plan.md`, 'text');
      await vault.data('createWorkspace', { ...garden, rootFolder });
    },
  );

  it.each([
    ['UBUNG', 'Ubung'],
    ['Übung', 'Übung'.normalize('NFD')],
  ])('takes the folder "%s" as it is spelled on disk', async (rootFolder, onDisk) => {
    const vault = createTestVault();
    vault.files.put(`${onDisk}/Plan.md`, 'text');
    await vault.data('createWorkspace', { ...garden, rootFolder });
    expect(await vault.data('loadWorkspace', { name: 'Garden' })).toMatchObject({
      rootFolder: onDisk,
    });
  });

  it('accepts 200 emoji as a name', async () => {
    const vault = createTestVault();
    const name = '🌱'.repeat(200);
    await vault.data('createWorkspace', { ...garden, name });
    expect(await vault.data('loadWorkspace', { name })).toMatchObject({ name });
  });

  it('refuses "__proto__" in preferences, accepts "constructor"', async () => {
    const vault = createTestVault();
    const hostile = JSON.parse('{"__proto__": {"polluted": true}}') as object;
    expect(await vault.error('createWorkspace', { ...garden, preferences: hostile })).toBe(
      '"preferences.__proto__" cannot be used as a name here. Choose another key.',
    );
    await vault.data('createWorkspace', {
      ...garden,
      preferences: { constructor: 'x', nested: { deep: [1, { a: null }] } },
    });
    const { preferences } = (await vault.data('loadWorkspace', { name: 'Garden' })) as {
      preferences: unknown;
    };
    expect(JSON.stringify(preferences)).toBe(
      '{"constructor":"x","nested":{"deep":[1,{"a":null}]}}',
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('takes effect once per idempotency key', async () => {
    const vault = createTestVault();
    const first = await Promise.all(
      [1, 2, 3].map(() => vault.call('createWorkspace', garden, { key: 'k1' })),
    );
    expect(first).toEqual([{ success: true }, { success: true }, { success: true }]);
    expect(await vault.call('createWorkspace', garden, { key: 'k1' })).toEqual({ success: true });
    expect(await vault.data('listWorkspaces')).toHaveLength(2);
  });
});
