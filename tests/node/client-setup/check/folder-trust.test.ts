import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { findApp } from '../../../../src/apps/index.js';
import { describeTrust } from '../../../../src/node/client-setup/check/folder-trust.js';
import { createFolder, node } from '../../folders.js';

let home: string;
let file: string;

beforeEach(() => {
  home = createFolder();
  mkdirSync(join(home, '.gemini'));
  file = join(home, '.gemini/settings.json');
});

const describeIt = (env: NodeJS.ProcessEnv = {}, projects: readonly string[] = ['/p']) =>
  describeTrust(
    node,
    { platform: 'linux', env, home, execPath: '' },
    { app: findApp('config', 'gemini')!, file, folder: join(home, '.gemini') },
    findApp('trust', 'gemini')!.trust,
    projects,
  );
const trust = (levels: unknown, list = join(home, '.gemini/trustedFolders.json')) =>
  writeFileSync(list, typeof levels === 'string' ? levels : JSON.stringify(levels));

it('says how to trust a folder if none is trusted', async () => {
  const text =
    'servers start only in trusted folders, and none is trusted yet: start gemini in your project and choose to trust the folder, or pass --skip-trust if nobody is there to ask';
  expect(await describeIt()).toBe(text);
  trust({ '/a': 'DO_NOT_TRUST' });
  expect(await describeIt()).toBe(text);
});

it('names the folders that are trusted', async () => {
  trust('// mine\n{ "/a": "TRUST_FOLDER", "/b/c": "TRUST_PARENT", "/d": "DO_NOT_TRUST" }');
  expect(await describeIt()).toMatch(
    /^servers start only in trusted folders: \/a, \/b; elsewhere, /,
  );
  trust(Object.fromEntries(['/a', '/b', '/c', '/d', '/e'].map((path) => [path, 'TRUST_FOLDER'])));
  expect(await describeIt()).toContain(': /a, /b, /c and 2 more; elsewhere, ');
});

it('reads the list that the environment names', async () => {
  const list = join(home, 'list.json');
  trust({ '/x': 'TRUST_FOLDER' }, list);
  expect(await describeIt({ GEMINI_CLI_TRUSTED_FOLDERS_PATH: list })).toContain(': /x; elsewhere');
  expect(await describeIt({ GEMINI_CLI_TRUSTED_FOLDERS_PATH: '' })).toContain('none is trusted');
});

it('fails for a project that is marked as not trusted', async () => {
  trust('{\n  "/a": "TRUST_FOLDER",\n  "/p": "DO_NOT_TRUST"\n}');
  await expect(describeIt()).rejects.toThrow(
    `Gemini CLI starts no server in /p, which ${join(home, '.gemini/trustedFolders.json')}:3 marks as not trusted.`,
  );
  expect(await describeIt({}, ['/a'])).toContain(': /a; elsewhere');
});

it('says that folder trust is off', async () => {
  writeFileSync(file, '{ "security": { "folderTrust": { "enabled": false } } }');
  trust('[');
  expect(await describeIt()).toBe('folder trust is off, so servers start in every folder');
});

it.each(['[', '[]'])(
  'fails if the list is %s, because Gemini CLI does not start then',
  async (text) => {
    trust(text);
    await expect(describeIt()).rejects.toThrow(
      'Gemini CLI cannot read its list of trusted folders',
    );
  },
);
