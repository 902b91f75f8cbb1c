import { clip, Refusal } from '../../../model/refusal.js';
import { isJsonObject, type JsonObject } from '../../../model/event.js';
import { textIn } from '../../../model/text/json-fields.js';
import { JsonRpc, type RpcProblem } from '../../../platform/rpc/json-rpc.js';
import { createLineSplitter } from '../../../platform/bytes/line-splitter.js';
import { errorCode, type ProcessEnv } from '../../modules.js';
import type { SetupModules } from '../clients.js';

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

export type StdioClient = ReturnType<typeof startStdioClient>;

/**
 * Starts a server, and returns what sends it requests over its standard input and output. If it
 * cannot be started, the first request fails.
 */
export function startStdioClient(
  { childProcess, timers }: SetupModules,
  { command, args, env }: ServerCommand,
) {
  const child = childProcess.spawn(command, args, { env, stdio: 'pipe', windowsHide: true });
  let stderr = '';
  const after = (ms: number, task: () => void) => {
    const timer = timers.setTimeout(task, ms);
    return () => timers.clearTimeout(timer);
  };
  const rpc = new JsonRpc({
    write: (line) => void child.stdin.write(line),
    after,
    toError: refusalOf,
    onOtherLine: (line) => {
      if (line.trim() !== '')
        fail(
          `It writes to its standard output something other than the protocol: ${clip(line, MAX_QUOTED_CHARS)}`,
        );
    },
  });
  const fail = (reason: string) => rpc.fail(new Refusal(reason));
  const split = createLineSplitter(MAX_LINE_BYTES);
  child.stdout.on('data', (piece: Uint8Array) =>
    split(piece).forEach((frame) => rpc.receive(frame)),
  );
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr = (stderr + piece).slice(-MAX_STDERR_CHARS);
  });
  // the server has exited, which the event `close` reports
  child.stdin.on('error', () => undefined);
  child.on('error', (error) =>
    fail(`It cannot be started (${errorCode(error) ?? error.message}).`),
  );
  const closed = new Promise<void>((resolve) => {
    child.once('error', () => {
      if (child.pid === undefined) resolve();
    });
    child.once('close', (code, signal) => {
      const details = stderr.trim() === '' ? '' : `: ${mainLine(stderr)}`;
      fail(`It exited unexpectedly (${signal ?? `code ${code}`})${details}`);
      resolve();
    });
  });
  const hasExited = () =>
    new Promise<boolean>((resolve) => {
      const cancel = after(EXIT_TIMEOUT_MS, () => resolve(false));
      void closed.then(cancel).then(() => resolve(true));
    });

  return {
    /** Rejects with a `Refusal` for an error, an exit, a protocol violation or a late answer. */
    async request(method: string, params: JsonObject, timeoutMs: number): Promise<JsonObject> {
      const result = await rpc.request(method, params, timeoutMs);
      if (isJsonObject(result)) return result;
      throw new Refusal(`It returned an error: ${clip(JSON.stringify(result), MAX_QUOTED_CHARS)}`);
    },
    notify: (method: string) => rpc.notify(method),
    /** Closes the server's input, and terminates the server with signals if it does not exit. */
    async close(): Promise<void> {
      child.stdin.end();
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (await hasExited()) return;
        child.kill(signal);
      }
      await hasExited();
    },
  };
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
