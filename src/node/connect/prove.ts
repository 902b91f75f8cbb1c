import { Refusal } from '../../model/refusal.js';
import type { NodeModules } from '../modules.js';
import type { Host } from './clients.js';
import type { OwnEntry } from './entries.js';
import { startServer, type Caller, type Fields } from './stdio-caller.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'timers' | 'childProcess'>;

/** One thing that must be so for a client's calls to be answered. */
export interface ProofStep {
  readonly step:
    'node' | 'program' | 'vault' | 'initialize' | 'version' | 'tools/list' | 'tools/call';
  readonly isDone: boolean;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** What was found, or what is wrong. */
  readonly text: string;
  /** What to do about it; empty where nothing is to be done. */
  readonly mend: string;
}

export interface ProofOptions {
  /** This program's own version. */
  readonly version: string;
  /** Hears of each step as it ends. */
  readonly onStep?: (step: ProofStep) => void;
}

const PROTOCOL = '2025-06-18';
/** As clients wait, in milliseconds. */
const START_LIMIT = 30_000;
const CALL_LIMIT = 50_000;

/** A call that reads, in the way of each surface. */
const READ = 'listWorkspaces';
const READS = [
  { name: READ, arguments: {} },
  { name: 'workspace', arguments: { action: 'list' } },
  { name: 'useTools', arguments: { calls: [{ agent: 'memoryManager', tool: READ }] } },
];

/** How an entry is made anew, in the shell. */
export const AGAIN = 'run "savepoint connect" for this client again';

/** What a step throws: what is wrong, and how it is mended. */
class Broken extends Error {
  constructor(
    message: string,
    readonly mend: string,
  ) {
    super(message);
  }
}

/**
 * Proves an entry: starts the very command that stands there, as the client would, initializes, lists the tools and makes one
 * call that reads. Nothing is written into the vault, for the command gets `--read-only` besides. Ends with the first step that fails.
 */
export async function proveConnection(
  modules: Modules,
  host: Host,
  entry: OwnEntry,
  { version, onStep = () => undefined }: ProofOptions,
): Promise<ProofStep[]> {
  const steps: ProofStep[] = [];
  let server: Caller | undefined;
  let answered = '';
  let tools: string[] = [];

  async function step(
    name: ProofStep['step'],
    task: () => string | Promise<string>,
  ): Promise<boolean> {
    const since = performance.now();
    const end = await Promise.resolve()
      .then(task)
      .then(
        (text) => ({ isDone: true, text, mend: '' }),
        (error: unknown) => {
          if (error instanceof Broken)
            return { isDone: false, text: error.message, mend: error.mend };
          if (error instanceof Refusal)
            return { isDone: false, text: error.message, mend: mendOf(error.message) };
          throw error;
        },
      );
    const done = { step: name, ms: Math.round(performance.now() - since), ...end };
    steps.push(done);
    onStep(done);
    return done.isDone;
  }

  const { command, args, vault } = entry;
  const env = { ...host.env, ...entry.env };
  const program = args.find((arg) => /\.[cm]?js$/i.test(arg));
  const isReady =
    (await step('node', () => findCommand(modules, host, command))) &&
    (program === undefined || (await step('program', () => checkProgram(modules, program)))) &&
    (await step('vault', () => checkVault(modules, vault)));
  if (!isReady) return steps;
  try {
    const isStarted = await step('initialize', async () => {
      server = startServer(modules, {
        command,
        args: args.includes('--read-only') ? args : [...args, '--read-only'],
        env,
      });
      const clientInfo = { name: 'savepoint-proof', version };
      const { serverInfo } = (await server.request(
        'initialize',
        { protocolVersion: PROTOCOL, capabilities: {}, clientInfo },
        START_LIMIT,
      )) as {
        serverInfo?: { name?: unknown; version?: unknown; title?: unknown };
      };
      if (serverInfo?.name !== 'savepoint') throw new Broken('Another program answers.', AGAIN);
      server.notify('notifications/initialized');
      answered = String(serverInfo.version);
      return `${typeof serverInfo.title === 'string' ? serverInfo.title : 'Savepoint'}, version ${answered}`;
    });
    const isProven =
      isStarted &&
      (await step('tools/list', async () => {
        tools = toolNames((await server?.request('tools/list', {}, START_LIMIT)) ?? {});
        if (tools.length === 0) throw new Broken('No tool is listed.', 'install this version anew');
        return `${tools.length} tools`;
      })) &&
      (await step('tools/call', async () =>
        callRead((params) => server?.request('tools/call', params, CALL_LIMIT), tools),
      ));
    if (isProven && answered !== version)
      await step('version', () => {
        throw new Broken(
          `The client starts version ${answered}, and this program is version ${version}.`,
          `run "savepoint install --vault ${quoted(vault)}" with the newer one, then connect again`,
        );
      });
  } finally {
    await server?.end();
  }
  return steps;
}

/** The places of an entry's parts are looked up as the system would, so that what is missing has its own name. */
async function findCommand(
  { fs, path }: Modules,
  { platform, env }: Host,
  command: string,
): Promise<string> {
  const folders = path.isAbsolute(command)
    ? ['']
    : (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter);
  const ends = platform === 'win32' ? ['', '.exe', '.cmd'] : [''];
  for (const folder of folders)
    for (const end of ends) {
      const file = path.join(folder, `${command}${end}`);
      if ((await fs.stat(file).catch(() => undefined))?.isFile()) return file;
    }
  throw new Broken(
    `There is no program "${command}": Node was moved, updated or removed.`,
    `install Node (20.16 or later) where it is missing, and ${AGAIN}`,
  );
}

async function checkProgram({ fs }: Modules, program: string): Promise<string> {
  if ((await fs.stat(program).catch(() => undefined))?.isFile()) return program;
  throw new Broken(
    `There is no file "${program}": Savepoint was moved or removed.`,
    `install it in the vault again, and ${AGAIN}`,
  );
}

async function checkVault({ fs }: Modules, vault: string): Promise<string> {
  if ((await fs.stat(vault).catch(() => undefined))?.isDirectory()) return vault;
  throw new Broken(
    `There is no folder "${vault}": the vault was moved, renamed or is not mounted.`,
    'put it back where it was, or take the entry out (connect --undo) and connect the vault where it is now',
  );
}

async function callRead(
  call: (params: Fields) => Promise<Fields> | undefined,
  tools: readonly string[],
): Promise<string> {
  const params = READS.find(({ name }) => tools.includes(name));
  if (!params)
    throw new Broken(
      `None of these tools is listed: ${READS.map(({ name }) => name).join(', ')}.`,
      AGAIN,
    );
  const { structuredContent: answer } = ((await call(params)) ?? {}) as {
    structuredContent?: { success?: unknown; data?: unknown; error?: unknown };
  };
  if (answer?.success === true)
    return `${READ}: ${Array.isArray(answer.data) ? `${answer.data.length} listed` : 'answered'}`;
  throw new Broken(
    `${READ} failed: ${typeof answer?.error === 'string' ? answer.error : 'no answer that can be read'}`,
    'do what the answer says, then try again',
  );
}

function toolNames({ tools }: Fields): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    const name =
      typeof tool === 'object' && tool !== null && 'name' in tool ? tool.name : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

/** What is behind an end that the program itself could not explain. */
function mendOf(text: string): string {
  if (/getBuiltinModule|SyntaxError|Unexpected token/.test(text))
    return `this Node is older than 20.16, or not Node: install a newer one, and ${AGAIN}`;
  if (/EACCES|EPERM/.test(text)) return 'give this user the right to run and read it';
  return `start the command by hand to see more; if it is damaged, install it again and ${AGAIN}`;
}

/** A path as a shell takes it. */
export function quoted(path: string): string {
  if (/^[\w/.:\\-]+$/.test(path)) return path;
  return path.includes('"') ? `'${path}'` : `"${path}"`;
}
