import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkWrittenEntry } from '../../../src/node/client-setup/connect.js';
import { planConnection } from '../../../src/node/client-setup/plan.js';
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
  for (const folder of [
    '.config/Claude',
    '.config/Code/User',
    '.cursor',
    '.codex',
    '.gemini',
    '.claude',
  ])
    mkdirSync(join(home, folder), { recursive: true });
  env = {
    PATH: process.env['PATH'],
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, '.config'),
    XDG_CONFIG_HOME: join(home, '.config'),
    LOCALAPPDATA: join(home, 'local'),
    SAVEPOINT_STATE: join(home, 'state'),
    XDG_RUNTIME_DIR: home,
  };
});

const FILES = {
  'claude-desktop': '.config/Claude/claude_desktop_config.json',
  'claude-code': '.claude.json',
  cursor: '.cursor/mcp.json',
  vscode: '.config/Code/User/mcp.json',
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
};
const fileOf = (client: keyof typeof FILES) => join(home, FILES[client]);
const run = (...args: string[]): Promise<RunResult> => runProgram(args, { env });
const connect = (...args: string[]) => run('connect', ...args, '--vault', vault);
const doctor = (...args: string[]) => run('doctor', ...args);

describe.skipIf(process.platform === 'darwin')('connect', () => {
  it('lists the installed clients and the changes, and writes nothing', async () => {
    writeFileSync(fileOf('gemini'), '{ oops }');
    const { code, stdout } = await connect();
    expect(code).toBe(0);
    for (const client of Object.keys(FILES)) expect(stdout).toContain(`\n  ${client} `);
    expect(stdout.match(/would add "savepoint"/g)).toHaveLength(5);
    expect(stdout).toContain('Gemini CLI cannot read its own file');
    expect(
      Object.keys(FILES).filter((client) => existsSync(fileOf(client as keyof typeof FILES))),
    ).toEqual(['gemini']);
  });

  testInFull(
    'connects, checks and disconnects every client, and restores every byte',
    async () => {
      const held: Record<keyof typeof FILES, string | undefined> = {
        'claude-desktop': '{\n  "mcpServers": {\n    "x": { "command": "y" }\n  }\n}',
        'claude-code': '{\n  "numStartups": 3,\n  "projects": { "/p": { "mcpServers": {} } }\n}\n',
        cursor: '{\r\n\t// mine\r\n\t"mcpServers": {}, // end\r\n}\r\n',
        vscode: '{\n  // inputs first\n  "inputs": [],\n  "servers": {}\n}\n',
        codex: '# mine\nmodel = "x" # y\n\n[mcp_servers.a]\ncommand = "b"\n',
        gemini: undefined,
      };
      const clients = Object.keys(FILES) as (keyof typeof FILES)[];
      for (const client of clients)
        if (held[client] !== undefined) writeFileSync(fileOf(client), held[client]);
      const connected = await connect(...clients);
      expect([connected.stderr, connected.code]).toEqual(['', 0]);
      expect(
        connected.stdout.match(/ok {2}tools\/call +\d+ ms {2}listWorkspaces: 1 listed/g),
      ).toHaveLength(6);
      expect(readdirSync(vault)).toEqual(['.obsidian']);
      const checked = await doctor();
      expect([checked.stdout.match(/ok {2}tools\/call/g)?.length, checked.code]).toEqual([6, 0]);
      expect((await connect('cursor')).stdout).toContain(
        `Cursor: "savepoint" in ${fileOf('cursor')} is already up to date`,
      );
      const taken = await connect(...clients, '--undo');
      expect([taken.stderr, taken.code]).toEqual(['', 0]);
      for (const client of clients)
        expect(existsSync(fileOf(client)) ? readFileSync(fileOf(client), 'utf8') : undefined).toBe(
          held[client],
        );
    },
    60_000,
  );

  itInFull('shows the changed lines, with secrets redacted', async () => {
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
    expect(stdout).toContain(
      '-     "x": { "env": { "API_KEY": "[secret]" } }\n  +     "x": { "env": { "API_KEY": "[secret]" } },\n  +     "savepoint": {',
    );
    expect(stdout).toMatch(/"--surface",\n.*"compact",\n.*"--read-only"\n/);
    expect(stdout).toContain('This was a dry run: nothing was written.');
    expect(readdirSync(join(home, '.config/Claude'))).toEqual(['claude_desktop_config.json']);
    expect(readFileSync(fileOf('claude-desktop'), 'utf8')).not.toContain('savepoint');
  });

  itInFull('uses the program that is installed in the vault', async () => {
    renameSync(join(vault, '.obsidian'), join(vault, '.settings'));
    writeFileSync(join(vault, '.settings/app.json'), '{}');
    await run('install', '--vault', vault);
    expect((await connect('cursor')).code).toBe(0);
    const { mcpServers } = JSON.parse(readFileSync(fileOf('cursor'), 'utf8')) as {
      mcpServers: { savepoint: { args: string[] } };
    };
    expect(mcpServers.savepoint.args[0]).toBe(join(vault, '.settings/plugins/savepoint/main.js'));
    expect(mcpServers.savepoint.args.slice(1)).toEqual(['mcp', '--vault', vault]);
  });

  itInFull('reports an entry that does not work, and the doctor says why', async () => {
    const plugin = join(vault, '.obsidian/plugins/savepoint');
    mkdirSync(plugin, { recursive: true });
    writeFileSync(join(plugin, 'main.js'), 'broken(');
    const { code, stdout } = await connect('cursor');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /NO {2}initialize +\d+ ms {2}It exited unexpectedly \(code 1\): SyntaxError: /,
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
        /^Codex CLI cannot read its own file .*\(line 1, column \d: .*\)\. Fix the file, then try again\. Nothing was done\.\n$/,
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
    [
      ['emacs', '--vault', '.'],
      2,
      'Unknown client "emacs". Valid: claude-desktop, claude-code, cursor, vscode, codex, gemini.',
    ],
    [['cursor'], 2, 'connect needs --vault DIR'],
  ] as const)('refuses %j', async (args, code, words) => {
    expect(await run('connect', ...args)).toMatchObject({
      code,
      stderr: expect.stringContaining(words) as string,
    });
  });

  it('refuses a client that is not installed', async () => {
    env['CODEX_HOME'] = join(home, 'none');
    expect(await connect('codex')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Codex CLI: not found on this machine.') as string,
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
  const plan = await planConnection(
    node,
    { client: 'cursor', file: fileOf('cursor'), markers: [] },
    options,
  );
  writeFileSync(fileOf('cursor'), '{}');
  const host = { platform: process.platform, env, home, execPath: process.execPath };
  await expect(checkWrittenEntry(node, host, plan, { version: '' })).rejects.toThrow(
    'another program has changed the file',
  );
});

itInFull('connect uses the running program if none is installed in the vault', async () => {
  if (process.platform === 'darwin')
    mkdirSync(join(home, 'Library/Application Support/Claude'), { recursive: true });
  await connect('cursor');
  expect(readFileSync(fileOf('cursor'), 'utf8')).toContain(JSON.stringify(PROGRAM));
});
