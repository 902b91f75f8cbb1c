import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { onTestFinished } from 'vitest';
import type { ProgramHost } from '../../src/cli/program.js';
import { runCommand } from '../../src/cli/run-command.js';
import { node } from '../node/folders.js';
import { answerOf } from './answer-of.js';
import { PROGRAM, type Connection, type RunResult } from './program.js';

const { version } = JSON.parse(readFileSync('manifest.json', 'utf8')) as { version: string };

/** What a command in this process reads, and where it prints. */
interface Streams {
  readonly stdin: Readable;
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
}

/** Where a command works: its environment, and its working folder, by default that of the tests. */
interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly cwd?: string;
}

function runWith(
  args: readonly string[],
  { env, home, cwd }: Place,
  { stdin, stdout, stderr }: Streams,
): Promise<number> {
  const inFolder = { resolve: (...paths: string[]) => node.path.resolve(cwd ?? '', ...paths) };
  return runCommand(args, {
    version,
    args,
    file: PROGRAM,
    script: PROGRAM,
    node: {
      ...node,
      path: { ...node.path, ...inFolder },
      os: { ...node.os, homedir: () => home },
    },
    parseArgs,
    env,
    platform: process.platform,
    execPath: process.execPath,
    stdin: stdin as unknown as ProgramHost['stdin'],
    stdout: stdout as unknown as ProgramHost['stdout'],
    stderr: stderr as unknown as ProgramHost['stderr'],
    exit: () => undefined,
    onStop: () => undefined,
  });
}

/** Collects what is printed. */
function createOutput() {
  const stream = new PassThrough();
  const printed = stream.setEncoding('utf8').toArray() as Promise<string[]>;
  const end = async () => (stream.end(), (await printed).join(''));
  return { stream, end };
}

/**
 * Runs a command of the program in this process, and returns what it prints and its exit code. In
 * a terminal, `input` is typed.
 */
export async function runInProcess(
  home: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  input = '',
  isTTY = false,
): Promise<string> {
  const { stream, end } = createOutput();
  Object.assign(stream, { isTTY });
  const stdin = Object.assign(Readable.from(input === '' ? [] : [Buffer.from(input)]), { isTTY });
  const code = await runWith(args, { env, home }, { stdin, stdout: stream, stderr: stream });
  return `${await end()}exit ${code}`;
}

/** Runs a command in this process, with the result that `runProgram` has of a process. */
export async function commandInProcess(
  args: readonly string[],
  { env = process.env, ...at }: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<RunResult> {
  const [stdout, stderr] = [createOutput(), createOutput()];
  const streams = { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream };
  const code = await runWith(args, { env, home: env['HOME'] ?? '', ...at }, streams);
  return { code, stdout: await stdout.end(), stderr: await stderr.end() };
}

/** Serves MCP in this process, and connects a client as `connect` does with a process. */
export async function connectInProcess(vault: string, state: string): Promise<Connection> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const args = ['mcp', '--vault', vault, '--state', state];
  const streams = { stdin, stdout, stderr: new PassThrough().resume() };
  const ended = runWith(args, { env: process.env, home: process.env['HOME'] ?? '' }, streams);
  const client = new Client({ name: 'savepoint-tests', version: '1.0.0' });
  await client.connect(new PipeTransport(stdin, stdout, ended));
  onTestFinished(() => client.close());
  return {
    client,
    call: async (name, params = {}) => answerOf(await client.callTool({ name, arguments: params })),
  };
}

/** A transport over the streams of a server in this process: one message per line. */
class PipeTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(
    private readonly input: PassThrough,
    private readonly output: PassThrough,
    private readonly ended: Promise<number>,
  ) {}

  start(): Promise<void> {
    createInterface(this.output).on('line', (line) =>
      this.onmessage?.(JSON.parse(line) as JSONRPCMessage),
    );
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.input.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  /** Resolves when the server has stored everything and ended. */
  async close(): Promise<void> {
    this.input.end();
    await this.ended;
    this.onclose?.();
  }
}
