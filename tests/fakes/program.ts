import { shellQuoted } from '../../src/node/shell-quoted.js';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn, type ChildProcessWithoutNullStreams, type SpawnOptions } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Answer } from '../../src/toolkit/answer.js';
import { answerOf } from './answer-of.js';

export const PROGRAM = fileURLToPath(new URL('../../main.js', import.meta.url));
/** How messages tell a person to start it. */
export const TYPED_PROGRAM = `node ${shellQuoted(PROGRAM)}`;

/** Preloaded into a process whose clock is to differ. */
export const CLOCK = fileURLToPath(new URL('shifted-clock.cjs', import.meta.url));

/** What Node needs to run the program from compiled code. */
const COMPILED = ['--require', fileURLToPath(new URL('compiled.cjs', import.meta.url))];

/** The arguments of Node that run the program with arguments of its own. */
export const nodeArgs = (...args: readonly string[]) => [...COMPILED, PROGRAM, ...args];

/**
 * Creates a folder that is deleted after the test: without a name, a vault with an empty
 * `.obsidian`.
 */
export function temporaryFolder(name?: string): string {
  const folder = mkdtempSync(join(tmpdir(), `savepoint-${name ?? 'vault'}-`));
  // A program that works in the background may still be writing there.
  onTestFinished(() =>
    rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  );
  if (name === undefined) mkdirSync(join(folder, '.obsidian'));
  return folder;
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface ProgramOptions extends SpawnOptions {
  /** Path of another copy of the program. */
  readonly program?: string;
}

/** Runs the program until it exits. */
export function runProgram(
  args: readonly string[],
  options: ProgramOptions & { input?: string } = {},
): Promise<RunResult> {
  const child = startProgram(args, options);
  child.stdin.end(options.input ?? '');
  return endOf(child);
}

/** Starts the program, and kills it after the test if it is still running. */
export function startProgram(
  args: readonly string[],
  { program = PROGRAM, ...options }: ProgramOptions = {},
): ChildProcessWithoutNullStreams {
  const all = program === PROGRAM ? nodeArgs(...args) : [program, ...args];
  const child = spawn(process.execPath, all, { ...options, stdio: 'pipe' });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await endOf(child);
  });
  return child;
}

export function endOf(child: ChildProcessWithoutNullStreams): Promise<RunResult> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve({ code: child.exitCode, stdout, stderr });
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

export interface Connection {
  readonly client: Client;
  readonly call: (tool: string, params?: Record<string, unknown>) => Promise<Answer>;
}

/** Starts the program as an MCP server, and connects a client of the current SDK. */
export function connect(vault: string, state: string, ...args: string[]): Promise<Connection> {
  return connectIn({}, vault, state, ...args);
}

/** Does so with a process whose clock and timers run faster. */
export function connectFast(speed: number, vault: string, state: string): Promise<Connection> {
  const env = {
    NODE_OPTIONS: `--require ${JSON.stringify(CLOCK)}`,
    SAVEPOINT_TEST_CLOCK_SPEED: `${speed}`,
  };
  return connectIn(env, vault, state);
}

async function connectIn(
  env: Record<string, string>,
  vault: string,
  state: string,
  ...args: string[]
): Promise<Connection> {
  const client = new Client({ name: 'savepoint-tests', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: nodeArgs('mcp', '--vault', vault, '--state', state, ...args),
      env,
      stderr: 'inherit',
    }),
  );
  onTestFinished(() => client.close());
  return {
    client,
    call: async (name, params = {}) => answerOf(await client.callTool({ name, arguments: params })),
  };
}

/** Starts the program as an MCP server over HTTP. Returns its address and a token. */
export function startHttp(vault: string, state: string, ...args: string[]): Promise<HttpServer> {
  return servedBy(startProgram(['mcp', '--vault', vault, '--state', state, '--http', ...args]));
}

export interface HttpServer {
  readonly url: URL;
  readonly token: string;
  readonly tokenFile: string;
}

/** Resolves when a started program serves over HTTP. */
export async function servedBy(child: ChildProcessWithoutNullStreams): Promise<HttpServer> {
  child.stderr.pipe(process.stderr);
  let told = '';
  for await (const piece of child.stdout) {
    told += String(piece);
    const [, url, tokenFile] = /Serving (\S+)\n.* in (\S+)\n/.exec(told) ?? [];
    if (url !== undefined && tokenFile !== undefined)
      return { url: new URL(url), tokenFile, token: tokenIn(tokenFile) };
  }
  throw new Error(`The program ended before it served: ${told}`);
}

export function tokenIn(tokenFile: string): string {
  return /^default ([0-9a-f]{64})$/m.exec(readFileSync(tokenFile, 'utf8'))?.[1] ?? '';
}
