import { expect, it } from 'vitest';
import { HOSTILE_PATHS } from '../shared/hostile-paths.js';
import { baseOf, expectRefused, factsOf, toolsOf, type Scope } from './storage-scopes.js';

/** Tests of both list tools. */
export function listSuite(scope: Scope): void {
  it('returns an empty list if nothing is stored', async () => {
    const { list } = toolsOf(scope);
    expect([
      await list(),
      await list({ path: '/' }),
      await list({ path: '', recursive: true }),
    ]).toEqual([[], [], []]);
  });

  it('lists files with size and hash, and folders with a slash, sorted', async () => {
    const { list, write } = toolsOf(scope);
    for (const path of ['b.md', 'notes/deep/x.md', 'a.md', 'notes/y.md'])
      await write({ path, content: path });
    expect(await list()).toEqual([
      { path: 'a.md', ...(await factsOf('a.md')) },
      { path: 'b.md', ...(await factsOf('b.md')) },
      { path: 'notes/' },
    ]);
    const paths = async (params: object) => (await list(params)).map(({ path }) => path);
    expect(await paths({ path: 'notes' })).toEqual(['notes/deep/', 'notes/y.md']);
    expect(await paths({ path: 'notes/' })).toEqual(['notes/deep/', 'notes/y.md']);
    expect(await paths({ recursive: true })).toEqual([
      'a.md',
      'b.md',
      'notes/deep/x.md',
      'notes/y.md',
    ]);
    expect(await paths({ path: 'notes/deep', recursive: true })).toEqual(['notes/deep/x.md']);
  });

  it('marks conflict copies of sync tools', async () => {
    const { vault, list } = toolsOf(scope);
    for (const name of [
      'plan.md',
      'plan.sync-conflict-20261120-101112-ABCDEF2.md',
      'plan 2.md',
      'other 2.md',
    ])
      vault.files.put(`${baseOf(scope)}/notes/${name}`, 'x');
    const facts = await factsOf('x');
    expect(await list({ recursive: true })).toEqual([
      { path: 'notes/other 2.md', ...facts },
      { path: 'notes/plan 2.md', ...facts, conflictOf: 'notes/plan.md' },
      { path: 'notes/plan.md', ...facts },
      {
        path: 'notes/plan.sync-conflict-20261120-101112-ABCDEF2.md',
        ...facts,
        conflictOf: 'notes/plan.md',
      },
    ]);
  });

  it('omits hidden files and the hashes of large ones', async () => {
    const { vault, list } = toolsOf(scope);
    for (const name of ['.DS_Store', '.~savepoint-x', '.git/config'])
      vault.files.put(`${baseOf(scope)}/${name}`, 'x');
    vault.files.put(`${baseOf(scope)}/big.bin`, new Uint8Array(4 * 1024 * 1024 + 1));
    expect(await list({ recursive: true })).toEqual([
      { path: 'big.bin', size: 4 * 1024 * 1024 + 1 },
    ]);
  });

  it('refuses an unknown folder', async () => {
    const { list, write, listError } = toolsOf(scope);
    await write({ path: 'Notes/a.md', content: 'x' });
    const see = `Use ${scope}StorageList without path to see the files.`;
    expect(await listError({ path: 'other' })).toBe(`Folder "other" not found. ${see}`);
    expect(await listError({ path: 'notes' })).toBe(
      `Folder "notes" not found. ${see} Did you mean "Notes"?`,
    );
    expect(await listError({ path: 'Notes/a.md' })).toBe(`Folder "Notes/a.md" not found. ${see}`);
    expect(await list({ path: 'Notes' })).toHaveLength(1);
  });

  it('refuses every hostile path except "/"', async () => {
    const { vault, listError } = toolsOf(scope);
    for (const [path, said] of HOSTILE_PATHS)
      if (path !== '/') await expectRefused(vault, () => listError({ path }), said);
  });
}
