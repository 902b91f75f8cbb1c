import { Refusal } from '../../model/refusal.js';
import { errorCode, type NodeModules } from '../modules.js';

type Child = import('node:child_process').ChildProcessWithoutNullStreams;

/** The other end of a server's standard input and output, as far as a proof needs one. */
export interface Caller {
  /** Answers the result. Throws a `Refusal` where the server answers an error, ends, or takes longer than `limit` milliseconds. */
  request(method: string, params: Fields, limit: number): Promise<Fields>;
  notify(method: string): void;
  /** Ends the server, by its id where it does not go by itself. */
  end(): Promise<void>;
}

export type Fields = Record<string, unknown>;

const ERRORS_KEPT = 4000;
const LINE_LIMIT = 10_000_000;
/** So long a server that is told to end may take, in milliseconds, before it is ended. */
const END_LIMIT = 1000;

/** Starts a server. What goes wrong with the start shows with the first request. */
export function startServer(
  { childProcess, timers }: Pick<NodeModules, 'childProcess' | 'timers'>,
  {
    command,
    args,
    env,
  }: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: NodeJS.ProcessEnv;
  },
): Caller {
  const child: Child = childProcess.spawn(command, args, { env, stdio: 'pipe', windowsHide: true });
  const waiting = new Map<number, (answer: Fields | Refusal) => void>();
  let errors = '';
  let rest = '';
  let gone: Refusal | undefined;
  let lastId = 0;

  function fail(reason: string): void {
    gone ??= new Refusal(reason);
    for (const settle of waiting.values()) settle(gone);
    waiting.clear();
  }

  function hear(line: string): void {
    const message = parseFields(line);
    if (!message)
      return fail(
        `It writes something to its standard output that is not the protocol: ${line.slice(0, 200)}`,
      );
    if (typeof message['id'] !== 'number') return;
    const settle = waiting.get(message['id']);
    waiting.delete(message['id']);
    const { result, error } = message as { result?: unknown; error?: { message?: unknown } };
    settle?.(
      isFields(result)
        ? result
        : new Refusal(
            `It answered an error: ${typeof error?.message === 'string' ? error.message : line.slice(0, 200)}`,
          ),
    );
  }

  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LIMIT) return fail('It writes without end.');
    for (const line of lines) if (line.trim() !== '') hear(line);
  });
  child.stderr
    .setEncoding('utf8')
    .on('data', (piece: string) => (errors = (errors + piece).slice(-ERRORS_KEPT)));
  child.stdin.on('error', () => undefined); // it has ended, which it tells by itself
  child.on('error', (error) =>
    fail(`It cannot be started (${errorCode(error) ?? error.message}).`),
  );
  const closed = new Promise<void>((resolve) => {
    child.once('error', () => child.pid === undefined && resolve());
    child.once('close', (code, signal) => {
      fail(
        `It ended at once (${signal ?? `code ${code}`})${errors.trim() === '' ? '' : `: ${lastWords(errors)}`}`,
      );
      resolve();
    });
  });

  function isClosedWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = timers.setTimeout(() => resolve(false), ms);
      void closed.then(() => (timers.clearTimeout(timer), resolve(true)));
    });
  }

  return {
    request(method, params, limit) {
      if (gone) return Promise.reject(gone);
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        const timer = timers.setTimeout(
          () => settle(new Refusal(`It did not answer within ${limit / 1000} seconds.`)),
          limit,
        );
        const settle = (answer: Fields | Refusal) => {
          timers.clearTimeout(timer);
          waiting.delete(id);
          if (answer instanceof Refusal) reject(answer);
          else resolve(answer);
        };
        waiting.set(id, settle);
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      });
    },
    notify: (method) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`),
    async end() {
      child.stdin.end();
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (await isClosedWithin(END_LIMIT)) return;
        child.kill(signal);
      }
      await isClosedWithin(END_LIMIT);
    },
  };
}

/** The line of an error output that says most: the one that names the error, else the last. */
function lastWords(errors: string): string {
  const lines = errors.trim().split('\n');
  return (lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '').slice(0, 300);
}

function parseFields(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
