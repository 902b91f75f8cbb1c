import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { enabledText } from '../../src/cli/install-plugin.js';
import { PROGRAM, runProgram, temporaryFolder } from '../fakes/program.js';
import { inFull } from '../tier.js';

const testInFull = it.runIf(inFull('damaged lists of plugins'));

const itInFull = it.runIf(inFull('further cases of install'));

const { version } = JSON.parse(readFileSync(join(dirname(PROGRAM), 'manifest.json'), 'utf8')) as {
  version: string;
};
const NEXT =
  'Next: reload Obsidian, or turn the plugin on under Settings > Community plugins; restricted mode must be off.\n';

/** Creates a vault that was opened in the app once. */
function openedVault(
  config = '.obsidian',
  files: Record<string, string> = { 'app.json': '{}' },
): string {
  const vault = temporaryFolder('vault');
  addConfig(vault, config, files);
  return vault;
}

function addConfig(vault: string, config: string, files: Record<string, string>): void {
  mkdirSync(join(vault, config), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(vault, config, name), text);
}

const install = (vault: string, ...more: string[]) =>
  runProgram(['install', '--vault', vault, ...more]);
const read = (...parts: string[]) => readFileSync(join(...parts), 'utf8');

describe('install', () => {
  it('copies the plugin into the vault, enables it, and prints the next step', async () => {
    const vault = openedVault();
    expect(await install(vault)).toEqual({
      code: 0,
      stdout: `Installed Savepoint ${version} in .obsidian/plugins/savepoint.\nEnabled it in the vault's list of plugins.\n${NEXT}`,
      stderr: '',
    });
    const folder = join(vault, '.obsidian/plugins/savepoint');
    expect(readdirSync(folder).sort()).toEqual(['main.js', 'manifest.json', 'styles.css']);
    for (const name of readdirSync(folder))
      expect(read(folder, name)).toBe(read(dirname(PROGRAM), name));
    expect(read(vault, '.obsidian/community-plugins.json')).toBe('[\n  "savepoint"\n]');
    expect((await runProgram(['version'], { program: join(folder, 'main.js') })).stdout).toBe(
      `${version}\n`,
    );
  });

  it("changes nothing the second time, and keeps the plugin's settings", async () => {
    const vault = openedVault();
    await install(vault);
    const folder = join(vault, '.obsidian/plugins/savepoint');
    writeFileSync(join(folder, 'data.json'), '{"dataFolder":"Memory"}');
    const files = () =>
      readdirSync(folder).map((name) => [
        name,
        statSync(join(folder, name)).ino,
        statSync(join(folder, name)).mtimeMs,
      ]);
    const before = files();
    expect(await install(vault)).toEqual({
      code: 0,
      stdout: `Savepoint is already installed in .obsidian/plugins/savepoint, same version (${version}).\nIt was already enabled.\n`,
      stderr: '',
    });
    expect(files()).toEqual(before);
    writeFileSync(join(folder, 'manifest.json'), '{"id":"savepoint","version":"0.0.9"}');
    expect((await install(vault)).stdout).toContain(
      `Updated Savepoint in .obsidian/plugins/savepoint from 0.0.9 to ${version}.\n`,
    );
    expect(read(folder, 'data.json')).toBe('{"dataFolder":"Memory"}');
  });

  itInFull.each([
    [
      '{"id":"savepoint","version":"99.0.0"}',
      `Downgraded Savepoint in .obsidian/plugins/savepoint from 99.0.0 to ${version}.`,
    ],
    [
      `{"id":"savepoint","version":"${version}"}`,
      'but some files were missing or changed: reinstalled them.',
    ],
    [
      'not JSON',
      `Updated Savepoint in .obsidian/plugins/savepoint from an unknown version to ${version}.`,
    ],
  ])('describes the existing installation if its manifest is %s', async (manifest, text) => {
    const vault = openedVault();
    addConfig(vault, '.obsidian/plugins/savepoint', { 'manifest.json': manifest });
    expect((await install(vault)).stdout).toContain(text);
    expect(read(vault, '.obsidian/plugins/savepoint/manifest.json')).toBe(
      read(dirname(PROGRAM), 'manifest.json'),
    );
    expect((await install(vault)).stdout).toContain('already installed');
  });

  itInFull('leaves no partial and no temporary file if one cannot be written', async () => {
    const vault = openedVault();
    // a folder in the way
    mkdirSync(join(vault, '.obsidian/plugins/savepoint/main.js'), { recursive: true });
    const { code, stderr } = await install(vault);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Cannot read "\.obsidian\/plugins\/savepoint\/main\.js" in the vault: /,
    );
    expect(readdirSync(join(vault, '.obsidian/plugins/savepoint'))).toEqual(['main.js']);
    expect(existsSync(join(vault, '.obsidian/community-plugins.json'))).toBe(false);
  });

  it.skipIf(process.getuid?.() === 0)('reports missing permissions', async () => {
    const vault = openedVault();
    chmodSync(join(vault, '.obsidian'), 0o555);
    const { code, stderr } = await install(vault);
    chmodSync(join(vault, '.obsidian'), 0o755);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no permission') as string,
    });
  });

  itInFull('copies nothing if it runs from the vault, but enables the plugin', async () => {
    const vault = openedVault();
    mkdirSync(join(vault, '.obsidian/plugins'));
    symlinkSync(realpathSync(dirname(PROGRAM)), join(vault, '.obsidian/plugins/savepoint'));
    expect(await install(vault)).toEqual({
      code: 0,
      stdout: `This program is in .obsidian/plugins/savepoint itself: there is nothing to copy.\nEnabled it in the vault's list of plugins.\n${NEXT}`,
      stderr: '',
    });
    const other = openedVault();
    await install(other);
    const own = join(other, '.obsidian/plugins/savepoint/main.js');
    expect((await runProgram(['install', '--vault', other], { program: own })).stdout).toContain(
      'there is nothing to copy.',
    );
  });

  itInFull('asks for a complete release if a file is missing', async () => {
    const folder = temporaryFolder('program');
    copyFileSync(PROGRAM, join(folder, 'main.js'));
    const vault = openedVault();
    expect(
      await runProgram(['install', '--vault', vault], { program: join(folder, 'main.js') }),
    ).toEqual({
      code: 1,
      stdout: '',
      stderr:
        '"styles.css" is not in the folder of this program, or cannot be read. Install from a complete release. Nothing was done.\n',
    });
    expect(readdirSync(join(vault, '.obsidian'))).toEqual(['app.json']);
  });

  it('does not overwrite another plugin', async () => {
    const vault = openedVault();
    addConfig(vault, '.obsidian/plugins/savepoint', {
      'manifest.json': '{"id":"other","version":"1.0.0"}',
    });
    expect(await install(vault)).toMatchObject({
      code: 1,
      stderr:
        'Another plugin, "other", is in .obsidian/plugins/savepoint. Move it, then install again. Nothing was done.\n',
    });
  });
});

itInFull('install requires a vault', async () => {
  const { code, stderr } = await runProgram(['install']);
  expect(code).toBe(2);
  expect(
    stderr.startsWith('install needs --vault DIR, the folder that contains your notes.\n'),
  ).toBe(true);
});

describe('the settings folder of the vault', () => {
  testInFull('is found if it was renamed', async () => {
    const vault = openedVault('.settings');
    mkdirSync(join(vault, '.claude/plugins'), { recursive: true });
    expect((await install(vault)).stdout).toContain('in .settings/plugins/savepoint.');
  });

  itInFull('is the default one of several, and the others are named', async () => {
    const vault = openedVault();
    addConfig(vault, '.obsidian-phone', { 'community-plugins.json': '[]' });
    expect((await install(vault)).stdout).toContain(
      'The vault has other settings folders too (.obsidian-phone): use --config NAME to select one of them.',
    );
    expect((await install(vault, '--config', '.obsidian-phone')).stdout).toContain(
      'in .obsidian-phone/plugins/savepoint.',
    );
  });

  itInFull('must be given if there are several candidates', async () => {
    const vault = openedVault('.one');
    addConfig(vault, '.two', { 'app.json': '{}' });
    expect(await install(vault)).toMatchObject({
      code: 1,
      stderr: `The vault "${vault}" has several settings folders (.one, .two). Select one with --config NAME. Nothing was done.\n`,
    });
    expect(readdirSync(join(vault, '.one'))).toEqual(['app.json']);
  });

  itInFull('must be given if the vault was never opened, and is then created', async () => {
    const vault = temporaryFolder('vault');
    expect(await install(vault)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `"${vault}" contains no Obsidian settings, so it does not look like a vault. If it is one that was never opened, ` +
        'open it once in Obsidian, or pass --config .obsidian. Nothing was done.\n',
    });
    expect(readdirSync(vault)).toEqual([]);
    expect((await install(vault, '--config', '.obsidian')).stdout).toContain(
      'in .obsidian/plugins/savepoint.',
    );
  });

  itInFull.each(['notes', '..', '.', '../x', '.a/b', '', '.a\\b'])('cannot be %j', async (name) => {
    const vault = openedVault();
    expect(await install(vault, '--config', name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it must be one name that starts with a dot') as string,
    });
    expect(readdirSync(join(vault, '.obsidian'))).toEqual(['app.json']);
  });

  itInFull('must be in an existing vault', async () => {
    const vault = openedVault();
    writeFileSync(join(vault, 'note.md'), '');
    expect(await install(join(vault, 'none'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no folder') as string,
    });
    expect(await install(join(vault, 'note.md'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is a file.') as string,
    });
  });
});

describe('the list of enabled plugins', () => {
  itInFull.each([
    [undefined, '[\n  "savepoint"\n]'],
    ['', '[\n  "savepoint"\n]'],
    ['[]', '[\n  "savepoint"\n]'],
    ['["a"]', '["a","savepoint"]'],
    ['["a", "b"]\n', '["a", "b", "savepoint"]\n'],
    ['[\n  "b",\n  "a"\n]', '[\n  "b",\n  "a",\n  "savepoint"\n]'],
    ['\u{FEFF}[\r\n\t"a]"\r\n]\r\n', '\u{FEFF}[\r\n\t"a]",\r\n\t"savepoint"\r\n]\r\n'],
    ['["x\\"]"]', '["x\\"]","savepoint"]'],
  ])('%j becomes %j', (text, after) => {
    expect(enabledText(text, 'list')).toBe(after);
    expect(enabledText(after, 'list')).toBeUndefined();
  });

  testInFull.each(['{}', 'null', '[1]', '["a",]', '["a"'])(
    'is not changed if it is %s',
    async (text) => {
      const vault = openedVault('.obsidian', { 'community-plugins.json': text });
      expect(await install(vault)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^\.obsidian\/community-plugins\.json is not a list of plugins, .* Nothing was done\.\n$/,
        ) as string,
      });
      expect(readdirSync(join(vault, '.obsidian'))).toEqual(['community-plugins.json']);
    },
  );
});
