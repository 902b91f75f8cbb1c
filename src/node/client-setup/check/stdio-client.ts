import { Refusal } from '../../../model/refusal.js';
import { errorCode, type NodeModules } from '../../modules.js';

type Modules = Pick<NodeModules, 'childProcess' | 'timers'>;
type Child = import('node:child_process').ChildProcessWithoutNullStreams;

export type JsonFields = Record<string, unknown>;

interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const MAX_STDERR_CHARS = 4000;
const MAX_LINE_CHARS = 10_000_000;
const MAX_QUOTED_CHARS = 200;
/** Time for a server to exit on its own, and again after each signal. */
const EXIT_TIMEOUT_MS = 1000;

/**
 * A minimal JSON-RPC client that starts a server and talks to it over standard input and output.
 */
export class StdioClient {
  readonly #timers: Modules['timers'];
  readonly #child: Child;
  readonly #pending = new Map<number, (result: JsonFields | Refusal) => void>();
  readonly #closed: Promise<void>;
  #stderr = '';
  #partialLine = '';
  #failure: Refusal | undefined;
  #lastId = 0;

  /** Starts the server. If it cannot be started, the first request fails. */
  constructor({ childProcess, timers }: Modules, { command, args, env }: ServerCommand) {
    this.#timers = timers;
    const child: Child = childProcess.spawn(command, args, {
      env,
      stdio: 'pipe',
      windowsHide: true,
    });
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (piece: string) => this.#onOutput(piece));
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

  /**
   * Returns the result. Rejects with a `Refusal` if the server returns an error, exits, violates
   * the protocol, or takes longer than `timeoutMs`.
   */
  request(method: string, params: JsonFields, timeoutMs: number): Promise<JsonFields> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const settle = (result: JsonFields | Refusal) => {
        this.#timers.clearTimeout(timer);
        this.#pending.delete(id);
        if (result instanceof Refusal) reject(result);
        else resolve(result);
      };
      const timer = this.#timers.setTimeout(
        () => settle(new Refusal(`It did not respond within ${timeoutMs / 1000} seconds.`)),
        timeoutMs,
      );
      this.#pending.set(id, settle);
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method: string): void {
    this.#send({ jsonrpc: '2.0', method });
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

  #send(message: JsonFields): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #onOutput(piece: string): void {
    const lines = (this.#partialLine + piece).split('\n');
    this.#partialLine = lines.pop() ?? '';
    if (this.#partialLine.length > MAX_LINE_CHARS)
      return this.#fail('It writes a line of unlimited length.');
    for (const line of lines) if (line.trim() !== '') this.#onLine(line);
  }

  #onLine(line: string): void {
    const message = parseFields(line);
    if (!message)
      return this.#fail(
        `It writes to its standard output something other than the protocol: ${line.slice(0, MAX_QUOTED_CHARS)}`,
      );
    const { id, result, error } = message as { id?: unknown; result?: unknown; error?: unknown };
    if (typeof id !== 'number') return;
    const settle = this.#pending.get(id);
    this.#pending.delete(id);
    if (isFields(result)) return settle?.(result);
    const reason = isFields(error) ? error['message'] : undefined;
    const text = typeof reason === 'string' ? reason : line.slice(0, MAX_QUOTED_CHARS);
    settle?.(new Refusal(`It returned an error: ${text}`));
  }

  #fail(reason: string): void {
    this.#failure ??= new Refusal(reason);
    for (const settle of [...this.#pending.values()]) settle(this.#failure);
    this.#pending.clear();
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

/**
 * Returns the most informative line of an error output: the line that names the error, otherwise
 * the last line.
 */
function mainLine(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return (lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '').slice(0, 300);
}

function parseFields(line: string): JsonFields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
