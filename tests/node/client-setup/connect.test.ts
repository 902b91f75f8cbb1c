import {
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConfigFormat } from '../../../src/apps/ai-app.js';
import { appsWith, idsWith } from '../../../src/apps/index.js';
import { configCandidates, type ClientConfig } from '../../../src/node/client-setup/clients.js';
import { checkWrittenEntry } from '../../../src/node/client-setup/connect.js';
import { planConnection } from '../../../src/node/client-setup/plan.js';
import { launcherSource } from '../../../src/node/install/launcher.js';
import { PROGRAM, runProgram, temporaryFolder, type RunResult } from '../../fakes/program.js';
import { node } from '../folders.js';
import { inFull } from '../../tier.js';

const testInFull = it.runIf(inFull('connecting every client'));

const itInFull = it.runIf(inFull('further cases of connect'));

let home: string;
let vault: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  home = temporaryFolder('home');
  vault = join(home, 'my "vault" 工作 100%');
  mkdirSync(join(vault, '.obsidian'), { recursive: true });
  env = {
    PATH: join(home, 'bin'), // without the clients of this machine
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, '.config'),
    XDG_CONFIG_HOME: join(home, '.config'),
    LOCALAPPDATA: join(home, 'local'),
    SAVEPOINT_STATE: join(home, 'state'),
    XDG_RUNTIME_DIR: home,
  };
  for (const client of CLIENTS) mkdirSync(placeOf(client).folder, { recursive: true });
  // Antigravity's CLI is installed, whose settings have no folder yet.
  rmSync(placeOf('antigravity').folder, { recursive: true });
  mkdirSync(join(home, '.gemini/antigravity-cli'));
});

const CLIENTS = idsWith('config');

/** Settings that clients may have, by format; undefined for no file. */
const HELD: Readonly<Record<ConfigFormat, readonly (string | undefined)[]>> = {
  json: [
    '{\n  "SECTION": {\n    "x": { "command": "y" }\n  }\n}',
    '{\n  "numStartups": 3,\n  "projects": { "/p": { "SECTION": {} } }\n}\n',
    undefined,
  ],
  jsonc: [
    '{\r\n\t// mine\r\n\t"SECTION": {}, // end\r\n}\r\n',
    '{\n  // inputs first\n  "inputs": [],\n  "SECTION": {}\n}\n',
    undefined,
    '{\n  "$schema": "https://opencode.ai/config.json", // checked\n  "SECTION": { /* none */ }\n}\n',
    '// Settings\n{\n  "vim_mode": true,\n  "SECTION": {\n    // mine\n    "x": { "command": "y", "args": [] },\n  },\n}\n',
    '',
    '{\n\t"SECTION": {}\n}\n',
  ],
  'json-comments': ['{\n  // mine\n  "SECTION": {\n    "x": { "command": "y" }\n  }\n}\n'],
  toml: ['# mine\nmodel = "x" # y\n\n[SECTION.a]\ncommand = "b"\n'],
};

/** Returns the file and the folder of a client; the first ones if it can have several. */
function placeOf(client: string): ClientConfig {
  const host = { platform: process.platform, env, home, execPath: process.execPath };
  return configCandidates(node.path, host, []).find(({ app }) => app.id === client)!;
}
const fileOf = (client: string) => placeOf(client).file;
const run = (...args: string[]): Promise<RunResult> => runProgram(args, { env });

/** Installs a program of a client, which prints a text and exits. */
function installClient(name: string, output: string, code = 0): void {
  mkdirSync(join(home, 'bin'), { recursive: true });
  const file = join(home, 'bin', name);
  writeFileSync(
    file,
    `#!${process.execPath}\nprocess.stdout.write(${JSON.stringify(output)}); process.exitCode = ${code};\n`,
  );
  chmodSync(file, 0o755);
}
const connect = (...args: string[]) => run('connect', ...args, '--vault', vault);
const doctor = (...args: string[]) => run('doctor', ...args);

describe.skipIf(process.platform === 'darwin')('connect', () => {
  it('lists the installed clients and the changes, and writes nothing', async () => {
    writeFileSync(fileOf('gemini'), '{ oops }');
    const { code, stdout } = await connect();
    expect(code).toBe(0);
    for (const client of CLIENTS) expect(stdout).toContain(`\n  ${client} `);
    expect(stdout.match(/would add "savepoint"/g)).toHaveLength(CLIENTS.length - 1);
    expect(stdout).toContain('Gemini CLI cannot read its own file');
    expect(CLIENTS.filter((client) => existsSync(fileOf(client)))).toEqual(['gemini']);
    expect(existsSync(join(home, 'state'))).toBe(false);
  });

  testInFull('connects, checks and disconnects every client, and restores every byte', async () => {
    const held = new Map<string, string | undefined>();
    for (const [format, texts] of Object.entries(HELD))
      appsWith('config')
        .filter(({ config }) => config.format === format)
        .forEach(({ id, config }, at) =>
          held.set(id, texts[at % texts.length]?.replaceAll('SECTION', config.section)),
        );
    for (const [client, text] of held) {
      if (text === undefined) continue;
      mkdirSync(dirname(fileOf(client)), { recursive: true });
      writeFileSync(fileOf(client), text);
    }
    const connected = await connect(...CLIENTS);
    expect([connected.stderr, connected.code]).toEqual(['', 0]);
    expect(
      connected.stdout.match(/ok {2}tools\/call +\d+ ms {2}listWorkspaces: 1 listed/g),
    ).toHaveLength(CLIENTS.length);
    expect(readdirSync(vault)).toEqual(['.obsidian']);
    const checked = await doctor();
    expect([checked.stdout.match(/ok {2}tools\/call/g)?.length, checked.code]).toEqual([
      CLIENTS.length,
      0,
    ]);
    expect((await connect('cursor')).stdout).toContain(
      `Cursor: "savepoint" in ${fileOf('cursor')} is already up to date`,
    );
    const taken = await connect(...CLIENTS, '--undo');
    expect([taken.stderr, taken.code]).toEqual(['', 0]);
    expect([...held.keys()].sort()).toEqual([...CLIENTS].sort());
    for (const [client, text] of held)
      expect(existsSync(fileOf(client)) ? readFileSync(fileOf(client), 'utf8') : undefined).toBe(
        text,
      );
  });

  itInFull('shows the lines of its entry, and nothing of others', async () => {
    writeFileSync(
      fileOf('claude-desktop'),
      '{\n  "mcpServers": {\n    "x": { "env": { "API_KEY": "0123456789" } }\n  }\n}\n',
    );
    const { stdout } = await connect(
      'claude-desktop',
      '--dry-run',
      '--surface',
      'compact',
      '--read-only',
    );
    expect(stdout).toContain(
      `Claude Desktop: "savepoint" in ${fileOf('claude-desktop')}: would add`,
    );
    expect(stdout).toContain('  + {\n  +   "mcpServers": {\n  +     "savepoint": {');
    expect(stdout).not.toContain('0123456789');
    expect(stdout).toMatch(
      /"--surface",\n.*"compact",\n.*"--state",\n.*state",\n.*"--read-only"\n/,
    );
    expect(stdout).toContain('This was a dry run: nothing was written.');
    expect(readdirSync(join(home, '.config/Claude'))).toEqual(['claude_desktop_config.json']);
    expect(readFileSync(fileOf('claude-desktop'), 'utf8')).not.toContain('savepoint');
  });

  itInFull('starts an installed copy of the program, not the one that ran', async () => {
    const { code, stdout } = await connect('cursor');
    expect(code).toBe(0);
    const launcher = join(home, 'state/program/savepoint.js');
    const text = readFileSync(fileOf('cursor'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      mcpServers: {
        savepoint: { args: [launcher, 'mcp', '--vault', vault, '--state', join(home, 'state')] },
      },
    });
    expect(`${text}${stdout}`).not.toContain(PROGRAM);
    expect((await connect('cursor', '--dry-run')).stdout).toContain('already up to date');
  });

  itInFull('reports an entry that does not work, and the doctor says why', async () => {
    const newer = join(home, 'state/program/999.0.0-01234567');
    mkdirSync(newer, { recursive: true });
    writeFileSync(join(newer, 'main.js'), '');
    writeFileSync(join(newer, 'command.js'), 'broken(');
    writeFileSync(join(newer, '../current'), '999.0.0-01234567');
    writeFileSync(join(newer, '../savepoint.js'), launcherSource());
    const { code, stdout } = await connect('cursor');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /NO {2}initialize +\d+ ms {2}It exited .* \(code 1\): Savepoint cannot start from .*: Unexpected end/,
    );
    expect(stdout).toContain('Cursor: the entry was written but does not work yet.\n');
    const checked = await doctor('--json');
    expect(checked.code).toBe(1);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      isOk: false,
      entries: [
        {
          client: 'cursor',
          name: 'savepoint',
          steps: [{}, {}, {}, { step: 'initialize', isOk: false }],
        },
      ],
    });
  });

  it('refuses a folder that is not a vault, unless --create allows it', async () => {
    rmSync(join(vault, '.obsidian'), { recursive: true });
    expect(await connect('cursor')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`is not an Obsidian vault: ${vault}.`) as string,
    });
    expect(existsSync(fileOf('cursor'))).toBe(false);
    const connected = await connect('cursor', '--create');
    expect([connected.stderr, connected.code]).toEqual(['', 0]);
    expect(readFileSync(fileOf('cursor'), 'utf8')).toContain('"--create"');
    expect(readdirSync(vault)).toEqual([]);
  });

  it('writes no file if one is malformed', async () => {
    writeFileSync(fileOf('codex'), '[a\n');
    const { code, stderr } = await connect('cursor', 'codex');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Codex cannot read its own file .*\(line 1, column \d: .*\)\. Fix the file, then try again\. Nothing was done\.\n$/,
      ),
    ]);
    expect(existsSync(fileOf('cursor'))).toBe(false);
    expect(readFileSync(fileOf('codex'), 'utf8')).toBe('[a\n');
  });

  itInFull('does not change a read-only file', async () => {
    writeFileSync(fileOf('cursor'), '{}');
    chmodSync(fileOf('cursor'), 0o444);
    expect(await connect('cursor')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is read-only') as string,
    });
    expect(readFileSync(fileOf('cursor'), 'utf8')).toBe('{}');
  });

  itInFull.each([
    [['cursor', '--vault', '/no/such/vault'], 1, 'There is no folder "/no/such/vault".'],
    [['emacs', '--vault', '.'], 2, `Unknown client "emacs". Valid: ${CLIENTS.join(', ')}.`],
    [['cursor'], 2, 'connect needs --vault DIR'],
  ] as const)('refuses %j', async (args, code, words) => {
    expect(await run('connect', ...args)).toMatchObject({
      code,
      stderr: expect.stringContaining(words) as string,
    });
  });

  testInFull(
    'asks the client last whether it lists the entry, and so does the doctor',
    async () => {
      installClient('opencode', `●  ✓ savepoint \u{1B}[90mconnected\n│      node main.js\n`);
      const { code, stdout } = await connect('opencode');
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining('opencode is connected.') as string,
      ]);
      expect(stdout).toMatch(
        /ok {2}mcp list +\d+ ms {2}"opencode mcp list" lists it as connected\n/,
      );
      installClient('opencode', '●  ✗ savepoint failed\n│      MCP error -32000\n');
      const checked = await doctor('--vault', vault);
      expect(checked.code).toBe(1);
      expect(checked.stdout).toMatch(
        /NO {2}mcp list +\d+ ms {2}"opencode mcp list" lists it as failed\.\n {6}Fix: run "opencode mcp list" in a shell to see more\.\n/,
      );
    },
  );

  it.each([
    ['zed', 'context_servers', { source: 'custom', enabled: false }],
    ['windsurf', 'mcpServers', { disabled: true }],
  ] as const)('reports an entry that is disabled in %s', async (client, section, more) => {
    const entry = { command: process.execPath, args: [PROGRAM, 'mcp', '--vault', vault], ...more };
    writeFileSync(fileOf(client), JSON.stringify({ [section]: { savepoint: entry } }));
    const { code, stdout } = await connect(client);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /NO {2}enabled +\d+ ms .* does not start it, because \w+\.savepoint\.(?:enabled|disabled) in .+\.json:1 /,
    );
    expect(JSON.parse(readFileSync(fileOf(client), 'utf8'))).toMatchObject({
      [section]: { savepoint: more },
    });
  });

  testInFull('says in which folders Gemini CLI starts the server', async () => {
    const { code, stdout } = await connect('gemini');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /ok {2}trust +\d+ ms {2}servers start only in trusted folders, and none/,
    );
  });

  it.each([
    ['file', '.gemini/settings.json'],
    ['folder', '.gemini'],
  ])('does not replace a %s that is a link to nothing', async (_, path) => {
    const link = join(home, path);
    rmSync(link, { recursive: true, force: true });
    symlinkSync(join(home, 'gone'), link);
    expect(await connect('gemini')).toEqual({
      code: 1,
      stdout: '',
      stderr: `Gemini CLI has its settings in ${fileOf('gemini')}, but ${link} is a link to something that does not exist. Restore what it points to, or remove the link, then try again. Nothing was done.\n`,
    });
    expect(existsSync(join(home, 'gone'))).toBe(false);
    expect((await doctor('--vault', vault)).stdout).toContain(`${link} is a link to something`);
  });

  it('keeps a file that is a link to another one', async () => {
    const target = join(home, 'dotfiles.json');
    writeFileSync(target, '{}\n');
    symlinkSync(target, fileOf('cursor'));
    expect((await connect('cursor')).code).toBe(0);
    expect(realpathSync(fileOf('cursor'))).toBe(realpathSync(target));
    expect(readFileSync(target, 'utf8')).toContain('savepoint');
  });

  it('refuses a client that is not installed', async () => {
    env['CODEX_HOME'] = join(home, 'none');
    expect(await connect('codex')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Codex: not found on this machine.') as string,
    });
  });

  itInFull('removes the entry of a deleted vault', async () => {
    await connect('cursor');
    const gone = vault;
    vault = join(home, 'moved');
    expect((await connect('cursor', '--undo')).stdout).toContain('Cursor: no entry for this vault');
    vault = gone;
    await run('doctor');
    expect((await connect('cursor', '--undo')).code).toBe(0);
    expect(existsSync(fileOf('cursor'))).toBe(false);
  });
});

itInFull('checkWrittenEntry fails if another program has removed the entry', async () => {
  const options = {
    vault,
    node: process.execPath,
    program: PROGRAM,
    surface: undefined,
    isReadOnly: false,
  };
  const plan = await planConnection(node, placeOf('cursor'), options);
  writeFileSync(fileOf('cursor'), '{}');
  const host = { platform: process.platform, env, home, execPath: process.execPath };
  await expect(checkWrittenEntry(node, host, plan, { version: '' })).rejects.toThrow(
    'another program has changed the file',
  );
});
