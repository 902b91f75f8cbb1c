import { appsWith, partsOf } from '../../apps/index.js';
import { serveMcp } from '../../bridge/mcp-server.js';
import { Refusal } from '../../model/refusal.js';
import { envValue } from '../../node/environment.js';
import { createNodeClock, createNodeRandom } from '../../node/ports/host-ports.js';
import { createStreamChannel } from '../../node/serve/stream-channel.js';
import { createEntityId } from '../../platform/random.js';
import { DEFAULT_SURFACE } from '../../toolkit/surfaces.js';
import type { McpBackend } from '../mcp-backend.js';
import type { ArgumentsOf } from '../command-options.js';
import { createJsonReport, print } from '../output.js';
import { stateFolderOf, type ProgramHost } from '../program.js';
import { parseToolsets } from '../toolsets.js';

/** Loads what only requests need after `initialize`, for which apps wait when they start. */
export async function runMcp(args: ArgumentsOf<'mcp'>, program: ProgramHost): Promise<number> {
  const { http, httpTokenFile } = args;
  const { node } = program;
  const { vault, problem } = await findVault(args, program);
  const folder = node.path.resolve(vault);
  const surface = args.surface ?? DEFAULT_SURFACE;
  const toolsets = await parseToolsets(args.toolsets);
  const report = createJsonReport(program);
  const clock = createNodeClock(node.timers);
  const serverInfo = {
    version: program.version,
    vaultName: node.path.basename(folder),
    surface,
    isAlwaysLoaded: args.session !== undefined, // the chat starts it for its own agent
    after: (ms: number, task: () => void) => clock.after(ms, task),
    report,
  };
  let session = args.session;
  const sessionId = () => (session ??= createEntityId(createNodeRandom(node.crypto)));
  const backend = createLazyPromise(async () => {
    const vaultCheck =
      problem === undefined
        ? import('../vault-folder.js').then(({ requireVault }) =>
            requireVault(program, folder, args.create),
          )
        : Promise.reject(new Refusal(problem));
    if (http === undefined)
      void vaultCheck.catch(report); // each call tells the client
    else await vaultCheck;
    const { openMcpBackend } = await import('../mcp-backend.js');
    const isOwnProcess = http === undefined;
    return openMcpBackend(program, {
      ...args,
      vault,
      problem,
      surface,
      toolsets,
      isOwnProcess,
      session: isOwnProcess ? sessionId() : undefined,
      report,
    });
  });
  try {
    if (http === undefined)
      await serveStdio(program, backend, {
        ...serverInfo,
        newSessionId: sessionId,
      });
    else await serveHttp(program, backend, serverInfo, { port: http, tokenFile: httpTokenFile });
  } finally {
    if (backend.isStarted()) await (await backend).close();
  }
  return 0;
}

const UNKNOWN_VAULT = 'no vault';

/** Returns the vault to serve. Without one, calls fail with the reason; HTTP throws a `Refusal`. */
async function findVault(
  { vault, state, http }: ArgumentsOf<'mcp'>,
  program: ProgramHost,
): Promise<{ readonly vault: string; readonly problem?: string }> {
  if (vault !== undefined) return { vault };
  const { node, env, platform } = program;
  const stateFolder = stateFolderOf(program, state);
  const variables = partsOf('projectVariable');
  const [folder = node.path.resolve()] = variables.flatMap((name) => envValue(env, name) ?? []);
  const { findKnownVault } = await import('../../node/known-vault.js');
  const found = await findKnownVault(node, { env, platform, stateFolder, folder });
  if ('vault' in found) return found;
  if (http !== undefined) throw new Refusal(found.problem);
  return { vault: node.path.join(stateFolder, UNKNOWN_VAULT), problem: found.problem };
}

type StdioServerInfo = Parameters<typeof serveMcp>[2];

/** Resolves when the client closes the connection. */
async function serveStdio(
  program: ProgramHost,
  backend: LazyPromise<McpBackend>,
  serverInfo: StdioServerInfo,
): Promise<void> {
  const { node } = program;
  await new Promise<void>((resolve, reject) => {
    const channel = createStreamChannel(program.stdin, program.stdout, node.timers, resolve);
    // The vault is opened after the first answer, or earlier if that answer needs it.
    const open = () => void backend.start().catch(reject);
    const write = (text: string) => channel.write(text).finally(open);
    const server = serveMcp(backend, { ...channel, write }, serverInfo);
    program.onStop(() => void server.close());
  });
}

/** Resolves when the process is asked to stop. */
async function serveHttp(
  program: ProgramHost,
  backend: LazyPromise<McpBackend>,
  serverInfo: Omit<StdioServerInfo, 'newSessionId'>,
  options: { readonly port: number; readonly tokenFile: string | undefined },
): Promise<void> {
  const { node } = program;
  const { startHttpServer } = await import('../../node/serve/http-server.js');
  const { toolkit, deviceFolder, ...parts } = await backend;
  const server = await startHttpServer(node, {
    ...options,
    toolkit,
    mcp: { ...serverInfo, ...parts },
    folder: node.path.join(deviceFolder, 'http'),
    report: serverInfo.report,
  });
  const { readTokens } = await import('../../node/serve/http-tokens.js');
  const [first] = program.stdout.isTTY ? await readTokens(node, server.tokenFile) : [];
  print(
    program,
    `Serving ${server.url}\nThe clients' tokens are in ${server.tokenFile}\n${pasteLine(server.url, first?.token)}`,
  );
  await new Promise<void>((resolve) => program.onStop(resolve));
  await server.close();
}

/** Returns the lines that connect clients. Never write a token where it could get into a log. */
export function pasteLine(url: string, token = 'TOKEN'): string {
  return appsWith('httpCommand')
    .map(({ title, httpCommand }) => `To connect ${title}: ${httpCommand(url, token)}\n`)
    .join('');
}

/** A promise whose task starts when it is first awaited, or when `start` is called. */
interface LazyPromise<T> extends PromiseLike<T> {
  start(): Promise<T>;
  isStarted(): boolean;
}

function createLazyPromise<T>(task: () => Promise<T>): LazyPromise<T> {
  let result: Promise<T> | undefined;
  const start = () => (result ??= task());
  return { start, isStarted: () => result !== undefined, then: (...on) => start().then(...on) };
}
