import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { endOf, PROGRAM, temporaryFolder } from './fakes/program.js';
import { createFolder } from './node/folders.js';
import { folders } from '../scripts/architecture.mjs';
import { inFull } from './tier.js';

const isFull = inFull('installing the packed program');
const itInFull = it.runIf(isFull);

const root = fileURLToPath(new URL('..', import.meta.url));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

interface Packed {
  readonly filename: string;
}

/** Packs the existing main.js, since it skips the build hook. */
function pack(...args: string[]): Packed {
  const told = execFileSync(npm, ['pack', '--json', '--ignore-scripts', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  return (JSON.parse(told) as Packed[])[0] as Packed;
}

/** What the packed file contains. */
const FILES = [
  'LICENSE',
  'README.md',
  'bin/savepoint.cjs',
  'main.js',
  'manifest.json',
  'package.json',
  'styles.css',
];

describe('the packed file, with an empty cache and without a registry', () => {
  const folder = createFolder();
  const bin = join(folder, 'global', process.platform === 'win32' ? '' : 'bin');
  const env = {
    ...process.env,
    HOME: join(folder, 'home'),
    PATH: [bin, process.env['PATH']].join(delimiter),
    npm_config_cache: join(folder, 'cache'),
    npm_config_prefix: join(folder, 'global'),
    // nothing listens there
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_update_notifier: 'false',
  };
  let file: string;

  beforeAll(() => {
    if (!isFull) return;
    mkdirSync(join(env.HOME, '.config/Claude'), { recursive: true });
    file = join(folder, pack('--pack-destination', folder).filename);
    execFileSync(npm, ['install', '-g', file], { env, shell: process.platform === 'win32' });
  });

  /** Runs the installed command until it exits. */
  const run = (...args: string[]) =>
    endOf(spawn(join(bin, 'savepoint'), args, { env, cwd: folder, stdio: 'pipe' }));

  itInFull('installs nothing else', () => {
    const modules = join(bin, '../lib/node_modules');
    expect(readdirSync(modules, { recursive: true }).sort()).toEqual(
      ['savepoint', 'savepoint/bin', ...FILES.map((path) => `savepoint/${path}`)].sort(),
    );
  });

  itInFull('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')) as {
      version: string;
    };
    expect(await run('version')).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  itInFull('installs the plugin, and connects an app that then lists the tools', async () => {
    const vault = join(folder, 'My vault');
    mkdirSync(join(vault, '.obsidian'), { recursive: true });
    expect(await run('install', '--vault', vault)).toMatchObject({ code: 0 });
    expect(readdirSync(join(vault, '.obsidian/plugins/savepoint')).sort()).toEqual([
      'main.js',
      'manifest.json',
      'styles.css',
    ]);
    const connected = await run('connect', 'claude-desktop', '--vault', vault);
    expect(connected).toMatchObject({ code: 0 });
    expect(connected.stdout).toMatch(/^ *ok {2}tools\/call .* listWorkspaces: 1 listed$/m);
    expect(connected.stdout).toContain('To use Savepoint in a shell (it is in');
  });

  itInFull('answers over MCP when npx starts it', async () => {
    const vault = join(folder, 'Second vault');
    mkdirSync(join(vault, '.obsidian'), { recursive: true });
    const transport = new StdioClientTransport({
      command: process.platform === 'win32' ? 'npx.cmd' : 'npx',
      args: [
        '-y',
        `./${basename(file)}`,
        'mcp',
        '--vault',
        vault,
        '--state',
        join(folder, 'state'),
      ],
      env,
      cwd: folder,
      stderr: 'ignore',
    });
    const client = new Client({ name: 'package-test', version: '1.0.0' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('createState');
  });
});

it('the program serves MCP requests without code generation from strings', async () => {
  const child = spawn(
    process.execPath,
    [
      '--disallow-code-generation-from-strings',
      PROGRAM,
      'mcp',
      '--vault',
      temporaryFolder(),
      '--state',
      temporaryFolder('state'),
    ],
    { stdio: 'pipe' },
  );
  const clientInfo = { name: 'package-test', version: '1.0.0' };
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'listStates', arguments: {} } },
  ];
  child.stdin.write(
    messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
  );
  const answers: unknown[] = [];
  for await (const line of createInterface(child.stdout)) {
    if (answers.push(JSON.parse(line)) === 3) child.stdin.end();
  }
  expect(answers).toMatchObject([
    { id: 1, result: { serverInfo: { name: 'savepoint' } } },
    {
      id: 2,
      result: {
        tools: expect.arrayContaining([
          expect.objectContaining({ name: 'createState' }),
        ]) as unknown,
      },
    },
    { id: 3, result: { structuredContent: { success: true } } },
  ]);
});

it('the npm package cannot be published by mistake', () => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toMatchObject({
    private: true,
  });
});

it('main.js names the licence of each dependency', () => {
  const notices = readFileSync(PROGRAM, 'utf8').split('Third-party notices')[1] ?? '';
  const names = folders.flatMap(({ packages }) => packages).filter((name) => name !== 'obsidian');
  expect(names).toContain('zod');
  for (const name of names)
    expect(notices).toMatch(
      new RegExp(
        `^${name.replace('*', '[\\w-]+')} \\d+\\.\\d+\\.\\d+\\S*, (?:MIT|Apache-2\\.0|ISC|BSD-3-Clause|SEE LICENSE \\S.*) licence$`,
        'm',
      ),
    );
});
