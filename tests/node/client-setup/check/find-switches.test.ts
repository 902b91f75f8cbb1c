import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'smol-toml';
import { beforeEach, describe, expect, it } from 'vitest';
import { appsWith, findApp } from '../../../../src/apps/index.js';
import type { AppSwitch } from '../../../../src/apps/switches.js';
import { findSwitches } from '../../../../src/node/client-setup/check/find-switches.js';
import type { ClientConfig } from '../../../../src/node/client-setup/clients.js';
import { createFolder, node } from '../../folders.js';
import { SERVER, VALUES } from './switch-values.js';

let root: string;
let project: string;

beforeEach(() => {
  root = createFolder();
  project = join(root, 'work', 'shop');
});

function configOf(id: string, env: Readonly<Record<string, string>> = {}): ClientConfig {
  const app = findApp('config', id)!;
  const folders = {
    platform: 'linux',
    home: join(root, 'home'),
    appData: join(root, 'data'),
    xdgConfig: join(root, 'xdg'),
    packages: [],
    system: (linux: string) => join(root, linux),
    join,
    variable: (name: string) => env[name],
  };
  const [{ folder, file } = { folder: '', file: '' }] = app.config.places(folders);
  const switches = app.switches?.(folders) ?? [];
  const { variable } = folders;
  return { app, folder, file: join(folder, file), switches, variable };
}

/** Returns the path of a file of a switch. */
function pathOf({ folder }: ClientConfig, file: string): string {
  if (file.endsWith('/')) return join(file, '20-more.json');
  if (file.startsWith('/')) return file;
  return join(file.startsWith('./') ? project : folder, file);
}

const keysOf = (setting: string) =>
  setting.split('/').map((key) => (key === 'NAME' ? 'savepoint' : key.replace('*', project)));

function write(file: string, setting: string, value: unknown): string {
  const data = keysOf(setting).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const text = file.endsWith('.toml')
    ? `# first\n${stringify(data)}`
    : `// first\n${JSON.stringify(data, null, 2)}\n`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return text;
}

/** Returns the line of a setting in a text of `write`. */
function lineOf(text: string, setting: string): number {
  const keys = keysOf(setting);
  const isOfSetting = (line: string) =>
    line.trimStart().startsWith(`"${keys.at(-1)}":`) ||
    line.startsWith(`${keys.at(-1)} = `) ||
    line.startsWith(`[${keys.join('.')}`);
  return text.split('\n').findIndex(isOfSetting) + 1;
}

const find = (config: ClientConfig, { stops }: Pick<AppSwitch, 'stops'>) =>
  findSwitches(node, config, stops, SERVER, [project]);

describe.each(appsWith('switches').map(({ id }) => ({ id })))('the settings of $id', ({ id }) => {
  it('are found at each place, by file and line', async () => {
    for (const [at, { setting, files }] of configOf(id).switches!.entries())
      for (const name of files)
        for (const value of VALUES[setting]!.off) {
          root = createFolder();
          project = join(root, 'work', 'shop');
          const config = configOf(id);
          const own = config.switches![at]!;
          const file = pathOf(config, own.files[files.indexOf(name)]!);
          const text = write(file, setting, value);
          const found = await find(config, own);
          const place = `${file}:${lineOf(text, setting)}`;
          expect(
            found.map((each) => each.text.includes(` in ${place} `)),
            `${setting} ${place}`,
          ).toEqual([true]);
          const isUntrusted = name.startsWith('./') && config.app.readsProject !== undefined;
          expect(found[0]?.isCertain).toBe(own.caution === undefined && !isUntrusted);
          expect(own.source).toMatch(/^https:/);
        }
  });

  it('say nothing with other values', async () => {
    const config = configOf(id);
    for (const own of config.switches!)
      for (const value of VALUES[own.setting]!.on) {
        for (const name of own.files) write(pathOf(config, name), own.setting, value);
        expect(await find(config, own), `${own.setting} ${JSON.stringify(value)}`).toEqual([]);
        for (const name of own.files) write(pathOf(config, name), 'x', 1);
      }
  });
});

describe('several files', () => {
  const inClaude = (name: string) => join(root, 'home', '.claude', name);
  const managed = (name: string) => join(root, 'etc', 'claude-code', name);
  const texts = async (id: string, stops: AppSwitch['stops'] = 'server') =>
    (await find(configOf(id), { stops })).map(({ text }) => text);

  it('allow what one of them allows, unless only those of an administrator count', async () => {
    write(inClaude('settings.json'), 'allowedMcpServers', [{ serverName: 'savepoint' }]);
    write(managed('managed-settings.json'), 'allowedMcpServers', [{ serverName: 'x' }]);
    expect(await texts('claude-code')).toEqual([]);
    write(managed('managed-settings.d/1.json'), 'allowManagedMcpServersOnly', true);
    expect(await texts('claude-code')).toEqual([
      `Claude Code does not start it, because allowedMcpServers in ${managed('managed-settings.json')}:3 keeps it from doing so.`,
    ]);
  });

  it('are overridden by later ones', async () => {
    write(inClaude('settings.json'), 'disableAllHooks', false);
    write(join(project, '.claude/settings.json'), 'disableAllHooks', true);
    expect(await texts('claude-code', 'hooks')).toEqual([
      `Claude Code runs no hooks in ${project}, because disableAllHooks in ${join(project, '.claude/settings.json')}:3 switches them off.`,
    ]);
    write(join(project, '.claude/settings.local.json'), 'disableAllHooks', false);
    expect(await texts('claude-code', 'hooks')).toEqual([]);
    write(managed('managed-settings.json'), 'disableAllHooks', true);
    expect(await texts('claude-code', 'hooks')).toHaveLength(1);
  });

  it('are read with a byte order mark, and without those that are damaged', async () => {
    mkdirSync(dirname(managed('x')), { recursive: true });
    writeFileSync(
      managed('managed-settings.json'),
      '\u{FEFF}{"deniedMcpServers":[{"serverName":"savepoint"}],}',
    );
    expect(await texts('claude-code')).toHaveLength(1);
    writeFileSync(
      managed('managed-settings.json'),
      '{"deniedMcpServers":[{"serverName":"savepoint"}]',
    );
    expect(await texts('claude-code')).toEqual([]);
  });

  it('of a project that was not asked for are reported as uncertain', async () => {
    const file = join(root, 'home', '.claude.json');
    mkdirSync(dirname(file), { recursive: true });
    const off = { disabledMcpServers: ['savepoint'] };
    writeFileSync(
      file,
      JSON.stringify({ projects: { '/a': off, [project]: off, '/b': {} } }, null, 1),
    );
    const found = await find(configOf('claude-code'), { stops: 'server' });
    expect(
      found.map(({ text, isCertain }) => [
        / in (\S+), because (\w+) /.exec(text)?.slice(1),
        isCertain,
      ]),
    ).toEqual([
      [['/a', 'disabledMcpServers'], false],
      [[project, 'disabledMcpServers'], true],
    ]);
  });

  it('of opencode can be in a folder or a text that a variable names', async () => {
    const text = '{"mcp":{"savepoint":{\n"enabled":false}}}';
    const inText = configOf('opencode', { OPENCODE_CONFIG_CONTENT: text });
    const found = async (config: ClientConfig) => {
      const all = await find(config, { stops: 'server' });
      return all.map((each) => / in (.*) keeps it/.exec(each.text)?.[1]);
    };
    expect(await found(inText)).toEqual(['$OPENCODE_CONFIG_CONTENT:2']);
    const folder = join(root, 'more');
    write(join(folder, 'opencode.jsonc'), 'mcp/NAME/enabled', false);
    expect(await found(configOf('opencode', { OPENCODE_CONFIG_DIR: folder }))).toEqual([
      `${join(folder, 'opencode.jsonc')}:5`,
    ]);
  });

  it('of a project that Codex does not trust are reported as uncertain', async () => {
    const config = configOf('codex');
    const inProject = join(project, '.codex/config.toml');
    write(inProject, 'mcp_servers/NAME/enabled', false);
    const found = async (levels: Readonly<Record<string, string>>) => {
      const projects = Object.entries(levels).map(([folder, level]) => [
        folder,
        { trust_level: level },
      ]);
      mkdirSync(dirname(config.file), { recursive: true });
      writeFileSync(config.file, stringify({ projects: Object.fromEntries(projects) as object }));
      return (await find(config, { stops: 'server' })).map(({ text, isCertain }) => [
        / Codex reads that file only in a project that you trust\.$/.test(text),
        isCertain,
      ]);
    };
    const parent = dirname(project);
    expect(await found({})).toEqual([[true, false]]);
    expect(await found({ [project]: 'untrusted', [parent]: 'trusted' })).toEqual([[true, false]]);
    expect(await found({ [project.slice(0, -1)]: 'trusted' })).toEqual([[true, false]]);
    expect(await found({ [parent]: 'untrusted', [project]: 'trusted' })).toEqual([[false, true]]);
    expect(await found({ [parent]: 'trusted' })).toEqual([[false, true]]);
  });

  it('leave the choice of a profile to the later one', async () => {
    const off = { mine: { enable_all_context_servers: false } };
    const file = join(root, 'xdg', 'zed', 'settings.json');
    write(file, 'agent', { default_profile: 'mine', profiles: off });
    expect(await texts('zed')).toEqual([
      `Zed offers none of its tools, because agent.profiles in ${file}:5 keeps it from doing so.`,
    ]);
    write(join(project, '.zed/settings.json'), 'agent/default_profile', 'other');
    expect(await find(configOf('zed'), { stops: 'server' })).toMatchObject([{ isCertain: true }]);
  });

  it('name a server of a project that hides the one of the user, with file and line', async () => {
    write(join(project, '.mcp.json'), 'mcpServers/NAME', { command: '/bin/false' });
    expect(await find(configOf('claude-code'), { stops: 'server' })).toEqual([
      {
        text: `Claude Code starts another server of that name in ${project}, which mcpServers.savepoint in ${join(project, '.mcp.json')}:4 declares.`,
        fix: 'rename or remove one of the two',
        isCertain: false,
        isUnlisted: true,
      },
    ]);
  });

  it.each([
    ['copilot', '.mcp.json', 'mcpServers'],
    ['copilot', '.github/mcp.json', 'mcpServers'],
    ['vscode', '.vscode/mcp.json', 'servers'],
  ])('name it for %s in %s', async (id, file, section) => {
    write(join(project, file), `${section}/NAME`, { command: 'npx', args: ['other'] });
    const [text = ''] = await texts(id);
    expect(text).toContain(
      `starts another server of that name in ${project}, which ${section}.savepoint in ${join(project, file)}:4 declares.`,
    );
  });

  it('find the switch in the entry itself, and a byte order mark that the app refuses', async () => {
    const desktop = configOf('claude-desktop');
    mkdirSync(dirname(desktop.file), { recursive: true });
    writeFileSync(desktop.file, '\u{FEFF}{"mcpServers":{"savepoint":{\n"disabled":true}}}');
    const fixes = (await find(desktop, { stops: 'server' })).map(({ fix }) => fix);
    expect(fixes[1]).toBe('change mcpServers.savepoint.disabled so that it allows this server');
    expect(await texts('claude-desktop')).toEqual([
      `Claude Desktop cannot read ${desktop.file}, because it begins with a byte order mark.`,
      `Claude Desktop does not start it, because mcpServers.savepoint.disabled in ${desktop.file}:2 keeps it from doing so.`,
    ]);
  });
});
