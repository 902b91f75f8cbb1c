import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProjectLink } from '../../../src/capture/consent.js';
import {
  createCaptureSettingsFile,
  type CaptureSettingsFile,
} from '../../../src/node/capture/capture-settings-file.js';
import { findProjectAndLink, linkKeys, updateLink } from '../../../src/node/projects/find-link.js';
import { projectOfFolder } from '../../../src/node/projects/find-project.js';
import { temporaryFolder } from '../../fakes/program.js';
import { node } from '../folders.js';

const REMOTE = 'https://github.com/acme/shop.git';

let root: string;
let links: CaptureSettingsFile;

beforeEach(() => {
  root = realpathSync(temporaryFolder('projects'));
  links = createCaptureSettingsFile(node, join(root, 'state'));
});

function git(at: string, ...args: string[]): void {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  execFileSync('git', ['-C', at, ...author, ...args], { stdio: 'pipe' });
}

function folder(...names: string[]): string {
  const path = join(root, ...names);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Creates a repository with a commit. */
function repository(name: string, remote?: string): string {
  const at = folder(name);
  git(at, 'init', '-q');
  git(at, 'commit', '-q', '--allow-empty', '-m', `First of ${name}`);
  if (remote !== undefined) git(at, 'remote', 'add', 'origin', remote);
  return at;
}

/** Links a folder to the workspace with its name. */
async function link(at: string, workspaceId: string): Promise<void> {
  const project = await projectOfFolder(node, at, []);
  const keys = project ? await linkKeys(project) : [];
  const added: ProjectLink = {
    project: at,
    folder: at,
    keys,
    vault: '/vault',
    workspaceId,
    workspaceName: workspaceId,
    capture: 'off',
  };
  await links.update((settings) => ({ ...settings, links: [...settings.links, added] }));
}

/** Returns what a session in a folder gets, as `workspace by evidence`; and updates the link. */
async function find(at: string): Promise<string | undefined> {
  const { project, found } = (await findProjectAndLink(node, (await links.read()).links, at)) ?? {};
  if (!project || !found) return undefined;
  await updateLink(node, links, found, project);
  const other = found.other ? `, not ${found.other.workspaceId}` : '';
  expect(found.isProved).toBe(!['remote', 'commit'].includes(found.evidence));
  return `${found.link.workspaceId} by ${found.evidence}${other}`;
}

describe('a linked repository', () => {
  let shop: string;
  beforeEach(async () => {
    shop = repository('shop');
    await link(shop, 'Shop');
  });

  it('is proved by its folder, whatever remotes it gets', async () => {
    expect(await find(shop)).toBe('Shop by folder');
    git(shop, 'remote', 'add', 'origin', REMOTE);
    expect(await find(shop)).toBe('Shop by folder');
    git(shop, 'remote', 'rename', 'origin', 'upstream');
    git(shop, 'remote', 'set-url', 'upstream', 'https://example.org/other.git');
    expect(await find(shop)).toBe('Shop by folder');
  });

  it('contains its folders and worktrees', async () => {
    expect(await find(folder('shop', 'src', 'deep'))).toBe('Shop by folder');
    const worktree = join(shop, '.worktrees', 'one');
    git(shop, 'worktree', 'add', '-q', worktree);
    expect(await find(worktree)).toBe('Shop by folder');
    expect(await find(folder('shop2'))).toBeUndefined();
  });

  it('does not contain other repositories, such as a submodule', async () => {
    const nested = folder('shop', 'vendor', 'lib');
    git(nested, 'init', '-q');
    git(nested, 'commit', '-q', '--allow-empty', '-m', 'First');
    git(nested, 'worktree', 'add', '-q', join(root, 'lib-worktree'));
    const local = ['-c', 'protocol.file.allow=always'];
    git(shop, ...local, 'submodule', 'add', '-q', repository('module'), 'module');
    const inner = ['vendor/lib', 'vendor/lib/src', 'module'].map((name) => {
      mkdirSync(join(shop, name), { recursive: true });
      return name;
    });
    for (const name of inner) expect(await find(join(shop, name)), name).toBeUndefined();
    expect(await find(join(root, 'lib-worktree'))).toBeUndefined();
    renameSync(shop, join(root, 'store'));
    for (const name of inner) expect(await find(join(root, 'store', name)), name).toBeUndefined();
    rmSync(join(root, 'store', '.git'), { recursive: true });
    expect(await find(join(root, 'store'))).toBe('Shop by renamed');
    expect(await find(join(root, 'store', 'vendor', 'lib'))).toBeUndefined();
    git(join(root, 'store', 'vendor', 'lib'), 'worktree', 'repair');
    await link(join(root, 'store', 'vendor', 'lib'), 'Lib');
    expect(await find(join(root, 'lib-worktree'))).toBe('Lib by worktree');
  });

  it('has its worktrees, wherever they are', async () => {
    const worktree = join(root, 'worktree');
    git(shop, 'worktree', 'add', '-q', worktree);
    expect(await find(worktree)).toBe('Shop by worktree');
    mkdirSync(join(worktree, 'src'));
    expect(await find(join(worktree, 'src'))).toBe('Shop by worktree');
  });

  it('has the repository of a linked worktree', async () => {
    const worktree = join(root, 'worktree');
    const other = repository('other');
    git(other, 'worktree', 'add', '-q', worktree);
    await link(worktree, 'Other');
    expect(await find(worktree)).toBe('Other by folder');
    expect(await find(other)).toBe('Other by worktree');
  });

  it('is found again after it was renamed, with its new path', async () => {
    const renamed = join(root, 'store');
    renameSync(shop, renamed);
    mkdirSync(join(renamed, 'src'));
    expect(await find(join(renamed, 'src'))).toBe('Shop by renamed');
    expect((await links.read()).links).toMatchObject([{ folder: renamed }]);
    mkdirSync(shop); // another project, in its old place
    expect(await find(renamed)).toBe('Shop by folder');
    expect(await find(shop)).toBeUndefined();
  });

  it('is not found by a folder to which the system gives the same number', async () => {
    rmSync(shop, { recursive: true });
    for (const name of ['a', 'b', 'c', 'd']) expect(await find(folder(name))).toBeUndefined();
  });

  it('is claimed by a clone only through a remote that it had', async () => {
    const clone = repository('clone', 'git@github.com:acme/shop.git');
    expect(await find(clone)).toBeUndefined();
    git(shop, 'remote', 'add', 'upstream', REMOTE);
    await find(shop);
    expect(await find(clone)).toBe('Shop by remote');
    git(shop, 'remote', 'remove', 'upstream');
    await find(shop);
    expect(await find(clone)).toBe('Shop by remote');
    await link(clone, 'Clone');
    expect(await find(clone)).toBe('Clone by folder, not Shop');
  });

  it('is claimed by the first commit only if its folder is gone and no other has it', async () => {
    const [copy, fork] = ['copy', 'fork'].map((name) => join(root, name));
    for (const at of [copy!, fork!]) {
      execFileSync('git', ['clone', '-q', shop, at], { stdio: 'pipe' });
      git(at, 'remote', 'remove', 'origin');
      git(at, 'commit', '-q', '--allow-empty', '-m', 'More');
    }
    expect(await find(copy!)).toBeUndefined();
    rmSync(shop, { recursive: true });
    expect(await find(copy!)).toBe('Shop by commit');
    expect(await find(repository('unrelated'))).toBeUndefined();
    await link(fork!, 'Fork');
    expect(await find(copy!)).toBeUndefined();
  });

  it('gets the commit that was made after it was linked', async () => {
    const empty = folder('empty');
    git(empty, 'init', '-q');
    await link(empty, 'Empty');
    expect(await find(empty)).toBe('Empty by folder');
    git(empty, 'commit', '-q', '--allow-empty', '-m', 'First');
    expect(await find(empty)).toBe('Empty by folder');
    execFileSync('git', ['clone', '-q', empty, join(root, 'saved')], { stdio: 'pipe' });
    rmSync(empty, { recursive: true });
    expect(await find(join(root, 'saved'))).toBe('Empty by commit');
  });

  it.each<[string, (at: string) => void]>([
    [
      'a file .git',
      (at) => writeFileSync(join(at, '.git'), `gitdir: ${join(root, 'shop/.git')}\n`),
    ],
    [
      'a file .git that names a worktree',
      (at) => {
        git(shop, 'worktree', 'add', '-q', join(root, 'real'));
        writeFileSync(join(at, '.git'), `gitdir: ${join(root, 'shop/.git/worktrees/real')}\n`);
      },
    ],
    [
      'a file commondir',
      (at) => {
        git(at, 'init', '-q');
        writeFileSync(join(at, '.git/commondir'), join(root, 'shop/.git'));
      },
    ],
    [
      'a worktree of its own making',
      (at) => {
        const own = folder('forged', 'own');
        writeFileSync(join(at, '.git'), `gitdir: ${own}\n`);
        writeFileSync(join(own, 'gitdir'), join(at, '.git'));
        writeFileSync(join(own, 'commondir'), join(root, 'shop/.git'));
        writeFileSync(join(own, 'HEAD'), 'ref: refs/heads/main\n');
      },
    ],
  ])('is not proved by a folder that claims it with %s', async (_, forge) => {
    const forged = folder('forged');
    forge(forged);
    expect(await find(forged)).toBeUndefined();
  });
});

describe('a linked folder without a repository', () => {
  it('is found again after it was moved with the linked folder around it', async () => {
    const notes = folder('work', 'notes');
    await link(join(root, 'work'), 'Work');
    await link(notes, 'Notes');
    renameSync(join(root, 'work'), join(root, 'job'));
    expect(await find(join(root, 'job'))).toBe('Work by renamed');
    expect(await find(join(root, 'job', 'notes'))).toBe('Notes by renamed');
    renameSync(join(root, 'job', 'notes'), join(root, 'job', 'more'));
    expect(await find(join(root, 'job', 'more'))).toBe('Notes by renamed');
    expect(await find(join(root, 'job'))).toBe('Work by folder');
  });

  it('stays linked when it becomes one, and when its parent is renamed', async () => {
    const notes = folder('work', 'notes');
    await link(notes, 'Notes');
    expect(await find(folder('work', 'notes', 'deep'))).toBe('Notes by folder');
    git(join(root, 'work'), 'init', '-q');
    expect(await find(notes)).toBe('Notes by folder');
    renameSync(join(root, 'work'), join(root, 'job'));
    expect(await find(join(root, 'job', 'notes', 'deep'))).toBe('Notes by renamed');
    expect(await find(join(root, 'job', 'notes'))).toBe('Notes by folder');
    expect(await find(join(root, 'job'))).toBeUndefined();
  });

  it('has the repositories in it, and their worktrees, until it is one itself', async () => {
    await link(folder('work'), 'Work');
    const inner = repository('work/inner');
    const worktree = join(root, 'worktree');
    git(inner, 'worktree', 'add', '-q', worktree);
    expect(await find(join(root, 'work', 'inner'))).toBe('Work by folder');
    expect(await find(worktree)).toBe('Work by worktree');
    git(join(root, 'work'), 'init', '-q');
    expect(await find(inner)).toBeUndefined();
    expect(await find(worktree)).toBeUndefined();
    expect(await find(join(root, 'work'))).toBe('Work by folder');
  });

  it('is the innermost linked one', async () => {
    await link(folder('work'), 'Work');
    await link(folder('work', 'inner'), 'Inner');
    expect(await find(folder('work', 'inner', 'src'))).toBe('Inner by folder');
    expect(await find(folder('work', 'other'))).toBe('Work by folder');
  });
});
