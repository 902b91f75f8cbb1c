import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM, type RunResult } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { createFolder } from '../node/folders.js';
import { isNightly } from '../tier.js';
import { installClient } from './install-client.js';
import { startModelServer, type ModelServer } from './model-server.js';
import { createHome, REAL_CLIENTS, runClient, type ClientHome } from './real-clients.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/make-packages.mjs', import.meta.url));
const SETUP_TIMEOUT_MS = 30 * 60_000;
const STATE = 'Outline of chapter two';
const SKILLS = ['save-point', 'resume', 'decide'];

type Run = (...args: string[]) => Promise<RunResult>;

/** How a client installs its package and shows what is in it. */
interface PackagedClient {
  readonly id: 'claude-code' | 'codex' | 'gemini';
  /** Commands that install the package from a folder. */
  readonly install: (folder: string, vault: string) => readonly (readonly string[])[];
  /** The client's own check of the package, and a sentence of its answer; absent if it has none. */
  readonly validate?: (folder: string) => {
    readonly args: readonly string[];
    readonly answer: RegExp;
  };
  /** Commands whose output, together, names the server and, if the client lists them, the skills and hooks. */
  readonly show: readonly (readonly string[])[];
  readonly shown: readonly RegExp[];
  /** Arguments that allow hooks which nobody has looked at. */
  readonly trust: readonly string[];
  readonly folder: string;
}

const PACKAGED: readonly PackagedClient[] = [
  {
    id: 'claude-code',
    folder: 'claude-code',
    validate: (folder) => ({
      args: ['plugin', 'validate', '--strict', join(folder, 'savepoint')],
      answer: /Validation passed/,
    }),
    install: (folder, vault) => [
      ['plugin', 'marketplace', 'add', folder],
      ['plugin', 'install', 'savepoint@savepoint', '--config', `vault=${vault}`],
    ],
    show: [
      ['plugin', 'details', 'savepoint@savepoint'],
      ['mcp', 'list'],
    ],
    shown: [
      /plugin:savepoint:savepoint: .* - .*Connected/,
      /Hooks \(4\) +SessionStart, Stop, PreCompact, SessionEnd/,
      ...SKILLS.map((name) => new RegExp(`Skills \\(3\\).*${name}`)),
    ],
    trust: [],
  },
  {
    id: 'codex',
    folder: 'codex',
    install: (folder) => [
      ['plugin', 'marketplace', 'add', folder],
      ['plugin', 'add', 'savepoint@savepoint'],
    ],
    show: [
      ['plugin', 'list'],
      ['mcp', 'list', '--json'],
    ],
    shown: [/savepoint@savepoint +installed, enabled/, /"name": "savepoint",\s+"enabled": true/],
    trust: ['--dangerously-bypass-hook-trust'],
  },
  {
    id: 'gemini',
    folder: 'gemini',
    validate: (folder) => ({
      args: ['extensions', 'validate', folder],
      answer: /has been successfully validated/,
    }),
    install: (folder) => [['extensions', 'install', folder, '--consent', '--skip-settings']],
    show: [
      ['extensions', 'list'],
      ['mcp', 'list'],
    ],
    shown: [
      /savepoint \(from savepoint\): .* - Connected/,
      ...SKILLS.map((name) => new RegExp(`^ +${name}: `, 'm')),
    ],
    trust: [],
  },
];

/** Clients with the folder of their programs, or with the reason to skip them. */
const clients = PACKAGED.map((packaged) => {
  const client = REAL_CLIENTS.find(({ id }) => id === packaged.id);
  if (!client) throw new Error(`${packaged.id} is not among the real clients.`);
  const installed = isNightly
    ? installClient(client.npmPackage, client.version)
    : { problem: 'not asked for' };
  if (isNightly && 'problem' in installed) console.warn(`Skipped: ${installed.problem}`);
  return { ...client, ...packaged, ...installed };
});

describe.skipIf(process.platform === 'win32').each(clients)(
  'the package for $id $version',
  (client) => {
    const isSkipped = 'problem' in client;
    let server: ModelServer;
    let home: ClientHome;
    let packages: string;
    let run: Run;
    const results: RunResult[] = [];

    /** Runs this program in the project. */
    const savepoint: Run = (...args) =>
      runClient(process.execPath, [PROGRAM, ...args], home.project, home.env);

    beforeAll(async () => {
      if (isSkipped) return;
      server = await startModelServer();
      const folder = createFolder();
      packages = join(folder, 'packages');
      home = createHome(folder, client, client.bin, server.url);
      run = (...args) => runClient(client.program, args, home.project, home.env);
      await runClient(process.execPath, [SCRIPT, '--out', packages], folder, process.env);
      // The only vault that Obsidian lists is the one that the package uses.
      mkdirSync(join(folder, '.config/obsidian'), { recursive: true });
      const vaults = { only: { path: home.vault, ts: 1 } };
      writeFileSync(join(folder, '.config/obsidian/obsidian.json'), JSON.stringify({ vaults }));
      const state = { ...stateNamed(STATE, { activeTask: 'Sort the sources' }) };
      for (const args of [
        ['call', 'createState', '--vault', home.vault, '--json', JSON.stringify(state)],
        ['link', '--workspace', 'Default', '--vault', home.vault, '--capture', 'on'],
      ])
        results.push(await savepoint(...args));
      for (const args of client.install(join(packages, client.folder), home.vault))
        results.push(await run(...args));
      const settings = join(folder, client.marker, 'settings.json');
      if (client.id === 'gemini' && !existsSync(settings)) writeFileSync(settings, '{}');
      client.configure?.(folder, server.url);
    }, SETUP_TIMEOUT_MS);

    afterAll(() => server?.close());

    it.skipIf(isSkipped || !client.validate)("passes the vendor's own validator", async () => {
      const { args = [], answer } = client.validate?.(join(packages, client.folder)) ?? {};
      const { code, stdout, stderr } = await run(...args);
      expect({ code, stderr, stdout }).toMatchObject({ code: 0 });
      expect(stdout + stderr).toMatch(answer ?? '');
    });

    it.skipIf(isSkipped)('is installed, and the client lists what is in it', async () => {
      expect(results.filter(({ code }) => code !== 0)).toEqual([]);
      let output = '';
      for (const args of client.show) {
        const { stdout, stderr } = await run(...args);
        output += stdout + stderr;
      }
      for (const pattern of client.shown) expect(output).toMatch(pattern);
    });

    it.skipIf(isSkipped)('gives a session the brief and the tools', async () => {
      server.script([{ tool: 'listStates', args: {} }, { text: 'That is all.' }]);
      const [first = '', ...rest] = client.start('Go on.');
      const { code, stdout, stderr } = await run(first, ...client.trust, ...rest);
      expect({ code, stdout, stderr, problems: server.problems }).toMatchObject({
        code: 0,
        problems: [],
      });
      const [request] = server.requests;
      expect(request?.text).toContain('Sort the sources');
      expect(server.requests.at(-1)?.results.at(-1)).toContain(STATE);
      for (const tool of ['createState', 'createRecord'])
        expect(server.requests.at(-1)?.tools.some((name) => name.endsWith(tool))).toBe(true);
    });

    it.skipIf(isSkipped)('records the session of the linked project', () => {
      const sessions = join(String(home.env['SAVEPOINT_STATE']), 'capture/sessions');
      const files = readdirSync(sessions, { recursive: true, encoding: 'utf8' });
      expect(files.filter((name) => name.endsWith('.json'))).toHaveLength(1);
    });
  },
);
