import { beforeEach, describe, expect, it } from 'vitest';
import { createForgivingFiles } from '../fakes/forgiving-files.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { createTestVault, stateNamed, type TestVault } from '../fakes/test-vault.js';
import type { Files } from '../../src/platform/files.js';

const composed = 'Übung/Größe.md';
const onDisk = composed.normalize('NFD');
/** Spellings that macOS takes for the same file. */
const SPELLINGS = [composed, onDisk, 'übung/GRÖSSE.md'.replace('SS', 'ß'), 'ÜBUNG\\größe.md'];

describe('on a volume that lists decomposed names and ignores letter case', () => {
  let vault: TestVault;
  let disk: Files;

  beforeEach(async () => {
    const inner = createMemoryFiles();
    disk = createForgivingFiles(inner);
    await disk.update(composed, () => Promise.resolve(new TextEncoder().encode('# Tomaten\nRot.')));
    await disk.update('Other.md', () => Promise.resolve(new TextEncoder().encode('[[Größe]]')));
    vault = createTestVault({ files: inner, wrap: createForgivingFiles });
  });

  it('has a disk with these habits', async () => {
    expect((await disk.list('')).map(({ name }) => name)).toContain('Übung'.normalize('NFD'));
    for (const typed of SPELLINGS)
      expect(await disk.stat(typed.replaceAll('\\', '/'))).toMatchObject({ kind: 'file' });
  });

  it.each(SPELLINGS)('stores an active file typed as %j as the disk spells it', async (typed) => {
    await vault.data('createState', stateNamed('One', { activeFiles: [typed] }));
    const state = (await vault.data('loadState', { name: 'One' })) as Record<string, unknown>;
    expect(state['activeFiles']).toEqual([onDisk]);
    expect(state).not.toHaveProperty('missingFiles');
    expect(state).not.toHaveProperty('changedFiles');
  });

  it.each(SPELLINGS)('stores a key file typed as %j as the disk spells it', async (typed) => {
    const fields = { name: 'Kurs', description: 'd', purpose: 'p', rootFolder: 'übung' };
    await vault.data('createWorkspace', { ...fields, keyFiles: [typed] });
    const loaded = (await vault.data('loadWorkspace', { name: 'Kurs' })) as Record<string, unknown>;
    expect(loaded['keyFiles']).toEqual([onDisk]);
    expect(loaded['rootFolder']).toBe('Übung'.normalize('NFD'));
    await vault.data('updateWorkspace', { name: 'Kurs', keyFiles: [typed, 'Missing.md'] });
    expect(await vault.data('loadWorkspace', { name: 'Kurs' })).toMatchObject({
      keyFiles: [onDisk, 'Missing.md'],
    });
  });

  it.each(SPELLINGS.slice(0, 3))('finds what is typed as %j in every tool', async (path) => {
    await vault.data('createState', stateNamed('One', { activeFiles: [path] }));
    const rootFolder = path.slice(0, path.indexOf('/'));
    expect(await vault.data('searchContent', { query: 'Tomaten', rootFolder })).toMatchObject([
      { path: onDisk },
    ]);
    expect(await vault.data('searchDirectory', { query: 'Größe', rootFolder })).toMatchObject([
      { path: onDisk },
    ]);
    expect(await vault.data('readContent', { path })).toMatchObject({ path: onDisk });
    expect(await vault.data('analyzeImpact', { path })).toMatchObject({
      linkedFrom: [{ path: 'Other.md', line: 1 }],
      states: [{ name: 'One' }],
    });
    await disk.update(path, () => Promise.resolve(new TextEncoder().encode('Blau.')));
    expect(await vault.data('changesSince', { state: 'One', path })).toMatchObject({
      changed: [onDisk],
    });
    expect(
      await vault.data('validateWorkspace', { scope: 'file', path, name: 'Default' }),
    ).toMatchObject({ findings: [] });
  });

  it('excludes a folder in every spelling', async () => {
    const inner = createMemoryFiles();
    const other = createForgivingFiles(inner);
    await other.update(composed, () => Promise.resolve(new TextEncoder().encode('Tomaten')));
    const closed = createTestVault({
      files: inner,
      wrap: createForgivingFiles,
      excluded: ['übung'],
    });
    expect(await closed.data('searchContent', { query: 'Tomaten' })).toEqual([]);
    for (const path of SPELLINGS.slice(0, 3)) {
      expect(await closed.error('readContent', { path })).toContain('is in an excluded folder');
      expect(await closed.error('analyzeImpact', { path })).toContain('is in an excluded folder');
    }
  });

  it('keeps one file of a session for all spellings of its name', async () => {
    const scope = { sessionId: 's' };
    await vault.data('sessionStorageWrite', { ...scope, path: 'Größe.md', content: 'one' });
    for (const path of ['Größe.md', 'Größe.md'.normalize('NFD')])
      expect(await vault.data('sessionStorageRead', { ...scope, path })).toMatchObject({
        content: 'one',
      });
    expect(
      await vault.error('sessionStorageWrite', { ...scope, path: 'GRÖßE.md', content: 'two' }),
    ).toContain('Größe'.normalize('NFD'));
  });
});

it.each(['übung/GRÖßE.md', 'ÜBUNG\\größe.md', onDisk])(
  'stores a file typed as %j as Windows spells it',
  async (typed) => {
    const inner = createMemoryFiles();
    const wrap = (files: Files) => createForgivingFiles(files, 'Windows');
    await wrap(inner).update(composed, () => Promise.resolve(new Uint8Array(1)));
    const vault = createTestVault({ files: inner, wrap });
    await vault.data('createState', stateNamed('One', { activeFiles: [typed] }));
    expect(await vault.data('loadState', { name: 'One' })).toMatchObject({
      activeFiles: [composed],
    });
  },
);
