import type { AppWith } from '../../../apps/index.js';
import { clip } from '../../../model/refusal.js';
import { objectsIn, parseJson } from '../../../model/text/json-fields.js';
import { errorCode, type ProcessEnv } from '../../modules.js';
import type { HostEnvironment, SetupModules } from '../clients.js';
import type { OwnEntry } from '../entries.js';
import { findExecutable } from './find-executable.js';
import { CheckError } from './check-error.js';

/** Some clients start every server that they list, and wait for each. */
const LIST_TIMEOUT_MS = 60_000;
/** Colours and cursor movements of a terminal. */
const ESCAPE_SEQUENCE = /\p{Cc}\[[\d;?]*[A-Za-z]/gu;
const MAX_OUTPUT_CHARS = 1_000_000;
const MAX_QUOTED_CHARS = 200;

/** The end of a program. `code` is undefined if it was stopped or did not start (see `problem`). */
interface ProgramEnd {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly problem: string;
}

/**
 * Finds the client's own command that lists its servers; undefined if there is none on the PATH.
 * The returned function runs it in the home folder, where no project has settings, and returns the
 * status of the entry with the given name.
 */
export async function findListCheck(
  modules: SetupModules,
  host: HostEnvironment,
  app: AppWith<'config'>,
  entry: Pick<OwnEntry, 'name' | 'args'>,
  timeoutMs = LIST_TIMEOUT_MS,
): Promise<(() => Promise<string>) | undefined> {
  const { list } = app.config;
  const file = list && (await findExecutable(modules, host, list.program));
  // Node starts such a file only through a shell.
  if (file === undefined || file.endsWith('.cmd')) return undefined;
  return async () => {
    const env = { ...host.env, NO_COLOR: '1', ...list?.env };
    const options = { args: list?.args ?? [], env, cwd: host.home, timeoutMs };
    const end = await runToEnd(modules, file, options);
    return readStatus(app, entry, end);
  };
}

/** Returns the printed status of a server. Throws a `CheckError` if it is missing or broken. */
export function readStatus(
  { title, config: { list } }: AppWith<'config'>,
  { name, args }: Pick<OwnEntry, 'name' | 'args'>,
  end: ProgramEnd,
): string {
  const command = [list?.program, ...(list?.args ?? [])].join(' ');
  const fix = `run "${command}" in a shell to see more`;
  const stdout = end.stdout.replace(ESCAPE_SEQUENCE, '');
  // some write the list to standard error
  const output = `${stdout}\n${end.stderr.replace(ESCAPE_SEQUENCE, '')}`;
  // its output may contain the settings of other servers
  if (end.code !== 0) throw new CheckError(`"${command}" ${end.problem}.`, fix);
  const { status, started } =
    list?.line === undefined
      ? { status: jsonStatus(stdout, name) }
      : lineStatus(list.line, output, name);
  if (status === undefined)
    throw new CheckError(
      `${title} does not list "${name}".`,
      `check that it reads this file and not another one: ${fix}`,
    );
  if (list?.working.test(status) !== true)
    throw new CheckError(`"${command}" lists it as ${clip(status, MAX_QUOTED_CHARS)}.`, fix);
  const [program = ''] = args;
  if (started !== undefined && !started.includes(program))
    throw new CheckError(
      `"${command}" lists another command of that name, so another entry hides this one.`,
      `rename or remove one of the two; ${fix}`,
      true,
    );
  return `"${command}" lists it${status === '' ? '' : ` as ${clip(status, MAX_QUOTED_CHARS)}`}`;
}

function lineStatus(pattern: string, output: string, name: string) {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const found = new RegExp(pattern.replace('NAME', escaped), 'm').exec(output);
  return {
    status: found ? (found.at(-1) ?? '').trim() : undefined,
    started: found?.groups?.['command'],
  };
}

function jsonStatus(output: string, name: string): string | undefined {
  const found = objectsIn(parseJson(output)).find((server) => server['name'] === name);
  if (!found) return undefined;
  return found['enabled'] === false ? 'disabled' : 'enabled';
}

interface RunOptions {
  readonly args: readonly string[];
  readonly env: ProcessEnv;
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** Runs a program without input until it ends, and stops it if it takes too long. */
function runToEnd(
  { childProcess, timers }: SetupModules,
  file: string,
  { args, env, cwd, timeoutMs }: RunOptions,
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const output = { stdout: '', stderr: '' };
    const child = childProcess.spawn(file, args, { env, cwd, stdio: 'pipe', windowsHide: true });
    const finish = (code: number | undefined, problem: string) => {
      timers.clearTimeout(timer);
      // A program that it has started may keep these open.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve({ ...output, code, problem });
    };
    const timer = timers.setTimeout(() => {
      child.kill('SIGKILL');
      finish(undefined, `did not end within ${timeoutMs / 1000} s`);
    }, timeoutMs);
    child.stdin.on('error', () => undefined).end();
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (piece: string) => {
        output[name] = (output[name] + piece).slice(-MAX_OUTPUT_CHARS);
      });
    child.once('error', (error) =>
      finish(undefined, `cannot be started (${errorCode(error) ?? error.message})`),
    );
    child.once('close', (code, signal) =>
      finish(code ?? undefined, `failed (${signal ?? `code ${code}`})`),
    );
  });
}
