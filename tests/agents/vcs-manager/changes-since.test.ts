import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';
import { createFolder } from '../../node/folders.js';
import { commitAll, createRepository, git, gitChanges, put } from '../../node/git/run-git.js';
import { openGitVault } from './git-vault.js';

const save = (vault: TestVault, name: string, activeFiles: string[] = []) =>
  vault.data('createState', stateNamed(name, { activeFiles }));
const since = (vault: TestVault, params: object) =>
  vault.call('changesSince', { state: 'One', ...params });
const dataSince = (vault: TestVault, params: object = {}) =>
  vault.data('changesSince', { state: 'One', ...params });

describe('changesSince in a git repository', () => {
  async function create(activeFiles: string[] = []) {
    const vault = openGitVault();
    put(vault.folder, { 'a.md': 'one\ntwo\nsix\n', 'b.md': 'two', 'd/c.md': 'six' });
    const head = commitAll(vault.folder);
    await save(vault, 'One', activeFiles);
    return { vault, head };
  }

  it('lists what changed until now, as git does', async () => {
    const { vault, head } = await create();
    put(vault.folder, { 'a.md': 'changed', 'b.md': undefined, 'd/new.md': 'new' });
    git(vault.folder, 'add', 'd/new.md');
    expect(await dataSince(vault)).toEqual({
      from: {
        state: 'One',
        commit: head.slice(0, 10),
        savedAt: expect.any(String) as string,
      },
      comparedBy: 'commit',
      added: ['d/new.md'],
      changed: ['a.md'],
      removed: ['b.md'],
    });
    expect(gitChanges(vault.folder, head)).toEqual([
      'added d/new.md',
      'changed a.md',
      'removed b.md',
    ]);
  });

  it('compares with another state, a commit and a branch', async () => {
    const { vault } = await create();
    put(vault.folder, { 'a.md': 'changed' });
    const second = commitAll(vault.folder);
    await save(vault, 'Two');
    put(vault.folder, { 'b.md': 'changed, too' });
    commitAll(vault.folder);
    expect(await dataSince(vault, { to: 'two' })).toMatchObject({
      to: { state: 'Two', commit: second.slice(0, 10) },
      changed: ['a.md'],
    });
    expect(await dataSince(vault, { to: second.slice(0, 8) })).toMatchObject({
      to: { commit: second.slice(0, 10) },
      changed: ['a.md'],
    });
    expect(await dataSince(vault, { to: 'main' })).toMatchObject({ changed: ['a.md', 'b.md'] });
  });

  it('shows the changed lines of a file', async () => {
    const { vault } = await create();
    put(vault.folder, { 'a.md': 'one\n2\nsix\n' });
    expect(await dataSince(vault, { path: 'a.md' })).toMatchObject({
      changed: ['a.md'],
      lines: '@@ -1,3 +1,3 @@\n one\n-two\n+2\n six',
    });
    const head = commitAll(vault.folder);
    put(vault.folder, { 'a.md': 'later' });
    expect(await dataSince(vault, { path: 'a.md', to: head })).toMatchObject({
      lines: '@@ -1,3 +1,3 @@\n one\n-two\n+2\n six',
    });
  });

  it('shows an added and a removed file by their lines', async () => {
    const { vault } = await create();
    put(vault.folder, { 'b.md': undefined, 'new.md': 'new\n' });
    const to = commitAll(vault.folder);
    expect(await dataSince(vault, { path: 'b.md', to })).toMatchObject({
      lines: '@@ -1,1 +1,0 @@\n-two\n\\ No newline at end of file',
    });
    expect(await dataSince(vault, { path: 'new.md', to })).toMatchObject({
      lines: '@@ -1,0 +1,1 @@\n+new',
    });
  });

  it('can be limited to a folder', async () => {
    const { vault } = await create();
    put(vault.folder, { 'a.md': 'changed', 'd/c.md': 'changed' });
    expect(await dataSince(vault, { path: 'd/' })).toMatchObject({ changed: ['d/c.md'] });
    expect(await dataSince(vault, { path: 'a' })).not.toHaveProperty('changed');
  });

  it("looks only at the workspace's folder, and names its files by vault path", async () => {
    const { vault } = await create();
    await vault.data('createWorkspace', { ...garden, rootFolder: 'd' });
    await save(vault, 'One');
    put(vault.folder, { 'a.md': 'changed', 'd/c.md': 'x\n' });
    expect(await dataSince(vault, { path: 'd/c.md' })).toMatchObject({
      changed: ['d/c.md'],
      lines: expect.stringContaining('-six') as string,
    });
  });

  it('trusts the recorded content of active files more than commits', async () => {
    const { vault, head } = await create();
    put(vault.folder, { 'a.md': 'not committed', 'b.md': 'changed, too' });
    await save(vault, 'Two', ['a.md', 'b.md', 'later.md']);
    put(vault.folder, { 'b.md': 'changed again', 'later.md': 'not tracked' });
    const answer = await vault.data('changesSince', { state: 'Two' });
    expect(answer).toMatchObject({ added: ['later.md'], changed: ['b.md'] });
    expect(await vault.call('changesSince', { state: 'Two', to: head })).toMatchObject({
      data: { changed: ['a.md', 'b.md'] },
    });
    expect(await vault.call('changesSince', { state: 'Two', path: 'b.md' })).toMatchObject({
      notice: 'The changed lines of "b.md" are not known, because its old content is in no commit.',
    });
  });

  it('says why it does not show lines', async () => {
    const { vault } = await create();
    writeFileSync(join(vault.folder, 'a.md'), Buffer.from([0xff, 0xfe, 0]));
    writeFileSync(join(vault.folder, 'b.md'), 'x'.repeat(1024 * 1024 + 1));
    expect(await since(vault, { path: 'a.md' })).toMatchObject({
      data: { changed: ['a.md'] },
      notice: 'The changed lines of "a.md" are not shown, because it is not text.',
    });
    expect(await since(vault, { path: 'b.md' })).toMatchObject({
      notice: 'The changed lines of "b.md" are not shown, because it is larger than 1 MB.',
    });
  });

  it('does not follow a link out of the vault', async () => {
    const { vault } = await create();
    const secret = join(createFolder(), 'secret.md');
    writeFileSync(secret, 'secret');
    put(vault.folder, { 'b.md': undefined });
    symlinkSync(secret, join(vault.folder, 'b.md'));
    const answer = await since(vault, { path: 'b.md' });
    expect(answer).toMatchObject({
      data: { changed: ['b.md'] },
      notice: 'The changed lines of "b.md" are not known, because its new content cannot be read.',
    });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('leaves out hidden and excluded files and the data folder', async () => {
    const folder = createRepository();
    const vault = openGitVault(folder, ['Private']);
    await vault.data('createState', stateNamed('Zero'));
    put(folder, { 'Private/a.md': 'one', '.hidden/a.md': 'one', 'a.md': 'one' });
    commitAll(folder);
    await save(vault, 'One');
    put(folder, { 'Private/a.md': 'two', '.hidden/a.md': 'two', 'a.md': 'two' });
    expect(await dataSince(vault)).toMatchObject({ changed: ['a.md'] });
    for (const path of ['Private/a.md', '.hidden/a.md', 'Savepoint'])
      expect(await vault.error('changesSince', { state: 'One', path })).toBe(
        `"${path}" is in an excluded folder, which Savepoint does not read. Choose a path in another folder.`,
      );
  });

  it('lists 150 files of each kind and counts them all', async () => {
    const { vault } = await create();
    put(
      vault.folder,
      Object.fromEntries(Array.from({ length: 160 }, (_, at) => [`new/${at}.md`, 'new'])),
    );
    git(vault.folder, 'add', '--all');
    const answer = await since(vault, { path: 'new' });
    expect(answer).toMatchObject({
      notice: 'Only the first 150 of 160 added files are listed; pass a folder as path.',
    });
    expect((answer as { data: { added: string[] } }).data.added).toHaveLength(150);
  });

  it.each([
    ['../b.md', 'path "../b.md" leads outside the vault with ".."; use a path inside the vault.'],
    ['/etc/passwd', 'path "/etc/passwd" starts with "/"; use a path inside the vault'],
    ['project:a.ts', 'path "project:a.ts" names a file outside the vault'],
  ])('refuses the path %j', async (path, words) => {
    const { vault } = await create();
    expect(await vault.error('changesSince', { state: 'One', path })).toContain(words);
  });

  it('refuses what is neither a state nor a commit', async () => {
    const { vault } = await create();
    expect(await vault.error('changesSince', { state: 'One', to: 'nothing' })).toBe(
      '"nothing" is neither a state of this workspace nor a commit. Use listStates to see the states, or listCommits to see commits.',
    );
  });
});

describe('changesSince without commits', () => {
  const NO_REPOSITORY =
    'The folder "/" is in no git repository. Run git init in it, or use a workspace whose folder is in one.';

  async function create() {
    const vault = openGitVault(createFolder());
    put(vault.folder, { 'a.md': 'one', 'b.md': 'two', 'c.md': 'six' });
    await save(vault, 'One', ['a.md', 'b.md', 'c.md', 'new.md', 'never.md']);
    put(vault.folder, { 'a.md': 'changed', 'b.md': undefined, 'new.md': 'new', 'other.md': 'x' });
    return vault;
  }

  it('compares the active files by hash, and says why', async () => {
    const vault = await create();
    expect(await since(vault, {})).toEqual({
      success: true,
      workspace: 'Default',
      data: {
        from: { state: 'One', savedAt: expect.any(String) as string },
        comparedBy: 'hash',
        added: ['new.md'],
        changed: ['a.md'],
        removed: ['b.md'],
      },
      notice: `Only active files were compared. ${NO_REPOSITORY}`,
    });
  });

  it('compares two states by hash, and lists what only one of them records', async () => {
    const vault = await create();
    await save(vault, 'Two', ['a.md', 'b.md', 'c.md', 'other.md']);
    expect(await dataSince(vault, { to: 'Two' })).toMatchObject({
      changed: ['a.md'],
      removed: ['b.md'],
      unknown: ['new.md', 'never.md', 'other.md'],
    });
  });

  it('says why a commit cannot be compared', async () => {
    const vault = await create();
    expect(await vault.error('changesSince', { state: 'One', to: 'main' })).toBe(
      `"main" is neither a state of this workspace nor a commit. ${NO_REPOSITORY} Use listStates to see the states, or listCommits to see commits.`,
    );
  });

  it('falls back to hashes if the commit of the state is gone', async () => {
    const vault = openGitVault();
    put(vault.folder, { 'a.md': 'one' });
    commitAll(vault.folder);
    await save(vault, 'One', ['a.md']);
    const tree = git(vault.folder, 'rev-parse', 'HEAD^{tree}');
    put(vault.folder, {
      [`.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`]: undefined,
      'a.md': 'two',
    });
    expect(await since(vault, {})).toMatchObject({
      data: { comparedBy: 'hash', changed: ['a.md'] },
      notice: expect.stringContaining('is in a damaged git repository: the object') as string,
    });
  });

  it('refuses a state about whose files nothing is known', async () => {
    const vault = openGitVault(createFolder());
    await save(vault, 'One');
    expect(await vault.error('changesSince', { state: 'One' })).toBe(
      `Nothing is known about the files of state "One". ${NO_REPOSITORY} Compare a state with active files, or one that was saved in a git repository.`,
    );
  });

  it('compares a state from before the first commit by hash', async () => {
    const vault = openGitVault();
    put(vault.folder, { 'a.md': 'one' });
    await save(vault, 'One', ['a.md']);
    put(vault.folder, { 'a.md': 'two' });
    commitAll(vault.folder);
    expect(await since(vault, {})).toMatchObject({
      data: { changed: ['a.md'] },
      notice: 'Only active files were compared. State "One" was saved outside of a git repository.',
    });
  });

  it('compares where no repository can be read', async () => {
    const vault = createTestVault();
    vault.files.put('a.md', 'one');
    await save(vault, 'One', ['a.md']);
    vault.files.put('a.md', 'two');
    expect(await since(vault, {})).toMatchObject({
      data: { changed: ['a.md'] },
      notice: expect.stringContaining('This device cannot read git repositories.') as string,
    });
  });
});

it('the repository may be inside the vault', async () => {
  const folder = createFolder();
  const vault = openGitVault(folder);
  const inner = join(folder, 'Garden');
  put(inner, { 'a.md': 'one' });
  git(inner, 'init', '--quiet', '--initial-branch', 'main');
  commitAll(inner);
  await vault.data('createWorkspace', garden);
  await save(vault, 'One');
  put(inner, { 'a.md': 'two' });
  expect(await dataSince(vault)).toMatchObject({ changed: ['Garden/a.md'] });
});
