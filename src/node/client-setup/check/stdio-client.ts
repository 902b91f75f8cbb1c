import { clip, Refusal } from '../../../model/refusal.js';
import { isJsonObject, type JsonObject } from '../../../model/event.js';
import { textIn } from '../../../model/text/json-fields.js';
import { JsonRpc, type RpcProblem } from '../../../platform/rpc/json-rpc.js';
import { createLineSplitter } from '../../../platform/bytes/line-splitter.js';
import { errorCode, type ProcessEnv } from '../../modules.js';
import type { SetupModules } from '../clients.js';

type Child = import('node:child_process').ChildProcessWithoutNullStreams;

interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: ProcessEnv;
}

const MAX_STDERR_CHARS = 4000;
const MAX_LINE_BYTES = 10_000_000;
const MAX_QUOTED_CHARS = 200;
/** Time for a server to exit on its own, and again after each signal. */
const EXIT_TIMEOUT_MS = 1000;

/** Starts a server and sends it requests over its standard input and output. */
export class StdioClient {
  readonly #timers: SetupModules['timers'];
  readonly #child: Child;
  readonly #rpc: JsonRpc;
  readonly #closed: Promise<void>;
  #stderr = '';

  /** Starts the server. If it cannot be started, the first request fails. */
  constructor({ childProcess, timers }: SetupModules, { command, args, env }: ServerCommand) {
    this.#timers = timers;
    const child: Child = childProcess.spawn(command, args, {
      env,
      stdio: 'pipe',
      windowsHide: true,
    });
    this.#child = child;
    this.#rpc = new JsonRpc({
      write: (line) => void child.stdin.write(line),
      after(ms, task) {
        const timer = timers.setTimeout(task, ms);
        return () => timers.clearTimeout(timer);
      },
      toError: refusalOf,
      onOtherLine: (line) => {
        if (line.trim() !== '')
          this.#fail(
            `It writes to its standard output something other than the protocol: ${clip(line, MAX_QUOTED_CHARS)}`,
          );
      },
    });
    const split = createLineSplitter(MAX_LINE_BYTES);
    child.stdout.on('data', (piece: Uint8Array) =>
      split(piece).forEach((frame) => this.#rpc.receive(frame)),
    );
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      this.#stderr = (this.#stderr + piece).slice(-MAX_STDERR_CHARS);
    });
    // the server has exited, which the event `close` reports
    child.stdin.on('error', () => undefined);
    child.on('error', (error) =>
      this.#fail(`It cannot be started (${errorCode(error) ?? error.message}).`),
    );
    this.#closed = new Promise((resolve) => {
      child.once('error', () => {
        if (child.pid === undefined) resolve();
      });
      child.once('close', (code, signal) => {
        const details = this.#stderr.trim() === '' ? '' : `: ${mainLine(this.#stderr)}`;
        this.#fail(`It exited unexpectedly (${signal ?? `code ${code}`})${details}`);
        resolve();
      });
    });
  }

  /** Rejects with a `Refusal` for an error, an exit, a protocol violation or a late answer. */
  async request(method: string, params: JsonObject, timeoutMs: number): Promise<JsonObject> {
    const result = await this.#rpc.request(method, params, timeoutMs);
    if (isJsonObject(result)) return result;
    throw new Refusal(`It returned an error: ${clip(JSON.stringify(result), MAX_QUOTED_CHARS)}`);
  }

  notify(method: string): void {
    this.#rpc.notify(method);
  }

  /** Closes the server's input, and terminates the server with signals if it does not exit. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#hasExitedWithin(EXIT_TIMEOUT_MS)) return;
      this.#child.kill(signal);
    }
    await this.#hasExitedWithin(EXIT_TIMEOUT_MS);
  }

  #fail(reason: string): void {
    this.#rpc.fail(new Refusal(reason));
  }

  #hasExitedWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.#timers.setTimeout(() => resolve(false), ms);
      void this.#closed.then(() => {
        this.#timers.clearTimeout(timer);
        resolve(true);
      });
    });
  }
}

/** Returns the line of an error output that names the error, otherwise the last line. */
function mainLine(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return (lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '').slice(0, 300);
}

function refusalOf(problem: RpcProblem): Refusal {
  switch (problem.kind) {
    case 'timeout':
      return new Refusal(`It did not respond within ${problem.ms / 1000} seconds.`);
    case 'oversized':
      return new Refusal('It writes a line of unlimited length.');
    case 'error': {
      const reason = textIn(problem.error, 'message') ?? JSON.stringify(problem.error);
      return new Refusal(`It returned an error: ${clip(reason, MAX_QUOTED_CHARS)}`);
    }
  }
}
