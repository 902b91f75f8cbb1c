import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCaptureSettingsFile } from '../../src/node/capture/capture-settings-file.js';
import { environmentVault } from '../../src/node/environment.js';
import { findKnownVault } from '../../src/node/known-vault.js';
import { createFolder, node } from './folders.js';

let home: string;
let project: string;

beforeEach(() => {
  home = realpathSync(createFolder());
  project = folder('project');
});

function folder(name: string): string {
  mkdirSync(join(home, name), { recursive: true });
  return join(home, name);
}

/** Writes Obsidian's list of vaults. */
function listVaults(...paths: string[]): void {
  const vaults = Object.fromEntries(paths.map((path, at) => [String(at), { path, ts: 1 }]));
  writeFileSync(join(folder('.config/obsidian'), 'obsidian.json'), JSON.stringify({ vaults }));
}

async function link(linked: string, vault: string): Promise<void> {
  await createCaptureSettingsFile(node, join(home, 'state')).update((settings) => ({
    ...settings,
    links: [
      ...settings.links,
      {
        project: linked,
        folder: linked,
        keys: [],
        vault,
        workspaceId: 'w',
        workspaceName: 'W',
        capture: 'all',
      },
    ],
  }));
}

const find = (env: NodeJS.ProcessEnv = {}, at = project) =>
  findKnownVault(
    { ...node, os: { ...node.os, homedir: () => home } },
    { env, platform: 'linux', stateFolder: join(home, 'state'), folder: at },
  );

describe('the vault for a client that names none', () => {
  it('is that of the environment, before linked and listed ones', async () => {
    listVaults(folder('other'));
    await link(project, folder('linked'));
    expect(await find({ SAVEPOINT_VAULT: '/v', CLAUDE_PLUGIN_OPTION_VAULT: '/w' })).toEqual({
      variable: 'SAVEPOINT_VAULT',
      vault: '/v',
    });
    expect(await find({ CLAUDE_PLUGIN_OPTION_VAULT: '/w' })).toEqual({
      variable: 'CLAUDE_PLUGIN_OPTION_VAULT',
      vault: '/w',
    });
  });

  it('is that of the link of the project', async () => {
    listVaults(folder('listed'));
    await link(project, folder('linked'));
    await link(folder('elsewhere'), folder('another'));
    expect(await find({ SAVEPOINT_VAULT: '${user_config.vault}' })).toEqual({
      vault: join(home, 'linked'),
    });
  });

  it('is that of all links if they have the same', async () => {
    listVaults(folder('one'), folder('two'));
    await link(folder('elsewhere'), folder('two'));
    expect(await find({}, folder('not linked'))).toEqual({ vault: join(home, 'two') });
    await link(folder('more'), folder('one'));
    expect(await find({}, folder('not linked'))).toHaveProperty('problem');
  });

  it('is the only one that exists in the list of Obsidian', async () => {
    listVaults(folder('one'), join(home, 'gone'));
    expect(await find()).toEqual({ vault: join(home, 'one') });
  });

  it('is none if Obsidian lists several, and the reason names them', async () => {
    listVaults(folder('one'), folder('two'));
    expect(await find()).toEqual({
      problem: `No vault is chosen, and Obsidian lists several: "${join(home, 'one')}", "${join(home, 'two')}". Set the vault in the settings of this app's plugin or extension, or set SAVEPOINT_VAULT to its folder, then restart the app.`,
    });
  });

  it.each(['', 'no JSON', '[]', '{"vaults":[1]}', '{"vaults":{"a":{"path":7}}}'])(
    'is none if the list of Obsidian is %j',
    async (text) => {
      listVaults();
      writeFileSync(join(home, '.config/obsidian/obsidian.json'), text);
      expect(await find()).toMatchObject({
        problem: expect.stringContaining('Obsidian lists none on this device') as string,
      });
    },
  );

  it('is none if Obsidian has never run', async () => {
    rmSync(join(home, '.config'), { recursive: true, force: true });
    expect(await find()).toHaveProperty('problem');
  });
});

describe('the vault of the environment', () => {
  it.each([
    [{ SAVEPOINT_VAULT: '' }, undefined],
    [{ SAVEPOINT_VAULT: '${user_config.vault}' }, undefined],
    [{ SAVEPOINT_VAULT: '${SAVEPOINT_VAULT}' }, undefined],
    [{ SAVEPOINT_VAULT: ' ', CLAUDE_PLUGIN_OPTION_VAULT: '/v' }, '/v'],
    [{ SAVEPOINT_VAULT: '/a$b/it\'s "mine"' }, '/a$b/it\'s "mine"'],
  ])('of %j is %s', (env, vault) => {
    expect((environmentVault(node, env) as { vault?: string } | undefined)?.vault).toBe(vault);
  });

  it.each([
    ['~/Vault', 'nothing has replaced "~" by a folder'],
    ['"/v"', 'the quotation marks are part of it'],
    ["'/v'", 'the quotation marks are part of it'],
    ['${HOME}', 'nothing has replaced "${HOME}" by a folder'],
    ['${HOME}/Vault', 'nothing has replaced "${HOME}" by a folder'],
    ['/home/${env:USER}/v', 'nothing has replaced "${env:USER}" by a folder'],
    ['$HOME/Vault', 'nothing has replaced "$HOME" by a folder'],
    ['%USERPROFILE%\\Vault', 'nothing has replaced "%USERPROFILE%" by a folder'],
    ['relative/vault', 'it is not absolute, and each app has its own folder'],
  ])('cannot be %s, and the reason names variable, value and fault', async (value, why) => {
    listVaults(folder('other'));
    expect(await find({ SAVEPOINT_VAULT: value, HOME: '/home/u' })).toEqual({
      variable: 'SAVEPOINT_VAULT',
      problem: `SAVEPOINT_VAULT is set to "${value}", which is no path of a vault: ${why}. Set it to the full path of the folder that contains your notes.`,
    });
  });
});
