import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { Agent, request } from 'node:http';
import * as path from 'node:path';
import { counted, inFolder, median, perForm, stateParams, timeOf, type Figure } from './lib.js';
import { ourCommand } from './peers.js';
import { fillWithStates } from './vault.js';

export const question =
  'How long does a client wait for the bridge: for its start, for its first call, and with 50 concurrent clients?';
export const measures = ['src'];

const PROGRAM = path.resolve('main.js');
const CLIENTS = perForm(50, 5);
/** Duration of the measurement; SAVEPOINT_SECONDS=60 makes it the full run. */
const SECONDS = Number(process.env['SAVEPOINT_SECONDS'] ?? perForm(10, 1));
/** Pause between two calls of a client, with which 50 clients make about 500 calls per second. */
const THINK_MS = 100;
/**
 * Time for each client to save its first state before the measurement; the first call is measured
 * separately.
 */
const WARM_UP_MS = 2000;
const ROUNDS = perForm(15, 1);
const CALLING_ROUNDS = perForm(3, 1);
const STATES = perForm(10_000, 100);

/**
 * A server that does nothing, measured at the same time, because load on the machine affects both.
 */
const EMPTY = `require('http').createServer((request, response) => request.resume().on('end', () => response.end('{}')))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

export async function answer(): Promise<Figure[]> {
  return [...(await startUp()), ...(await firstCall()), ...(await manyClients())];
}

async function startUp(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    await fs.mkdir(path.join(folder, 'vault'));
    const theirs: number[] = [];
    const ours: number[] = [];
    const read = ['-e', `require('fs').readFileSync(${JSON.stringify(PROGRAM)})`];
    for (let round = 0; round < ROUNDS; round++) {
      theirs.push(
        await timeOf(
          () => new Promise((resolve) => spawn(process.execPath, read).once('close', resolve)),
        ),
      );
      const started = performance.now();
      const server = await startServer(folder);
      ours.push(performance.now() - started);
      await endServer(server);
    }
    return [
      {
        what: 'from the start to the answer of initialize, median',
        value: median(ours),
        unit: ' ms',
      },
      { what: 'an empty program that reads main.js, median', value: median(theirs), unit: ' ms' },
      { what: 'ratio', value: median(ours) / median(theirs), limit: 1.5 },
    ];
  });
}

async function firstCall(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const vault = path.join(folder, 'vault');
    await fs.mkdir(vault);
    await fillWithStates(vault, path.join(folder, 'filling'), STATES);
    const times: number[] = [];
    for (let round = 0; round < CALLING_ROUNDS; round++) {
      const started = performance.now();
      const server = await startServer(folder);
      const { result } = await ask(server, 'tools/call', {
        name: 'loadState',
        arguments: { name: `State ${round}` },
      });
      times.push((performance.now() - started) / 1000);
      if (result?.structuredContent?.success !== true) throw new Error('The first call failed');
      await endServer(server);
    }
    return [
      {
        what: `from the start to the first answer, ${counted(STATES)} states, median`,
        value: median(times),
        limit: 1,
        unit: ' s',
      },
    ];
  });
}

/** Starts the program over standard input and output and waits for the answer to `initialize`. */
async function startServer(folder: string): Promise<ChildProcessWithoutNullStreams> {
  const server = spawn(process.execPath, ourCommand(folder).args);
  const clientInfo = { name: 'bench', version: '1.0.0' };
  await ask(server, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  return server;
}

interface Message {
  readonly result?: {
    readonly structuredContent?: { readonly success: boolean; readonly data?: unknown };
  };
}

function ask(
  server: ChildProcessWithoutNullStreams,
  method: string,
  params: object,
): Promise<Message> {
  return new Promise((resolve, reject) => {
    rejectIfEnded(server, reject);
    let text = '';
    const receive = (piece: Buffer) => {
      text += piece.toString();
      if (!text.endsWith('\n')) return;
      server.stdout.off('data', receive);
      resolve(JSON.parse(text) as Message);
    };
    server.stdout.on('data', receive);
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
  });
}

function firstOutput(program: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    rejectIfEnded(program, reject);
    program.stdout.once('data', (piece: Buffer) => resolve(piece.toString()));
  });
}

/** Without it, a program that refuses to start would be waited for. */
function rejectIfEnded(program: ChildProcess, reject: (error: Error) => void): void {
  const errors: Buffer[] = [];
  program.stderr?.on('data', (piece: Buffer) => errors.push(piece));
  program.once('close', () =>
    reject(new Error(`A program ended: ${Buffer.concat(errors).toString().trim()}`)),
  );
}

function endServer(server: ChildProcessWithoutNullStreams): Promise<unknown> {
  const closed = new Promise((resolve) => server.once('close', resolve));
  server.stdin.end();
  return closed;
}

/**
 * Measures clients that all call one server over HTTP. The vault is in memory if possible, to
 * exclude the disk's fsync time.
 */
async function manyClients(): Promise<Figure[]> {
  const within = await fs.access('/dev/shm').then(
    () => '/dev/shm',
    () => undefined,
  );
  return inFolder(async (folder) => {
    await fs.mkdir(path.join(folder, 'vault'));
    const server = spawn(process.execPath, ourCommand(folder, '--http').args);
    const output = await firstOutput(server);
    const [, url = '', tokenFile = ''] = /Serving (\S+)\n.* in (\S+)\n/.exec(output) ?? [];
    const token = /^default (\w+)$/m.exec(await fs.readFile(tokenFile, 'utf8'))?.[1] ?? '';
    const empty = spawn(process.execPath, ['-e', EMPTY]);
    const emptyUrl = `http://127.0.0.1:${await firstOutput(empty)}`;
    const agent = new Agent({ keepAlive: true });
    const times: number[] = [];
    const emptyTimes: number[] = [];
    let started = performance.now();
    const share = () => (performance.now() - started) / (SECONDS * 1000);

    const save = (state: string) =>
      post(agent, url, token, 'createState', { ...stateParams(state), activeTask: state });

    /**
     * Saves states, loads them more often, and checks that each answer is what this client saved.
     */
    async function client(at: number): Promise<void> {
      const name = `C${at}`;
      let saved = 0;
      await save(`${name} S${saved++}`);
      await isWarm;
      for (let round = at; share() < 1; round++) {
        const isSaving = round % 20 === 0;
        const state = `${name} S${isSaving ? saved : Math.floor(Math.random() * saved)}`;
        const from = performance.now();
        const { structuredContent } =
          (await (isSaving ? save(state) : post(agent, url, token, 'loadState', { name: state })))
            .result ?? {};
        const until = performance.now();
        times.push(until - from);
        await post(agent, emptyUrl.trim(), token, 'nothing', { name: state });
        emptyTimes.push(performance.now() - until);
        const task = (structuredContent?.data as { activeTask?: string } | undefined)?.activeTask;
        if (structuredContent?.success !== true || (!isSaving && task !== state))
          throw new Error(`Wrong answer for "${state}": ${JSON.stringify(structuredContent)}`);
        if (isSaving) saved++;
        await new Promise((resolve) => setTimeout(resolve, THINK_MS * (0.5 + Math.random())));
      }
    }

    let begin: () => void = () => undefined;
    const isWarm = new Promise<void>((resolve) => (begin = resolve));
    const clients = Array.from({ length: CLIENTS }, (_, at) => client(at));
    await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
    started = performance.now();
    begin();
    while (share() < 0.5) await new Promise((resolve) => setTimeout(resolve, 50));
    const early = await memoryOf(server.pid);
    await Promise.all(clients);
    const late = await memoryOf(server.pid);
    agent.destroy();
    for (const each of [server, empty]) {
      const closed = new Promise((resolve) => each.once('close', resolve));
      each.kill();
      await closed;
    }
    return [
      { what: `calls of ${CLIENTS} clients in ${SECONDS} s`, value: times.length },
      { what: 'median wait', value: median(times), unit: ' ms' },
      { what: '99 of 100 wait at most', value: highest(times), limit: 50, unit: ' ms' },
      {
        what: '99 of 100 wait at most for a server that does nothing',
        value: highest(emptyTimes),
        unit: ' ms',
      },
      ...(early > 0
        ? [{ what: 'memory at the end, relative to half-way', value: late / early, limit: 1.1 }]
        : []),
    ];
  }, within);
}

/** Returns the 99th percentile. */
function highest(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
}

function post(
  agent: Agent,
  url: string,
  token: string,
  name: string,
  args: object,
): Promise<Message> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    accept: 'application/json, text/event-stream',
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.on('data', (piece: Buffer) => (text += piece.toString()));
      response.on('end', () =>
        resolve(
          JSON.parse(/^(?:event: message\ndata: )?(\{.*\})/m.exec(text)?.[1] ?? '{}') as Message,
        ),
      );
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

/** Returns the resident memory of a process in bytes; 0 if the system does not report it. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await fs.readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}
