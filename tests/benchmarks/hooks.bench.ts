import { spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { encodeRecallSteps } from '../../src/brief/recall/recall-index.js';
import type { RecallSource } from '../../src/brief/recall/sources.js';
import { runToEnd } from '../../src/platform/run-sliced.js';
import { installProgram } from '../../src/node/install/install-program.js';
import { inFolder, median, perForm, timeOf, type Figure } from './lib.js';
import { fillWithStates, node } from './vault.js';

export const question =
  'What do the start of a captured session, its hooks and the start of an MCP server cost, with 10,000 states and 2,000 sessions, compared with an empty Node program?';
export const measures = ['src'];

const PROGRAM = path.resolve('main.js');
const STATES = perForm(10_000, 100);
const SESSIONS = perForm(2000, 20);
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
    const link = ['link', '--workspace', 'Default', '--vault', vault];
    await run([program, ...link, '--capture', 'on', '--tell', 'all'], '');
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
    const file = await recallFile(state);
    const [stamp] = (await fs.readFile(file, 'utf8')).split('\n');
    const index = runToEnd(encodeRecallSteps(largeMemory(), () => 1));
    await fs.writeFile(file, `${stamp}\n${index}`);
    let told = '';
    const tell = (moment: string, input: object) => async (round: number) => {
      const json = JSON.stringify({ session_id: `t${round}`, cwd: project, ...input });
      return timeOf(async () => {
        told = await run([program, 'hook', moment, '--client', 'claude-code'], json);
      });
    };
    const empty = () => run(['-e', '0'], '');
    const fitting = await compare(empty, tell('prompt', { prompt: passage(3) }));
    if (!told.includes('additionalContext')) throw new Error('Nothing is told');
    const params = { tool_input: { file_path: path.join(project, 'unknown.ts') } };
    const silent = await compare(empty, tell('tool', params));
    if (told !== '') throw new Error('Something is told of an unknown file');
    return [
      {
        what: 'a prompt that is told something, 95th percentile, times an empty program',
        value: fitting.p95 / fitting.emptyP95,
        limit: 2,
      },
      {
        what: 'a file of which nothing is known, 95th percentile, times an empty program',
        value: silent.p95 / silent.emptyP95,
        limit: 1.6,
      },
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

/** Returns the path of the index that hooks read; the process in the background writes it. */
async function recallFile(state: string): Promise<string> {
  for (;;) {
    const names = await fs.readdir(state, { recursive: true });
    const name = names.find((each) => each.endsWith('.recall'));
    if (name !== undefined) return path.join(state, name);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A text whose words come from a vocabulary of 5,000, common ones more often. */
function passage(number: number): string {
  const words = Array.from({ length: 30 }, (_, at) => {
    const random = ((number * 7919 + at * 104_729) % 10_007) / 10_007;
    return `word${Math.floor(5000 * random ** 3)}`;
  });
  return words.join(' ');
}

function largeMemory(): RecallSource[] {
  const facts = { at: '2026-11-28T00:00:00Z', origin: 'Codex', failed: [] };
  const states = Array.from({ length: STATES }, (_, at): RecallSource => {
    const passages = [{ kind: 'decision', text: passage(at) } as const];
    return { ...facts, id: `state${at}`, passages, files: [`project:src/file${at % 500}.ts`] };
  });
  const sessions = Array.from({ length: SESSIONS }, (_, at): RecallSource => {
    const texts = Array.from({ length: 12 }, (_, part) => passage(STATES + at * 12 + part));
    const passages = texts.map((text) => ({ kind: 'said', text }) as const);
    return { ...facts, id: `session${at}`, passages, files: [`project:src/file${at % 500}.ts`] };
  });
  return [...states.slice(0, STATES / 2), ...sessions, ...states.slice(STATES / 2)];
}

/**
 * Measures the times of an empty program and of the other one, which returns its own, in turn:
 * their medians and 95th percentiles.
 */
async function compare(
  empty: () => Promise<unknown>,
  other: (round: number) => Promise<number>,
): Promise<{ empty: number; ms: number; emptyP95: number; p95: number }> {
  const times = { empty: [] as number[], other: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.empty.push(await timeOf(empty));
    times.other.push(await other(round));
  }
  const p95 = (values: number[]) =>
    [...values].sort((a, b) => a - b)[Math.floor(0.95 * (values.length - 1))] ?? NaN;
  return {
    empty: median(times.empty),
    ms: median(times.other),
    emptyP95: p95(times.empty),
    p95: p95(times.other),
  };
}
