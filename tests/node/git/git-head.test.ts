import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepGitHead, readGitHead } from '../../../src/node/git/git-head.js';
import { createFolderDevice } from '../../../src/node/provenance/folder-device.js';
import { createFolder, node } from '../folders.js';

const device = { program: 'Test', name: () => 'Laptop' };

function git(folder: string, ...args: string[]): string {
  const own = [
    '-c',
    'user.name=Ana',
    '-c',
    'user.email=ana@example.org',
    '-c',
    'protocol.file.allow=always',
  ];
  return execFileSync('git', [...own, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  }).trim();
}

function commit(folder: string): string {
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Work');
  return git(folder, 'rev-parse', 'HEAD');
}

function createRepository(...options: string[]): string {
  const folder = createFolder();
  git(folder, 'init', '--quiet', '--initial-branch', 'main', ...options);
  return folder;
}

const headOf = (folder: string) => readGitHead(node, folder);

describe('readGitHead', () => {
  it('is undefined outside a repository', async () => {
    expect(await headOf(createFolder())).toBeUndefined();
  });

  it('has the branch of a repository without commits', async () => {
    expect(await headOf(createRepository())).toEqual({ branch: 'main' });
  });

  it('has the commit and branch of the closest repository around a folder', async () => {
    const outer = createRepository();
    commit(outer);
    const inner = join(outer, 'inner');
    mkdirSync(join(inner, 'a/b'), { recursive: true });
    git(inner, 'init', '--quiet', '--initial-branch', 'topic/one');
    const head = commit(inner);
    expect(await headOf(join(inner, 'a/b'))).toEqual({ head, branch: 'topic/one' });
    expect(await headOf(join(inner, 'a/missing'))).toEqual({ head, branch: 'topic/one' });
  });

  it('has only the commit of a detached head', async () => {
    const folder = createRepository();
    const head = commit(folder);
    commit(folder);
    git(folder, 'checkout', '--quiet', '--detach', head);
    expect(await headOf(folder)).toEqual({ head });
  });

  it('finds a packed branch, and prefers its newer loose ref', async () => {
    const folder = createRepository();
    const head = commit(folder);
    git(folder, 'branch', 'domain');
    git(folder, 'pack-refs', '--all');
    expect(await headOf(folder)).toEqual({ head, branch: 'main' });
    const next = commit(folder);
    expect(next).not.toBe(head);
    expect(await headOf(folder)).toEqual({ head: next, branch: 'main' });
  });

  it.each(['loose', 'packed'])('finds the %s branch of a worktree', async (kind) => {
    const folder = createRepository();
    commit(folder);
    const worktree = join(createFolder(), 'tree');
    git(folder, 'worktree', 'add', '--quiet', '-b', 'topic', worktree);
    const head = commit(worktree);
    if (kind === 'packed') git(folder, 'pack-refs', '--all');
    expect(await headOf(worktree)).toEqual({ head, branch: 'topic' });
  });

  it('finds the head of a submodule', async () => {
    const library = createRepository();
    const head = commit(library);
    const folder = createRepository();
    git(folder, 'submodule', '--quiet', 'add', library, 'library');
    expect(await headOf(join(folder, 'library'))).toEqual({ head, branch: 'main' });
  });

  it('supports SHA-256 repositories', async () => {
    const folder = createRepository('--object-format=sha256');
    const head = commit(folder);
    expect(head).toHaveLength(64);
    expect(await headOf(folder)).toEqual({ head, branch: 'main' });
  });

  it.each([
    ['ref: refs/heads/../../secret\n'],
    ['ref: refs/heads/.invalid\n'],
    ['ref: refs/heads/a\u0007b\n'],
    ['ref: /etc/passwd\n'],
    ['nonsense\n'],
    [''],
    ['x'.repeat(5000)],
  ])('is undefined if HEAD is %j', async (text) => {
    const folder = createRepository();
    const head = commit(folder);
    writeFileSync(join(folder, '.git/secret'), `${head}\n`);
    writeFileSync(join(folder, '.git/HEAD'), text);
    expect(await headOf(folder)).toBeUndefined();
  });

  it('ends if refs point to each other', async () => {
    const folder = createRepository();
    commit(folder);
    writeFileSync(join(folder, '.git/refs/heads/main'), 'ref: refs/heads/main\n');
    expect(await headOf(folder)).toEqual({ branch: 'main' });
  });

  it('does not wait for a pipe', async () => {
    const folder = createRepository();
    rmSync(join(folder, '.git/HEAD'));
    execFileSync('mkfifo', [join(folder, '.git/HEAD')]);
    expect(await headOf(folder)).toBeUndefined();
  });
});

describe('the git head of a vault', () => {
  it('is that of the repository that contains the folder, even through a link', async () => {
    const vault = createFolder();
    const project = createRepository();
    const head = commit(project);
    mkdirSync(join(project, 'src'));
    symlinkSync(join(project, 'src'), join(vault, 'Project'));
    const { gitHead } = createFolderDevice(node, vault, device);
    expect(await gitHead?.('Project')).toEqual({ head, branch: 'main' });
    expect(await gitHead?.('')).toBeUndefined();
    cpSync(join(project, '.git'), join(vault, '.git'), { recursive: true });
    expect(await gitHead?.('Missing/Folder')).toEqual({ head, branch: 'main' });
  });
});

describe('keepGitHead', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Returns the head of a folder with everything in it a minute old, and the files it opened. */
  function kept(folder: string) {
    const opened: string[] = [];
    const open = ((file: string, ...rest: [number, never]) => {
      opened.push(file);
      node.callbackFs.open(file, ...rest);
    }) as typeof node.callbackFs.open;
    const watched = { ...node, callbackFs: { ...node.callbackFs, open } };
    const later = (ms: number) =>
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms }) as unknown;
    later(60_000);
    return { read: keepGitHead(watched, () => Promise.resolve(folder)), opened, later };
  }

  it('reads again only after a commit, a checkout and a packed branch', async () => {
    const folder = createRepository();
    const first = commit(folder);
    const { read, opened } = kept(folder);
    expect(await read()).toEqual({ head: first, branch: 'main' });
    const count = opened.length;
    expect(await read()).toEqual({ head: first, branch: 'main' });
    expect(opened).toHaveLength(count);
    const second = commit(folder);
    expect(await read()).toEqual({ head: second, branch: 'main' });
    git(folder, 'checkout', '--quiet', '-b', 'topic');
    expect(await read()).toEqual({ head: second, branch: 'topic' });
    git(folder, 'pack-refs', '--all');
    expect(await read()).toEqual({ head: second, branch: 'topic' });
    const third = commit(folder);
    expect(await read()).toEqual({ head: third, branch: 'topic' });
    rmSync(join(folder, '.git'), { recursive: true });
    expect(await read()).toBeUndefined();
  });

  it('notices a repository in the folder at once, and one around it within a minute', async () => {
    const outer = createFolder();
    const vault = join(outer, 'vault');
    mkdirSync(vault);
    const { read, later } = kept(vault);
    expect(await read()).toBeUndefined();
    git(outer, 'init', '--quiet', '--initial-branch', 'outer');
    const around = commit(outer);
    later(61_000);
    expect(await read()).toEqual({ head: around, branch: 'outer' });
    git(vault, 'init', '--quiet', '--initial-branch', 'inner');
    const inside = commit(vault);
    expect(await read()).toEqual({ head: inside, branch: 'inner' });
  });
});
