import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  configCandidates,
  findClientConfigs,
  type ClientConfig,
  type HostEnvironment,
} from '../../../src/node/client-setup/clients.js';
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
const files = (places: readonly ClientConfig[]) =>
  places.map(({ app, file }) => `${app.id} ${file}`);

describe('configCandidates', () => {
  it('returns the paths of macOS', () => {
    expect(files(configCandidates(posix, host('darwin', '/Users/a'), []))).toEqual([
      'claude-desktop /Users/a/Library/Application Support/Claude/claude_desktop_config.json',
      'claude-code /Users/a/.claude.json',
      'cursor /Users/a/.cursor/mcp.json',
      'vscode /Users/a/Library/Application Support/Code/User/mcp.json',
      'vscode /Users/a/Library/Application Support/Code - Insiders/User/mcp.json',
      'vscode /Users/a/Library/Application Support/VSCodium/User/mcp.json',
      'codex /Users/a/.codex/config.toml',
      'gemini /Users/a/.gemini/settings.json',
      'opencode /Users/a/.config/opencode/opencode.json',
      'zed /Users/a/.config/zed/settings.json',
      'windsurf /Users/a/.codeium/windsurf/mcp_config.json',
      'copilot /Users/a/.copilot/mcp-config.json',
      'antigravity /Users/a/.gemini/config/mcp_config.json',
      'antigravity /Users/a/.gemini/antigravity/mcp_config.json',
    ]);
  });

  it('returns the paths of Windows, including the packaged app', () => {
    const env = { APPDATA: 'D:\\Roaming', LOCALAPPDATA: 'D:\\Local' };
    const found = files(
      configCandidates(win32, host('win32', 'C:\\Users\\a', env), [
        'Claude_pzs8sxrjxfjjc',
        'Claudette_x',
        'Other',
      ]),
    );
    expect(found.slice(0, 4)).toEqual([
      'claude-desktop D:\\Roaming\\Claude\\claude_desktop_config.json',
      'claude-desktop D:\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
      'claude-code C:\\Users\\a\\.claude.json',
      'cursor C:\\Users\\a\\.cursor\\mcp.json',
    ]);
    expect(found.slice(-6)).toEqual([
      'opencode C:\\Users\\a\\.config\\opencode\\opencode.json',
      'zed D:\\Roaming\\Zed\\settings.json',
      'windsurf C:\\Users\\a\\.codeium\\windsurf\\mcp_config.json',
      'copilot C:\\Users\\a\\.copilot\\mcp-config.json',
      'antigravity C:\\Users\\a\\.gemini\\config\\mcp_config.json',
      'antigravity C:\\Users\\a\\.gemini\\antigravity\\mcp_config.json',
    ]);
    expect(files(configCandidates(win32, host('win32', 'C:\\Users\\a'), []))[0]).toBe(
      'claude-desktop C:\\Users\\a\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    );
  });

  it('follows the environment variables that relocate them', () => {
    const env = {
      XDG_CONFIG_HOME: '/x',
      CLAUDE_CONFIG_DIR: '/c',
      CODEX_HOME: '/d',
      GEMINI_CLI_HOME: '/g',
      COPILOT_HOME: '/p',
    };
    expect(files(configCandidates(posix, host('linux', '/home/a', env), []))).toEqual([
      'claude-desktop /x/Claude/claude_desktop_config.json',
      'claude-code /c/.claude.json',
      'cursor /home/a/.cursor/mcp.json',
      'vscode /x/Code/User/mcp.json',
      'vscode /x/Code - Insiders/User/mcp.json',
      'vscode /x/VSCodium/User/mcp.json',
      'codex /d/config.toml',
      'gemini /g/.gemini/settings.json',
      'opencode /x/opencode/opencode.json',
      'zed /x/zed/settings.json',
      'windsurf /home/a/.codeium/windsurf/mcp_config.json',
      'copilot /p/mcp-config.json',
      'antigravity /home/a/.gemini/config/mcp_config.json',
      'antigravity /home/a/.gemini/antigravity/mcp_config.json',
    ]);
  });

  it.each(['', '${HOME}/x'])('ignores a variable that is "%s"', (value) => {
    const names = ['XDG_CONFIG_HOME', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'COPILOT_HOME'];
    const env = Object.fromEntries(names.map((name) => [name, value]));
    expect(files(configCandidates(posix, host('linux', '/home/a', env), []))).toEqual(
      files(configCandidates(posix, host('linux', '/home/a'), [])),
    );
  });
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
