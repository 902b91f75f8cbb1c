import { appendFileSync, chownSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, node } from '../folders.js';
import { openRepository } from './built-repository.js';
import { commitAll, createRepository, git, gitChanges, put } from './run-git.js';

const open = (folder: string) => openRepository(node, folder, 'Notes');
const isRoot = process.getuid?.() === 0;

async function problemOf(task: Promise<unknown>): Promise<string> {
  try {
    await task;
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('openRepository', () => {
  it('has the head of the repository around a folder', async () => {
    const folder = createRepository();
    put(folder, { 'inner/a.md': 'one' });
    const head = commitAll(folder);
    expect(await open(join(folder, 'inner'))).toMatchObject({
      root: folder,
      head: { head, branch: 'main' },
    });
  });

  it('opens a worktree', async () => {
    const folder = createRepository();
    put(folder, { 'a.md': 'one' });
    const head = commitAll(folder);
    const tree = join(createFolder(), 'tree');
    git(folder, 'worktree', 'add', '--quiet', '-b', 'topic', tree);
    put(tree, { 'a.md': 'two' });
    const repository = await open(tree);
    expect(repository.head).toEqual({ head, branch: 'topic' });
    expect(await repository.changesSince(head)).toEqual([{ path: 'a.md', change: 'changed' }]);
  });

  it('opens a worktree of a bare repository', async () => {
    const folder = createRepository();
    put(folder, { 'a.md': 'one' });
    const head = commitAll(folder);
    const bare = join(createFolder(), 'bare.git');
    git(folder, 'clone', '--quiet', '--bare', folder, bare);
    const tree = join(createFolder(), 'tree');
    git(bare, 'worktree', 'add', '--quiet', '-b', 'topic', tree);
    expect(await (await open(tree)).changesSince(head)).toEqual([]);
  });

  it('opens a submodule as a repository of its own', async () => {
    const inner = createRepository();
    put(inner, { 'a.md': 'one' });
    const head = commitAll(inner);
    const folder = createRepository();
    git(folder, 'submodule', '--quiet', 'add', inner, 'sub');
    const outerHead = commitAll(folder);
    const sub = join(folder, 'sub');
    put(sub, { 'a.md': 'two' });
    expect(await (await open(sub)).changesSince(head)).toEqual([
      { path: 'a.md', change: 'changed' },
    ]);
    const outer = await open(folder);
    expect(await outer.changesSince(outerHead)).toEqual([]);
    expect(await outer.countUnstaged()).toBe(0);
  });

  it('opens a repository without commits', async () => {
    const folder = createRepository();
    const repository = await open(folder);
    expect(repository.head).toEqual({ branch: 'main' });
    expect(await repository.countUnstaged()).toBe(0);
    expect(await problemOf(repository.commitsSince('0'.repeat(40), 5, () => true))).toBe(
      'The folder "Notes" is in a git repository without commits. Commit something first.',
    );
  });

  it('refuses a folder outside of every repository', async () => {
    expect(await problemOf(open(createFolder()))).toBe(
      'The folder "Notes" is in no git repository. Run git init in it, or use a workspace whose folder is in one.',
    );
  });

  it('refuses a bare repository', async () => {
    const words =
      'The folder "Notes" is in a bare git repository, which has no files. Clone it, and work in the clone.';
    const bare = createRepository('--bare');
    expect(await problemOf(open(bare))).toBe(words);
    expect(await problemOf(open(join(bare, 'refs')))).toBe(words);
    const marked = createRepository();
    git(marked, 'config', 'core.bare', 'true');
    expect(await problemOf(open(marked))).toBe(words);
  });

  it.runIf(isRoot)('refuses a repository of another user', async () => {
    const words =
      'The folder "Notes" is in a git repository of another user, so it is not read. Change its owner, or allow it with git config --global --add safe.directory.';
    for (const part of ['', '.git']) {
      const folder = createRepository();
      chownSync(join(folder, part), 12345, 12345);
      expect(() => git(folder, 'status')).toThrow('dubious ownership');
      expect(await problemOf(open(folder))).toBe(words);
    }
  });

  it.each([
    ['', 'refuses'],
    ['[safe]\n\tdirectory = ROOT\n', 'opens'],
    ['[safe]\n\tdirectory = ROOT\n[safe]\n\tdirectory =\n', 'refuses'],
    ['[safe]\n\tdirectory = "*"\n', 'opens'],
    ['[safe]\n\tdirectory = /elsewhere\n', 'refuses'],
    ['[other]\n\tdirectory = *\n', 'refuses'],
  ])('with the settings %j of git it %s a repository of another user', async (config, verb) => {
    const folder = createRepository();
    const home = createFolder();
    writeFileSync(join(home, '.gitconfig'), config.replace('ROOT', folder));
    const os = { ...node.os, homedir: () => home };
    const user = { ...process, getuid: () => process.getuid!() + 1 };
    const problem = await problemOf(
      openRepository({ ...node, os, process: user }, folder, 'Notes'),
    );
    expect(problem === 'none' ? 'opens' : 'refuses').toBe(verb);
  });

  it('refuses formats that it cannot read', async () => {
    expect(await problemOf(open(createRepository('--object-format', 'sha256')))).toBe(
      'The folder "Notes" is in a git repository that has ids of the kind sha256, which cannot be read here. Use git itself for this.',
    );
    const folder = createRepository();
    git(folder, 'config', 'extensions.refStorage', 'reftable');
    expect(await problemOf(open(folder))).toContain('that stores its branches as reftable,');
  });

  it('refuses a repository that borrows objects from another one', async () => {
    const folder = createRepository();
    put(folder, { 'a.md': 'one' });
    const head = commitAll(folder);
    const clone = join(createFolder(), 'clone');
    git(folder, 'clone', '--quiet', '--shared', folder, clone);
    expect(await problemOf((await open(clone)).changesSince(head))).toBe(
      'The folder "Notes" is in a git repository that borrows objects from another repository, which cannot be read here. Use git itself for this.',
    );
  });

  it('refuses a commit that a shallow clone lacks', async () => {
    const folder = createRepository();
    const first = commitAll(folder);
    commitAll(folder);
    const clone = join(createFolder(), 'clone');
    git(folder, 'clone', '--quiet', '--depth', '1', `file://${folder}`, clone);
    expect(await problemOf((await open(clone)).changesSince(first))).toContain(
      `that is a shallow clone without ${first.slice(0, 10)},`,
    );
  });
});

describe('a damaged repository', () => {
  const ending = 'Run git fsck there, and restore a backup.';
  const create = () => {
    const folder = createRepository();
    put(folder, { 'a.md': 'one' });
    return { folder, head: commitAll(folder) };
  };

  it('is refused if its HEAD is missing or nonsense', async () => {
    const { folder } = create();
    const words = `The folder "Notes" is in a damaged git repository: its HEAD names neither a branch nor a commit. ${ending}`;
    writeFileSync(join(folder, '.git/HEAD'), 'nonsense');
    expect(await problemOf(open(folder))).toBe(words);
    rmSync(join(folder, '.git/HEAD'));
    expect(await problemOf(open(folder))).toBe(words);
  });

  it('is refused if its .git file leads nowhere', async () => {
    const words = `The folder "Notes" is in a damaged git repository: its file .git names no repository. ${ending}`;
    for (const text of ['nonsense', 'gitdir: ../nowhere']) {
      const folder = createFolder();
      writeFileSync(join(folder, '.git'), text);
      expect(await problemOf(open(folder))).toBe(words);
    }
  });

  it('is refused if its index is damaged', async () => {
    const index = (folder: string) => join(folder, '.git/index');
    const reasons: [string, (folder: string) => void][] = [
      ['its index has no valid header', (folder) => writeFileSync(index(folder), 'nonsense')],
      ['its index ends too early', (folder) => truncateSync(index(folder), 60)],
      ['the checksum of its index is wrong', (folder) => appendFileSync(index(folder), 'x')],
    ];
    for (const [reason, damage] of reasons) {
      const { folder } = create();
      damage(folder);
      expect(await problemOf((await open(folder)).countUnstaged())).toBe(
        `The folder "Notes" is in a damaged git repository: ${reason}. ${ending}`,
      );
    }
  });

  it('is refused if an object is missing or damaged', async () => {
    const { folder, head } = create();
    const tree = git(folder, 'rev-parse', 'HEAD^{tree}');
    const object = join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2));
    rmSync(object);
    expect(await problemOf((await open(folder)).changesSince(head))).toBe(
      `The folder "Notes" is in a damaged git repository: the object ${tree.slice(0, 10)} is missing. ${ending}`,
    );
    writeFileSync(object, 'nonsense');
    expect(await problemOf((await open(folder)).changesSince(head))).toContain(
      `the object ${tree.slice(0, 10)} cannot be read`,
    );
  });

  it('is refused if it has a split index', async () => {
    const { folder } = create();
    git(folder, 'update-index', '--split-index');
    expect(await problemOf((await open(folder)).countUnstaged())).toContain('has a split index,');
  });
});

it('git agrees on which files changed among odd names and versions of the index', async () => {
  for (const version of ['2', '3', '4']) {
    const folder = createRepository();
    const names = ['a b.md', 'ä/ö.md', 'ä/ö/ü.md'.replace('ö', 'x'), 'long/'.repeat(20) + 'z.md'];
    put(folder, Object.fromEntries(names.map((name) => [name, name])));
    const head = commitAll(folder);
    git(folder, 'update-index', '--index-version', version);
    put(folder, { [names[0]!]: undefined, [names[1]!]: 'new', 'later.md': 'x' });
    git(folder, 'add', '--intent-to-add', 'later.md');
    const repository = await open(folder);
    const changes = await repository.changesSince(head);
    expect(changes.map(({ path, change }) => `${change} ${path}`).sort()).toEqual(
      gitChanges(folder, head),
    );
    expect(changes).toHaveLength(3);
    expect(await repository.countUnstaged()).toBe(3);
  }
});

it('a folder named .git that is empty is damaged', async () => {
  const folder = createFolder();
  mkdirSync(join(folder, '.git'));
  expect(await problemOf(open(folder))).toContain('is in a damaged git repository');
});
