import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pasteLine } from '../../../src/cli/commands/mcp.js';
import { createScene, openLivePlugin } from '../../fakes/live-plugin.js';
import {
  connect,
  endOf,
  PROGRAM,
  startProgram,
  temporaryFolder,
  type Connection,
} from '../../fakes/program.js';
import { createFolders } from '../program-folders.js';
import { inFull } from '../../tier.js';

const testInFull = it.runIf(inFull('toolsets selected by option'));

describe('the optional toolsets', () => {
  const BY_SETTINGS = 'The toolset "storage" is disabled. The user can enable it in Obsidian';
  const byConnection = (toolsets: string) =>
    `The toolset "storage" is disabled for this connection. The user can enable it by starting Savepoint with --toolsets ${toolsets}.`;
  const listFiles = { calls: [{ agent: 'storageManager', tool: 'workspaceStorageList' }] };

  function choose(vault: string, toolsetSwitches: Record<string, boolean>): void {
    const folder = join(vault, '.obsidian/plugins/savepoint');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'data.json'), JSON.stringify({ toolsetSwitches }));
  }

  const listed = async ({ client }: Connection) =>
    (await client.listTools()).tools.map(({ name }) => name);

  testInFull('are listed by default on some surfaces, or as --toolsets selects', async () => {
    const { vault, state } = createFolders();
    const names = async (...args: string[]) => listed(await connect(vault, state, ...args));
    expect(await names()).not.toContain('workspaceStorageList');
    expect(await names('--toolsets', 'index,storage')).toContain('workspaceStorageList');
    expect(await names('--surface', 'actions')).toContain('storage');
    expect(await names('--surface', 'actions', '--toolsets', 'index')).toEqual([
      'workspace',
      'state',
      'memory',
      'search',
      'index',
    ]);
    choose(vault, { storage: true });
    expect(await names()).toContain('workspaceStorageList');
    choose(vault, { storage: false });
    expect(await names('--surface', 'actions')).not.toContain('storage');
    expect(await names('--toolsets', 'all')).not.toContain('workspaceStorageList');
  });

  testInFull('are refused on every surface if the connection does not have them', async () => {
    const { vault, state } = createFolders();
    const full = await connect(vault, state);
    expect(await full.call('workspaceStorageList')).toEqual({
      success: false,
      error: byConnection('storage'),
    });
    expect(await full.call('useTools', listFiles)).toEqual({
      success: false,
      error: byConnection('storage'),
    });
    const actions = await connect(vault, state, '--surface', 'actions', '--toolsets', 'index');
    expect(await actions.call('storage', { action: 'workspaceList' })).toEqual({
      success: false,
      error: byConnection('index,storage'),
    });
    const compact = await connect(vault, state, '--surface', 'compact', '--toolsets', 'none');
    expect(await compact.call('useTools', listFiles)).toEqual({
      success: false,
      error: byConnection('storage'),
    });
    expect(JSON.stringify(await compact.call('getTools'))).not.toContain('workspaceStorageList');
  });

  testInFull('are also refused by the plugin if the connection does not have them', async () => {
    const scene = createScene();
    const { calls } = await openLivePlugin(scene);
    const compact = await connect(
      scene.vault,
      scene.state,
      '--surface',
      'compact',
      '--toolsets',
      'index',
    );
    expect(await compact.call('useTools', listFiles)).toEqual({
      success: false,
      error: byConnection('index,storage'),
    });
    expect(calls).toHaveLength(1);
  });

  testInFull('follow the settings while the program serves', async () => {
    const { vault, state } = createFolders();
    const connection = await connect(vault, state, '--toolsets', 'all');
    expect(await connection.call('workspaceStorageList')).toMatchObject({ success: true });
    choose(vault, { storage: false });
    expect(await connection.call('workspaceStorageList')).toMatchObject({
      error: expect.stringContaining(BY_SETTINGS) as string,
    });
    expect(await connection.call('useTools', listFiles)).toMatchObject({
      error: expect.stringContaining(BY_SETTINGS) as string,
    });
    choose(vault, {});
    expect(await connection.call('workspaceStorageList')).toMatchObject({ success: true });
  });
});

it('answers a message over 10 MB with its own id, and goes on', async () => {
  const { vault, state } = createFolders();
  const child = startProgram(['mcp', '--vault', vault, '--state', state]);
  const params = { name: 'listStates', arguments: { filler: 'x'.repeat(11 * 1024 * 1024) } };
  const messages = [
    { method: 'tools/call', params, jsonrpc: '2.0', id: 'large' },
    { method: 'ping', jsonrpc: '2.0', id: 'small' },
  ];
  child.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  const { code, stdout } = await endOf(child);
  expect(code).toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { id: 'large', error: { message: expect.stringContaining('over 10 MB') as string } },
    { id: 'small', result: {} },
  ]);
});

describe('without --vault', () => {
  const start = async (home: string, env: Record<string, string>) => {
    const client = new Client({ name: 'savepoint-tests', version: '1.0.0' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', '--vault', ''],
      env: { HOME: home, XDG_RUNTIME_DIR: home, SAVEPOINT_STATE: join(home, 'state'), ...env },
      cwd: home,
      stderr: 'pipe',
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    return client;
  };
  const call = async (client: Client) =>
    (await client.callTool({ name: 'listWorkspaces', arguments: {} })).structuredContent;

  it('serves the vault of SAVEPOINT_VAULT', async () => {
    const { vault } = createFolders();
    const client = await start(temporaryFolder('home'), { SAVEPOINT_VAULT: vault });
    expect(await call(client)).toMatchObject({ success: true });
  });

  it('lists the tools and says in each answer how to choose a vault', async () => {
    const home = temporaryFolder('home');
    const client = await start(home, {});
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    expect(await call(client)).toMatchObject({
      success: false,
      error: expect.stringContaining('No vault is chosen, and Obsidian lists none') as string,
    });
    expect(existsSync(join(home, 'state', 'no vault'))).toBe(false);
  });
});

it('the line to paste names the address and, only if it is given, the token', () => {
  expect(pasteLine('http://127.0.0.1:4100/mcp')).toBe(
    'To connect Claude Code: claude mcp add --transport http savepoint http://127.0.0.1:4100/mcp --header "Authorization: Bearer TOKEN"\n',
  );
  expect(pasteLine('http://127.0.0.1:4100/mcp', 'abc')).toContain('Bearer abc"');
});

it.each([
  [['--session', 'conversation-1'], { 'anthropic/alwaysLoad': true }],
  [[], undefined],
])('asks clients not to hide its tools if the chat starts it: %j', async (args, meta) => {
  const { client } = await connect(temporaryFolder(), temporaryFolder('state'), ...args);
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(0);
  expect(tools.map(({ _meta }) => _meta)).toEqual(tools.map(() => meta));
});
