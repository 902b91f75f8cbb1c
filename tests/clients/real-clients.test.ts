import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM, runProgram, type RunResult } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { createFolder } from '../node/folders.js';
import { isNightly } from '../tier.js';
import { installClient } from './install-client.js';
import { startModelServer, type ModelServer, type Step } from './model-server.js';
import { createHome, REAL_CLIENTS, runClient, type ClientHome } from './real-clients.js';

/**
 * Clients with the folder of their programs, or with the reason to skip them. They are installed
 * only for this test.
 */
const clients = REAL_CLIENTS.map((client) => ({
  ...client,
  ...(isNightly ? installClient(client.npmPackage) : { problem: 'not asked for' }),
}));
for (const client of isNightly ? clients : []) {
  if ('problem' in client) console.warn(`Skipped: ${client.problem}`);
  if (client.cannotResume) console.warn(`Skipped for ${client.id}: ${client.cannotResume}`);
}

const SETUP_TIMEOUT_MS = 30 * 60_000;

const WORKSPACE = 'Thesis';
const FIRST_STATE = 'Outline of chapter two';
const LINKED_STATE = 'First save of a linked project';
const SECOND_STATE = 'First draft of chapter two';
const save = (name: string, task: string): Step => ({
  tool: 'createState',
  args: stateNamed(name, { activeTask: task }),
});

describe.skipIf(process.platform === 'win32').each(clients)('$id $version', (client) => {
  const isSkipped = 'problem' in client;
  let server: ModelServer;
  let home: ClientHome;
  let connected: RunResult | undefined;

  beforeAll(async () => {
    if (isSkipped) return;
    server = await startModelServer();
    const folder = createFolder();
    home = createHome(folder, client, client.bin, server.url);
    const args = ['connect', client.id, '--vault', home.vault];
    if (!client.isConnectedByHand)
      connected = await runClient(process.execPath, [PROGRAM, ...args], home.project, home.env);
    client.configure?.(folder, server.url);
  }, SETUP_TIMEOUT_MS);

  afterAll(() => server?.close());

  /**
   * Runs the client with a script for its model. Returns the results of the tool calls of the whole
   * conversation.
   */
  async function runTurn(
    steps: readonly Step[],
    args: readonly string[],
    project = home.project,
  ): Promise<string[]> {
    server.script([...steps, { text: 'That is all.' }]);
    const run = await runClient(client.program, args, project, home.env);
    expect({ ...run, problems: server.problems }).toMatchObject({ code: 0, problems: [] });
    expect(run.stdout).toContain('That is all.');
    return [...(server.requests.at(-1)?.results ?? [])];
  }

  async function statesIn(workspace: string): Promise<string[]> {
    const args = ['call', 'listStates', '--vault', home.vault, '--workspace', workspace];
    const { stdout } = await runProgram([...args, '--json', '{}'], { env: home.env });
    const answer = JSON.parse(stdout) as { readonly data?: readonly { readonly name: string }[] };
    expect(answer).toMatchObject({ success: true });
    return answer.data?.map(({ name }) => name) ?? [];
  }

  it.skipIf(isSkipped || client.isConnectedByHand)(
    'is connected, and lists the server itself',
    () => {
      expect(connected).toMatchObject({ code: 0, stderr: '' });
      expect(connected?.stdout).toMatch(/ok {2}mcp list +\d+ ms/);
    },
  );

  it.skipIf(isSkipped)('saves a state', async () => {
    const workspace = {
      name: WORKSPACE,
      description: 'Two chapters',
      rootFolder: 'Thesis',
      purpose: 'Finish in spring',
    };
    await runTurn(
      [{ tool: 'createWorkspace', args: workspace }, save(FIRST_STATE, 'Sort the sources')],
      client.start('Save where we are.'),
    );
    expect(await statesIn(WORKSPACE)).toEqual([FIRST_STATE]);
  });

  it.skipIf(isSkipped)('loads the state by name in another folder', async () => {
    const results = await runTurn(
      [{ tool: 'loadState', args: { name: FIRST_STATE } }],
      client.start('Go on with chapter two.'),
      home.otherProject,
    );
    expect(results.at(-1)).toContain('Sort the sources');
    expect(results.at(-1)).toContain(WORKSPACE);
  });

  it.skipIf(isSkipped || client.cannotResume !== undefined)(
    'saves a continued conversation in the same workspace',
    async () => {
      const results = await runTurn([save(SECOND_STATE, 'Write')], client.resume('Save again.'));
      expect(results.at(-1)).toMatch(/success\W+true.*Thesis/s);
      expect((await statesIn(WORKSPACE)).sort()).toEqual([SECOND_STATE, FIRST_STATE]);
      expect(await statesIn('Default')).toEqual([]);
    },
  );

  it.skipIf(isSkipped)('saves its first state in the workspace of a linked project', async () => {
    const linked = createFolder();
    const args = ['link', '--workspace', WORKSPACE, '--vault', home.vault];
    const link = await runClient(process.execPath, [PROGRAM, ...args], linked, home.env);
    expect(link).toMatchObject({ code: 0, stderr: '' });
    await runTurn([save(LINKED_STATE, 'Link')], client.start('Save where we are.'), linked);
    expect(await statesIn(WORKSPACE)).toContain(LINKED_STATE);
  });

  const commands = client.resumeCommands(WORKSPACE, FIRST_STATE);
  it.skipIf(isSkipped).each(commands.map((args) => ({ args, line: args.join(' ') })))(
    'resumes with a command of several words: $line',
    async ({ args }) => {
      const load = { tool: 'loadState', args: { name: FIRST_STATE } };
      await runTurn(client.usesTemplate ? [load] : [], args, home.otherProject);
      const { text, results } = server.requests.at(-1) ?? { text: '', results: [] };
      expect(text).toContain(client.usesTemplate ? FIRST_STATE : 'Sort the sources');
      expect(results).toEqual(
        client.usesTemplate ? [expect.stringContaining('Sort the sources')] : [],
      );
    },
  );
});
