import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ClientLocation } from '../../../src/bridge/projects.js';
import {
  findProject,
  projectOfFolder,
  type FoundProject,
} from '../../../src/node/projects/find-project.js';
import { temporaryFolder } from '../../fakes/program.js';
import { node } from '../folders.js';

const nowhere: ClientLocation = { client: '', named: undefined, roots: [] };

/** Creates a folder, with a git repository that has this remote if one is given. */
function createProject(remote?: string, parent = realpathSync(temporaryFolder('project'))): string {
  if (remote === undefined) return parent;
  mkdirSync(join(parent, '.git'), { recursive: true });
  writeFileSync(join(parent, '.git/HEAD'), 'ref: refs/heads/main\n');
  const config = `[core]\n\tbare = false\n[remote "fork"]\n\turl = git@example.org:me/x.git\n[remote "origin"]\n\turl = ${remote}\n`;
  writeFileSync(join(parent, '.git/config'), remote === '' ? '[core]\n' : config);
  return parent;
}

/**
 * Finds the project of a process in the home folder, with a vault elsewhere, unless told otherwise.
 */
function find(
  location: Partial<ClientLocation>,
  env: NodeJS.ProcessEnv = {},
  cwd = node.os.homedir(),
  vault = '/vault',
): Promise<FoundProject | undefined> {
  const path = { ...node.path, resolve: (...parts: string[]) => node.path.resolve(cwd, ...parts) };
  const client = { vault, env, platform: process.platform };
  return findProject({ ...node, path }, client, { ...nowhere, ...location });
}

describe('the identity of a project', () => {
  it.each([
    'https://github.com/acme/shop.git',
    'https://user:secret@GitHub.com/acme/shop',
    'git@github.com:acme/shop.git',
    'ssh://git@github.com:22/acme/shop.git/',
  ])('is the same for the remote %s', async (remote) => {
    const expected = await find({}, {}, createProject('https://github.com/acme/shop'));
    const found = await find({}, {}, createProject(remote));
    expect(found?.key).toBe(expected?.key);
    expect(found?.key).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is the same for an alias of ssh and for the other host of a service', async () => {
    const home = temporaryFolder('home');
    mkdirSync(join(home, '.ssh'));
    const config = 'Host *\n  User git\nHost work gh-work\n  HostName "github.com"\n  Port 22\n';
    writeFileSync(join(home, '.ssh/config'), config);
    const own = { ...node, os: { ...node.os, homedir: () => home } };
    const keyOf = async (remote: string) =>
      (await projectOfFolder(own, createProject(remote), []))?.key;
    const expected = await keyOf('https://github.com/acme/shop');
    expect(await keyOf('git@gh-work:acme/shop.git')).toBe(expected);
    expect(await keyOf('ssh://git@ssh.github.com:443/acme/shop.git')).toBe(expected);
    expect(await keyOf('git@other:acme/shop.git')).not.toBe(expected);
  });

  it('is the path without a remote, and that of the whole repository', async () => {
    const plain = createProject();
    const repository = createProject('');
    mkdirSync(join(repository, 'src/deep'), { recursive: true });
    const [one, other] = [await find({}, {}, plain), await find({}, {}, repository)];
    expect(one?.key).not.toBe(other?.key);
    expect(other?.place?.folder).toBe(repository);
    expect((await find({}, {}, join(repository, 'src/deep')))?.keys).toEqual(other?.keys);
  });

  it('is the same through a symbolic link', async () => {
    const folder = createProject();
    const link = join(temporaryFolder('links'), 'link');
    symlinkSync(folder, link);
    expect((await find({}, {}, link))?.keys).toEqual((await find({}, {}, folder))?.keys);
  });
});

describe('the location of a client', () => {
  it('is the first of the call, the variable, the roots and the working directory', async () => {
    const ofCall = createProject();
    const ofVariable = createProject();
    const ofRoots = createProject();
    const ofProcess = createProject();
    const ofShell = createProject();
    const env = { CLAUDE_PROJECT_DIR: ofVariable, PWD: ofShell };
    const roots = [pathToFileURL(ofRoots).href];
    const call = { folder: ofCall, remotes: {} };
    const at = async (...given: Parameters<typeof find>) => (await find(...given))?.place?.folder;
    expect(await at({ client: 'claude-code', named: call, roots }, env, ofProcess)).toBe(ofCall);
    expect(await at({ client: 'claude-code', roots }, env, ofProcess)).toBe(ofVariable);
    expect(await at({ client: 'gemini-cli-mcp-client', roots }, env, ofProcess)).toBe(ofRoots);
    expect(await at({}, env, ofProcess)).toBe(ofVariable);
    expect(await at({ roots: [] }, { PWD: ofShell }, ofProcess)).toBe(ofProcess);
    expect(await at({}, { PWD: ofShell })).toBe(ofShell);
    expect(await at({}, {})).toBeUndefined();
  });

  it('is named by Codex with its remotes, even if the folder is elsewhere', async () => {
    const remotes = { origin: 'https://github.com/acme/shop.git' };
    const here = createProject('git@github.com:acme/shop.git');
    const expected = (await find({}, {}, here))!;
    expect((await find({ named: { folder: here, remotes } }))?.keys).toEqual(expected.keys);
    const { key, remoteKeys } = expected;
    expect(await find({ named: { folder: '/remote/shop', remotes } })).toEqual({
      key,
      keys: remoteKeys.filter((each) => each === key),
      remoteKeys: [key],
    });
  });

  it('is no project in the vault, the home folder and the root', async () => {
    const vault = createProject('https://github.com/me/vault');
    expect(await find({}, {}, vault, vault)).toBeUndefined();
    expect(await find({}, {}, '/', vault)).toBeUndefined();
    expect(await find({ roots: ['https://example.org/x', 'file:///nowhere'] })).toBeUndefined();
  });

  it('does not belong to the repository of the vault', async () => {
    const vault = createProject('https://github.com/me/vault');
    for (const name of ['A', 'B']) mkdirSync(join(vault, name));
    const [a, b] = [
      await find({}, {}, join(vault, 'A'), vault),
      await find({}, {}, join(vault, 'B'), vault),
    ];
    expect(a?.place?.folder).toBe(join(vault, 'A'));
    expect(a?.key).not.toBe(b?.key);
  });
});
