// Tier full: tests the simulated Obsidian, not the plugin
// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import { CapacitorAdapter, FileSystemAdapter } from './adapter.js';
import { openHost, settle, startHost } from './start.js';
import { TFile, TFolder, Vault } from './vault.js';

const note = { 'a.md': 'A', 'f/b.md': 'B', '.hidden/c.md': 'C' };

/** Records the events of the vault, for example `create a.md`. */
function listen(vault: Vault): string[] {
  const told: string[] = [];
  for (const name of ['create', 'modify', 'delete', 'rename'])
    vault.on(name, (file: TFile, old?: string) =>
      told.push([name, file.path, old].filter(Boolean).join(' ')),
    );
  return told;
}

describe('the tree', () => {
  test('is empty until the layout is ready, and then reported file by file', async () => {
    const host = openHost(note);
    const told = listen(host.app.vault);
    expect(host.app.vault.getFiles()).toEqual([]);
    await host.layoutReady();
    expect(told).toEqual(['create a.md', 'create f', 'create f/b.md']);
  });

  test('contains no hidden files, unlike the adapter', async () => {
    const { app } = await startHost(note);
    expect(app.vault.getAbstractFileByPath('.hidden/c.md')).toBeNull();
    expect(await app.vault.adapter.read('.hidden/c.md')).toBe('C');
    await expect(app.vault.create('.hidden/d.md', '')).rejects.toThrow('not part of the vault');
  });

  test('finds files and folders by path, with their types', async () => {
    const { vault } = (await startHost(note)).app;
    expect(vault.getAbstractFileByPath('f')).toBeInstanceOf(TFolder);
    expect(vault.getFileByPath('f')).toBeNull();
    expect(vault.getFolderByPath('/')).toBe(vault.getRoot());
    expect(vault.getFileByPath('f/b.md')).toMatchObject({
      name: 'b.md',
      basename: 'b',
      extension: 'md',
    });
    const seen: string[] = [];
    Vault.recurseChildren(vault.getRoot(), (file) => seen.push(file.path));
    expect(seen).toEqual(['/', 'a.md', 'f', 'f/b.md']);
  });
});

describe('writing', () => {
  test('reports each creation, change, rename and deletion once', async () => {
    const { vault } = (await startHost(note)).app;
    const told = listen(vault);
    const file = await vault.create('new.md', 'x');
    await vault.modify(file, 'y');
    await vault.append(file, 'z');
    expect(await vault.process(file, (text) => text.toUpperCase())).toBe('YZ');
    await vault.rename(file, 'f/new.md');
    await vault.delete(file);
    await settle();
    expect(told).toEqual([
      'create new.md',
      'modify new.md',
      'modify new.md',
      'modify new.md',
      'rename f/new.md new.md',
      'delete f/new.md',
    ]);
  });

  test('keeps the file objects when their folder is renamed', async () => {
    const { vault } = (await startHost(note)).app;
    const told = listen(vault);
    const file = vault.getFileByPath('f/b.md');
    await vault.rename(vault.getFolderByPath('f')!, 'g');
    await settle();
    expect(vault.getFileByPath('g/b.md')).toBe(file);
    expect(told).toEqual(['rename g f', 'rename g/b.md f/b.md']);
  });

  test('rejects an existing path, a deleted file and a missing folder', async () => {
    const { vault } = (await startHost(note)).app;
    await expect(vault.create('a.md', '')).rejects.toThrow('File already exists.');
    await expect(vault.createFolder('f')).rejects.toThrow('Folder already exists.');
    await expect(vault.create('none/a.md', '')).rejects.toMatchObject({ code: 'ENOENT' });
    const file = vault.getFileByPath('a.md')!;
    await expect(vault.rename(file, 'f/b.md')).rejects.toThrow('Destination file already exists!');
    await vault.delete(file);
    await expect(vault.modify(file, 'x')).rejects.toThrow('File does not exist');
  });

  test('leaves the tree unchanged if the disk fails', async () => {
    const { app, medium } = await startHost(note);
    medium.faults.isReadOnly = true;
    const file = app.vault.getFileByPath('a.md')!;
    await expect(app.vault.rename(file, 'z.md')).rejects.toMatchObject({ code: 'EROFS' });
    await expect(app.vault.create('new.md', '')).rejects.toMatchObject({ code: 'EROFS' });
    expect([app.vault.getFileByPath('a.md'), file.path, app.vault.getFileByPath('new.md')]).toEqual(
      [file, 'a.md', null],
    );
  });

  test('uses the local trash if there is no system trash', async () => {
    const { vault } = (await startHost(note)).app;
    await vault.trash(vault.getFileByPath('a.md')!, true);
    expect(await vault.adapter.read('.trash/a.md')).toBe('A');
    expect(vault.getFileByPath('a.md')).toBeNull();
  });
});

test('the vault reports changes by another program', async () => {
  const { app, medium } = await startHost(note);
  const told = listen(app.vault);
  await medium.write('a.md', new TextEncoder().encode('changed'));
  await medium.mkdir('deep/er');
  await medium.write('deep/er/d.md', new TextEncoder().encode('D'));
  await medium.rmdir('f', true);
  await settle();
  expect(told).toEqual([
    'modify a.md',
    'create deep',
    'create deep/er',
    'create deep/er/d.md',
    'delete f/b.md',
    'delete f',
  ]);
  expect(await app.vault.cachedRead(app.vault.getFileByPath('a.md')!)).toBe('changed');
});

describe('the adapter', () => {
  test('is FileSystemAdapter on desktop and CapacitorAdapter on mobile', async () => {
    const desktop = openHost();
    expect(desktop.app.vault.adapter).toBeInstanceOf(FileSystemAdapter);
    expect((desktop.app.vault.adapter as FileSystemAdapter).getFullPath('a.md')).toBe(
      '/vault/a.md',
    );
    expect((desktop.app.vault.adapter as FileSystemAdapter).getBasePath()).toBe('/vault');
    await desktop.dispose();
    expect(openHost({}, { isMobile: true }).app.vault.adapter).toBeInstanceOf(CapacitorAdapter);
  });

  test('rejects a listing if an entry vanishes meanwhile', async () => {
    const { app, medium } = await startHost(note);
    vi.spyOn(medium, 'list').mockResolvedValueOnce(['a.md', 'gone.md']);
    await expect(app.vault.adapter.list('/')).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await app.vault.adapter.list('/')).toEqual({
      files: ['a.md'],
      folders: ['f', '.hidden'],
    });
  });

  test('serializes concurrent changes of a file', async () => {
    const { adapter } = (await startHost(note)).app.vault;
    await Promise.all([1, 2, 3].map((n) => adapter.process('a.md', (text) => `${text}${n}`)));
    expect(await adapter.read('a.md')).toBe('A123');
  });

  test('does not copy or move onto an existing path', async () => {
    const { adapter } = (await startHost(note)).app.vault;
    await expect(adapter.copy('a.md', 'f/b.md')).rejects.toThrow('already exists');
    await expect(adapter.rename('a.md', 'f/b.md')).rejects.toThrow('already exists');
    await adapter.copy('f', 'g');
    expect(await adapter.read('g/b.md')).toBe('B');
  });
});
