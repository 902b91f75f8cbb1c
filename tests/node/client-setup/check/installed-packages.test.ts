import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkPackages } from '../../../../src/node/client-setup/check/installed-packages.js';
import {
  findClientConfigs,
  type HostEnvironment,
} from '../../../../src/node/client-setup/clients.js';
import { createFolder, node } from '../../folders.js';

const ID = 'savepoint@savepoint';

let home: string;
let host: HostEnvironment;

beforeEach(() => {
  home = realpathSync(createFolder());
  host = { platform: 'linux', env: {}, home, execPath: process.execPath };
  for (const name of ['vault', 'other'])
    mkdirSync(join(home, name, '.obsidian'), { recursive: true });
});

function write(path: string, content: object | string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(home, path), text);
}

/** Writes what Claude Code writes when a user installs the plugin. */
function installInClaude(isEnabled: boolean, vault?: string): void {
  const options = vault === undefined ? {} : { vault };
  write('.claude/settings.json', {
    enabledPlugins: { 'other@somewhere': true, [ID]: isEnabled },
    pluginConfigs: { [ID]: { options } },
  });
  write('.claude/plugins/installed_plugins.json', {
    version: 2,
    plugins: { [ID]: [{ scope: 'user', version: '0.1.0' }] },
  });
}

function listVaults(...names: string[]): void {
  const paths = names.map((name) => [name, { path: join(home, name) }] as const);
  write('.config/obsidian/obsidian.json', { vaults: Object.fromEntries(paths) });
}

const check = async () =>
  checkPackages(
    { ...node, os: { ...node.os, homedir: () => home } },
    host,
    await findClientConfigs(node, host),
    join(home, 'state'),
  );

describe('checkPackages', () => {
  it('finds nothing where no package is installed or enabled', async () => {
    write('.codex/config.toml', `[plugins."${ID}"]\nenabled = false\n`);
    write('.gemini/settings.json', '{}');
    installInClaude(false);
    expect(await check()).toEqual([]);
  });

  it('reports the version and the vault of each package', async () => {
    installInClaude(true, join(home, 'vault'));
    write('.codex/config.toml', `[plugins."${ID}"]\nenabled = true\n`);
    write('.codex/plugins/cache/savepoint/savepoint/0.2.0/plugin.json', '{}');
    write('.gemini/extensions/savepoint/gemini-extension.json', { version: '0.3.0' });
    write('.gemini/extensions/savepoint/.env', `SAVEPOINT_VAULT="${join(home, 'vault')}"\n`);
    listVaults('other');
    expect(await check()).toMatchObject([
      { name: 'Claude Code', isOk: true, text: `version 0.1.0, for ${join(home, 'vault')}` },
      { name: 'Codex', isOk: true, text: `version 0.2.0, for ${join(home, 'other')}` },
      { name: 'Gemini CLI', isOk: true, text: `version 0.3.0, for ${join(home, 'vault')}` },
    ]);
  });

  it('says so if no vault is known, or if it is none', async () => {
    installInClaude(true);
    listVaults('vault', 'other');
    expect(await check()).toMatchObject([
      { isOk: false, text: expect.stringContaining('Obsidian lists several') as string },
    ]);
    installInClaude(true, join(home, 'gone'));
    expect(await check()).toMatchObject([
      { isOk: false, text: `version 0.1.0. There is no folder "${join(home, 'gone')}".` },
    ]);
    installInClaude(true, home);
    expect(await check()).toMatchObject([
      { isOk: false, text: expect.stringContaining('not an Obsidian vault') as string },
    ]);
  });

  it('survives files that are damaged', async () => {
    write('.claude/settings.json', '{ oops');
    write('.codex/config.toml', '= =');
    write('.gemini/extensions/savepoint/gemini-extension.json', '[]');
    expect(await check()).toEqual([]);
  });
});
