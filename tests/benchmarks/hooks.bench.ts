import { spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { installProgram } from '../../src/node/program/install-program.js';
import { inFolder, median, perForm, timeOf, type Figure } from './lib.js';
import { fillWithStates, node } from './vault.js';

export const question =
  'What do the start of a captured session and that of an MCP server cost, with 10,000 states, compared with an empty Node program?';
export const measures = ['src'];

const PROGRAM = path.resolve('main.js');
const STATES = perForm(10_000, 100);
const ROUNDS = perForm(25, 2);
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
};

export async function answer(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const [vault, state, project] = ['vault', 'state', 'project'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    for (const each of [path.join(vault, '.obsidian'), project])
      await fs.mkdir(each, { recursive: true });
    await fillWithStates(vault, path.join(folder, 'filling'), STATES);
    const program = await installProgram(node, state, {
      file: PROGRAM,
      version: '0.0.0',
    });
    const env = { ...process.env, SAVEPOINT_STATE: state };
    const run = (args: readonly string[], input: string) =>
      new Promise<string>((resolve) => {
        const child = spawn(process.execPath, args, {
          cwd: project,
          env,
          stdio: ['pipe', 'pipe', 'ignore'],
        });
        let output = '';
        child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
        child.once('close', () => resolve(output));
        child.stdin.end(input);
      });
    await run([program, 'link', '--workspace', 'Default', '--vault', vault, '--capture', 'on'], '');
    const start = (session: number) =>
      run(
        [program, 'hook', 'session-start', '--client', 'claude-code'],
        JSON.stringify({ session_id: `s${session}`, cwd: project, source: 'startup' }),
      );
    /** Returns the time from the start of the server to its answer. */
    const initialize = () =>
      new Promise<number>((resolve, reject) => {
        const started = performance.now();
        const server = spawn(process.execPath, [program, 'mcp', '--vault', vault], { env });
        let answered = 0;
        server.stdout.once('data', (piece: Buffer) => {
          answered = performance.now() - started;
          if (!piece.toString().includes('serverInfo')) reject(new Error('This is no answer'));
          server.stdin.end();
        });
        server.once('close', () => resolve(answered));
        server.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
      });
    if (!(await start(-1)).includes('additionalContext')) throw new Error('There is no brief');
    await initialize();
    // One after the other, because a session-start leaves a process that goes on in the background.
    const server = await compare(() => run(['-e', '0'], ''), initialize);
    const hook = await compare(
      () => run(['-e', '0'], ''),
      (round) => timeOf(() => start(round)),
    );
    return [
      { what: 'an empty program, median', value: server.empty, unit: ' ms' },
      { what: 'session-start, median', value: hook.ms, unit: ' ms' },
      {
        what: 'session-start, times an empty program',
        value: hook.ms / hook.empty,
        limit: 1.8,
      },
      {
        what: 'from the start to the answer of initialize, median',
        value: server.ms,
        unit: ' ms',
      },
      {
        what: 'initialize, times an empty program',
        value: server.ms / server.empty,
        limit: 1.8,
      },
    ];
  });
}

/**
 * Returns the medians of the times of an empty program and of the other one, which returns its own,
 * measured in turn.
 */
async function compare(
  empty: () => Promise<unknown>,
  other: (round: number) => Promise<number>,
): Promise<{ empty: number; ms: number }> {
  const times = { empty: [] as number[], other: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.empty.push(await timeOf(empty));
    times.other.push(await other(round));
  }
  return { empty: median(times.empty), ms: median(times.other) };
}
