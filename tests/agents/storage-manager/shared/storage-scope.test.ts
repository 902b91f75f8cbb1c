import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolderFiles } from '../../../../src/node/ports/folder-files.js';
import { createTestVault, type TestVault } from '../../../fakes/test-vault.js';
import { createFolder, node } from '../../../node/folders.js';
import { GOOD_PATHS, HOSTILE_PATHS } from '../../shared/hostile-paths.js';

const BASE = 'Savepoint/files/workspaces/default';
const MODES = ['create', 'overwrite', 'append'];

/**
 * Creates a vault on disk, with files in and around it that do not belong to the default workspace.
 */
function vaultOnDisk(): { around: string; base: string; vault: TestVault } {
  const around = createFolder();
  const inVault = join(around, 'vault');
  for (const path of [
    'secret.md',
    'vault/secret.md',
    'vault/.obsidian/app.json',
    'vault/Savepoint/files/workspaces/other/secret.md',
  ]) {
    mkdirSync(join(around, path, '..'), { recursive: true });
    writeFileSync(join(around, path), 'secret');
  }
  mkdirSync(join(inVault, BASE), { recursive: true });
  return {
    around,
    base: join(inVault, BASE),
    vault: createTestVault({ wrap: () => createFolderFiles(node, inVault) }),
  };
}

/** Returns every path below a folder, without following links. */
function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path];
  });
}

/** Returns everything in and around the vault, except the files of the workspace and the log. */
function everythingElse(around: string): Map<string, string> {
  const own = /^vault\/Savepoint(?:\/(?!files)|\/files\/workspaces\/default|$)/;
  const paths = pathsBelow(around).filter((path) => !own.test(relative(around, path)));
  const contentOf = (path: string, stats: Stats) =>
    stats.isSymbolicLink()
      ? readlinkSync(path)
      : stats.isFile()
        ? readFileSync(path, 'latin1')
        : 'folder';
  return new Map(
    paths.map((path) => [
      relative(around, path),
      `${lstatSync(path).mtimeMs} ${contentOf(path, lstatSync(path))}`,
    ]),
  );
}

/** Reads, lists and writes at a path in every mode, and returns the answers. */
async function tryAll(vault: TestVault, path: string): Promise<string[]> {
  const answers = [
    await vault.call('workspaceStorageRead', { path }),
    ...(path === '/' ? [] : [await vault.call('workspaceStorageList', { path, recursive: true })]),
  ];
  for (const mode of MODES)
    answers.push(await vault.call('workspaceStorageWrite', { path, content: 'escaped', mode }));
  return answers.map((answer) => JSON.stringify(answer));
}

describe('workspace storage on disk', () => {
  it('cannot be escaped by any of 54 hostile paths', async () => {
    const { around, base, vault } = vaultOnDisk();
    const before = everythingElse(around);
    expect(before.size).toBeGreaterThan(8);
    for (const [path] of HOSTILE_PATHS)
      for (const answer of await tryAll(vault, path))
        expect(answer, path).toMatch(/^\{"success":false,"error":"[^]*\."\}$/);
    await vault.idle();
    expect(everythingElse(around)).toEqual(before);
    expect(readdirSync(base)).toEqual([]);
    expect(vault.reports).toEqual([]);
  });

  it('cannot be escaped through symbolic links', async () => {
    const { around, base, vault } = vaultOnDisk();
    const links = {
      out: around,
      note: '../../../../secret.md',
      notes: '../../../..',
      up: '..',
      other: '../other',
      dangling: join(around, 'new.md'),
      loop: 'loop',
      'secret.md': join(around, 'secret.md'),
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(base, name));
    const before = everythingElse(around);
    const below = ['out', 'notes', 'up', 'other'].flatMap((name) => [
      `${name}/secret.md`,
      `${name}/new.md`,
      `${name}/new/deep.md`,
    ]);
    for (const path of [...Object.keys(links), ...below, 'up/other/secret.md'])
      for (const answer of await tryAll(vault, path)) {
        expect(answer, path).toMatch(/^\{"success":false,/);
        expect(answer).not.toContain('"secret"');
      }
    expect(await vault.data('workspaceStorageList', { recursive: true })).toEqual([]);
    await vault.idle();
    expect(everythingElse(around)).toEqual(before);
    expect(readdirSync(base).sort()).toEqual(Object.keys(links).sort());
    expect(vault.reports).toEqual([]);
  });

  it('refuses a device', async () => {
    const { base, vault } = vaultOnDisk();
    symlinkSync('/dev/zero', join(base, 'zero.md'));
    for (const answer of await tryAll(vault, 'zero.md'))
      expect(answer).toMatch(/^\{"success":false,/);
    expect(await vault.data('workspaceStorageList', {})).toEqual([]);
  });

  it('refuses a folder that is a link out of the vault', async () => {
    const { around, vault } = vaultOnDisk();
    mkdirSync(join(around, 'elsewhere'));
    symlinkSync(join(around, 'elsewhere'), join(around, 'vault/Savepoint/files/sessions'));
    for (const tool of ['sessionStorageRead', 'sessionStorageWrite', 'sessionStorageList'])
      expect(
        await vault.error(tool, { path: 'a.md', ...(tool.endsWith('Write') && { content: 'x' }) }),
      ).toContain('is a symbolic link');
    expect(readdirSync(join(around, 'elsewhere'))).toEqual([]);
  });

  it('follows links that stay within it', async () => {
    const { base, vault } = vaultOnDisk();
    await vault.data('workspaceStorageWrite', { path: 'notes/a.md', content: 'x' });
    symlinkSync('notes', join(base, 'link'));
    symlinkSync('notes/a.md', join(base, 'b.md'));
    await vault.data('workspaceStorageWrite', { path: 'b.md', content: 'y', mode: 'append' });
    expect(await vault.data('workspaceStorageRead', { path: 'link/a.md' })).toMatchObject({
      content: 'xy',
    });
    const rows = (await vault.data('workspaceStorageList', { recursive: true })) as {
      path: string;
    }[];
    expect(rows.map(({ path }) => path)).toEqual(['b.md', 'notes/a.md']);
  });

  it('accepts every valid name, and changes no other files', async () => {
    const { around, base, vault } = vaultOnDisk();
    const before = everythingElse(around);
    for (const path of GOOD_PATHS) {
      await vault.data('workspaceStorageWrite', { path, content: path, mode: 'overwrite' });
      expect(await vault.data('workspaceStorageRead', { path })).toMatchObject({ content: path });
    }
    const rows = (await vault.data('workspaceStorageList', { recursive: true })) as {
      path: string;
    }[];
    const onDisk = pathsBelow(base).filter((path) => lstatSync(path).isFile());
    expect(rows.map(({ path }) => path).sort()).toEqual(
      onDisk.map((path) => relative(base, path)).sort(),
    );
    expect(rows.length).toBe(GOOD_PATHS.length - 1); // "./notes//plan.md" already exists
    expect(everythingElse(around)).toEqual(before);
  });
});
