import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  configCandidates,
  findClientConfigs,
  type HostEnvironment,
} from '../../../src/node/client-setup/clients.js';
import { APP_FACTS } from '../../fakes/app-facts.js';
import { createFolder, node } from '../folders.js';

const host = (
  platform: NodeJS.Platform,
  home: string,
  env: NodeJS.ProcessEnv = {},
): HostEnvironment => ({
  platform,
  home,
  env,
  execPath: '',
});
const filesOf = (id: string, ...args: Parameters<typeof configCandidates>) =>
  configCandidates(...args)
    .filter(({ app }) => app.id === id)
    .map(({ file }) => file);

const inHome = { '~': '/home/a', $XDG_CONFIG_HOME: '/home/a/.config' };
const onWindows = { '~': 'C:\\Users\\a', $XDG_CONFIG_HOME: 'C:\\Users\\a\\.config' };

/** Platforms with their variables, and the folders for which the facts have names. */
const PLATFORMS = [
  ['darwin', {}, inHome],
  ['linux', {}, inHome],
  ['linux', { XDG_CONFIG_HOME: '/x' }, { ...inHome, $XDG_CONFIG_HOME: '/x' }],
  ['linux', { XDG_CONFIG_HOME: '' }, inHome],
  ['win32', {}, { ...onWindows, '%APPDATA%': 'C:\\Users\\a\\AppData\\Roaming' }],
  ['win32', { APPDATA: 'D:\\Roaming' }, { ...onWindows, '%APPDATA%': 'D:\\Roaming' }],
] as const;

describe.each(Object.entries(APP_FACTS))('configCandidates of %s', (id, { files }) => {
  it.each(PLATFORMS)('returns its files on %s with %j', (platform, env, folders) => {
    const path = platform === 'win32' ? win32 : posix;
    const expected = ('darwin' in files ? files[platform] : files).map((file) => {
      const [folder = '', ...names] = file.split('/');
      return path.join((folders as Record<string, string>)[folder] ?? folder, ...names);
    });
    expect(filesOf(id, path, host(platform, folders['~'], env), [])).toEqual(expected);
  });
});

it.each(
  Object.entries(APP_FACTS).flatMap(([id, { moved = {} }]) =>
    Object.entries(moved).map(([variable, file]) => [id, variable, file] as const),
  ),
)('configCandidates of %s follows the variable %s if it has a value', (id, variable, file) => {
  const filesWith = (value: string) =>
    filesOf(id, posix, host('linux', '/home/a', { [variable]: value }), []);
  const unmoved = filesOf(id, posix, host('linux', '/home/a'), []);
  expect(filesWith('/m')).toEqual([`/m/${file}`]);
  expect([filesWith(''), filesWith('${HOME}/x')]).toEqual([unmoved, unmoved]);
});

it('configCandidates returns the files of packaged apps on Windows', () => {
  const packages = ['Claude_pzs8sxrjxfjjc', 'Claudette_x', 'Other'];
  const at = host('win32', 'C:\\Users\\a', { LOCALAPPDATA: 'D:\\Local' });
  expect(filesOf('claude-desktop', win32, at, packages)).toEqual([
    'C:\\Users\\a\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    'D:\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
  ]);
});

describe('findClientConfigs', () => {
  it('returns the clients whose folder exists', async () => {
    const home = createFolder();
    expect(await findClientConfigs(node, host('linux', home))).toEqual([]);
    mkdirSync(join(home, '.codex'));
    mkdirSync(join(home, '.config/Code/User'), { recursive: true });
    writeFileSync(join(home, '.claude.json'), '{}');
    expect((await findClientConfigs(node, host('linux', home))).map(({ app }) => app.id)).toEqual([
      'claude-code',
      'vscode',
      'codex',
    ]);
  });

  it('returns the file that opencode already has', async () => {
    const home = createFolder();
    const folder = join(home, '.config/opencode');
    const found = async () =>
      (await findClientConfigs(node, host('linux', home))).map(({ file }) => file);
    mkdirSync(folder, { recursive: true });
    expect(await found()).toEqual([join(folder, 'opencode.json')]);
    for (const name of ['config.json', 'opencode.json', 'opencode.jsonc']) {
      writeFileSync(join(folder, name), '{}');
      expect(await found()).toEqual([join(folder, name)]);
    }
  });

  it('returns the file of the first Antigravity until the second has taken it over', async () => {
    const home = createFolder();
    const found = async () =>
      (await findClientConfigs(node, host('linux', home)))
        .filter(({ app }) => app.id === 'antigravity')
        .map(({ file }) => file);
    mkdirSync(join(home, '.gemini/antigravity'), { recursive: true });
    expect(await found()).toEqual([join(home, '.gemini/antigravity/mcp_config.json')]);
    mkdirSync(join(home, '.gemini/config'));
    expect(await found()).toHaveLength(2);
    writeFileSync(join(home, '.gemini/config/.migrated'), '');
    expect(await found()).toEqual([join(home, '.gemini/config/mcp_config.json')]);
  });

  it('returns a client whose folder is a link to nothing', async () => {
    const home = createFolder();
    symlinkSync(join(home, 'gone'), join(home, '.codex'));
    expect(await findClientConfigs(node, host('linux', home))).toMatchObject([
      { app: { id: 'codex' } },
    ]);
  });

  it('returns packaged apps on Windows', async () => {
    const home = createFolder();
    const folder = join(home, 'AppData/Local/Packages/Claude_abc/LocalCache/Roaming/Claude');
    mkdirSync(folder, { recursive: true });
    expect((await findClientConfigs(node, host('win32', home))).map(({ file }) => file)).toEqual([
      join(folder, 'claude_desktop_config.json'),
    ]);
  });
});
