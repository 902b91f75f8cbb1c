import type { ConnectionStep } from '../../../apps/health-check.js';
import { estimateToolTokens } from '../../../model/text/estimate-tokens.js';
import { Refusal } from '../../../model/refusal.js';
import type { JsonObject } from '../../../model/event.js';
import { objectAt, objectsIn, textIn } from '../../../model/text/json-fields.js';
import { isFile, isFolder } from '../../real-path.js';
import { shellQuoted } from '../../shell-quoted.js';
import { findListCheck } from './client-list.js';
import type { ClientConfig, HostEnvironment, SetupModules } from '../clients.js';
import type { OwnEntry } from '../entries.js';
import { findExecutable } from './find-executable.js';
import { findSwitches } from './find-switches.js';
import { describeTrust } from './folder-trust.js';
import { startStdioClient, type StdioClient } from './stdio-client.js';
import { CheckError, RECONNECT_ADVICE } from './check-error.js';
import { NEEDED_NODE } from '../find-node.js';

export interface ConnectionCheckOptions {
  readonly version: string;
  /** The file that contains the entry. If it is given, the client itself is asked last. */
  readonly config?: ClientConfig;
  /** Folders of the projects whose settings matter, too. */
  readonly projects?: readonly string[];
  /** Called with each step as it ends. */
  readonly onStep?: (step: ConnectionStep) => void;
}

const PROTOCOL_VERSION = '2025-06-18';
/** About as long as clients wait. */
const START_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS = 50_000;

/** A read-only tool. */
const PROBE_TOOL = 'listWorkspaces';
/** The call of that tool on each surface. */
const PROBE_CALLS = [
  { name: PROBE_TOOL, arguments: {} },
  { name: 'workspace', arguments: { action: 'list' } },
  { name: 'useTools', arguments: { calls: [{ agent: 'memoryManager', tool: PROBE_TOOL }] } },
];

/**
 * Checks an entry: its files exist, the configured command starts as in the client, initializes,
 * lists the tools and answers a read-only call, the versions match, and the client lists the entry.
 * Stops at the first failure. Adds `--read-only`, so that nothing is written into the vault.
 */
export async function checkConnection(
  modules: SetupModules,
  host: HostEnvironment,
  entry: OwnEntry,
  options: ConnectionCheckOptions,
): Promise<ConnectionStep[]> {
  const { config } = options;
  const steps: ConnectionStep[] = [];
  const add = (step: ConnectionStep) => {
    steps.push(step);
    options.onStep?.(step);
  };
  const check: Check = async (step, task) => {
    const start = performance.now();
    const result = await runStep(task);
    add({ step, ms: Math.round(performance.now() - start), ...result });
    return result.isOk;
  };
  if (!(await checkFiles(modules, host, entry, config, check))) return steps;
  const { command, args, env } = entry;
  const server = startStdioClient(modules, {
    command,
    args: args.includes('--read-only') ? args : [...args, '--read-only'],
    env: { ...host.env, ...env },
  });
  const isWorking = await checkServer(server, entry, options.version, check).finally(() =>
    server.close(),
  );
  if (!isWorking || !config) return steps;
  const { trust } = config.app;
  const projects = options.projects ?? [];
  if (trust) await check('trust', () => describeTrust(modules, host, config, trust, projects));
  const list = await findListCheck(modules, host, config.app, entry);
  const isListed = list && (await check('mcp list', list));
  const found = await findSwitches(modules, config, 'server', entry, projects);
  // what the client says of itself is believed
  for (const { text, fix, isCertain, isUnlisted } of found)
    if (!isListed || isUnlisted) add({ step: 'enabled', isOk: !isCertain, ms: 0, text, fix });
  return steps;
}

/** Runs a step and adds its result, which is the text, or the error. Returns whether it is good. */
type Check = (
  step: ConnectionStep['step'],
  task: () => string | Promise<string>,
) => Promise<boolean>;

async function checkFiles(
  modules: SetupModules,
  host: HostEnvironment,
  { command, args, vault }: OwnEntry,
  config: ClientConfig | undefined,
  check: Check,
): Promise<boolean> {
  const program = args.find((arg) => /\.[cm]?js$/i.test(arg));
  return (
    (await check('node', () => findCommand(modules, host, command))) &&
    (program === undefined || (await check('program', () => checkProgram(modules, program)))) &&
    (vault === '' || (await check('vault', () => checkVault(modules, vault, config?.app.id))))
  );
}

async function checkServer(
  server: StdioClient,
  { vault }: OwnEntry,
  version: string,
  check: Check,
): Promise<boolean> {
  let serverVersion = '';
  let tools: string[] = [];
  const isWorking =
    (await check('initialize', async () => {
      const started = await initialize(server, version);
      serverVersion = started.version;
      return `${started.title}, version ${serverVersion}`;
    })) &&
    (await check('tools/list', async () => {
      const result = await server.request('tools/list', {}, START_TIMEOUT_MS);
      tools = toolNames(result);
      if (tools.length === 0)
        throw new CheckError('No tools are listed.', 'reinstall this version');
      const tokens = estimateToolTokens(describedTools(result));
      return `${tools.length} tools, which cost a conversation about ${tokens} tokens`;
    })) &&
    (await check('tools/call', () => callProbe(server, tools)));
  if (!isWorking || serverVersion === version) return isWorking;
  return check('version', () => {
    throw new CheckError(
      `The client starts version ${serverVersion}, and this program is version ${version}.`,
      `run "savepoint install --vault ${shellQuoted(vault)}" with the newer one, then connect again`,
    );
  });
}

async function initialize(server: StdioClient, version: string) {
  const clientInfo = { name: 'savepoint-proof', version };
  const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo };
  const info = objectAt(await server.request('initialize', params, START_TIMEOUT_MS), 'serverInfo');
  if (info['name'] !== 'savepoint')
    throw new CheckError('Another program answers.', RECONNECT_ADVICE);
  server.notify('notifications/initialized');
  return {
    title: textIn(info, 'title') ?? 'Savepoint',
    version: textIn(info, 'version') ?? 'unknown',
  };
}

async function runStep(
  task: () => string | Promise<string>,
): Promise<Pick<ConnectionStep, 'isOk' | 'text' | 'fix'>> {
  try {
    return { isOk: true, text: await task(), fix: '' };
  } catch (error) {
    if (error instanceof CheckError)
      return { isOk: error.isOk, text: error.message, fix: error.fix };
    if (error instanceof Refusal)
      return { isOk: false, text: error.message, fix: fixFor(error.message) };
    throw error;
  }
}

async function findCommand(
  modules: SetupModules,
  host: HostEnvironment,
  command: string,
): Promise<string> {
  const file = await findExecutable(modules, host, command);
  if (file !== undefined) return file;
  throw new CheckError(
    `There is no program "${command}": Node was moved, updated or removed.`,
    `install Node (${NEEDED_NODE} or later) if it is missing, and ${RECONNECT_ADVICE}`,
  );
}

async function checkProgram(modules: SetupModules, program: string): Promise<string> {
  if (await isFile(modules, program)) return program;
  throw new CheckError(
    `There is no file "${program}": Savepoint was moved or removed.`,
    `install it in the vault again, and ${RECONNECT_ADVICE}`,
  );
}

async function checkVault(modules: SetupModules, vault: string, client = 'CLIENT') {
  if (await isFolder(modules, vault)) return vault;
  throw new CheckError(
    `There is no folder "${vault}": the vault was moved, renamed or is not mounted.`,
    `restore the folder, or run "savepoint connect ${client} --undo --vault ${shellQuoted(vault)}" and connect the vault at its new location`,
  );
}

async function callProbe(server: StdioClient, tools: readonly string[]): Promise<string> {
  const params = PROBE_CALLS.find(({ name }) => tools.includes(name));
  if (!params)
    throw new CheckError(
      `None of these tools is listed: ${PROBE_CALLS.map(({ name }) => name).join(', ')}.`,
      RECONNECT_ADVICE,
    );
  const result = await server.request('tools/call', params, CALL_TIMEOUT_MS);
  const { success, data, error: told } = objectAt(result, 'structuredContent');
  if (success === true)
    return `${PROBE_TOOL}: ${Array.isArray(data) ? `${data.length} listed` : 'answered'}`;
  const error = typeof told === 'string' ? told : 'the response is not readable';
  throw new CheckError(`${PROBE_TOOL} failed: ${error}`, 'follow that message, then try again');
}

function toolNames({ tools }: JsonObject): string[] {
  return objectsIn(tools).flatMap((tool) => textIn(tool, 'name') ?? []);
}

/** Returns the parts of the listed tools that a model reads. */
function describedTools({ tools }: JsonObject): unknown[] {
  return objectsIn(tools).map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
}

/** Returns the likely fix for a failure that the server itself could not explain. */
function fixFor(text: string): string {
  if (/getBuiltinModule|SyntaxError|Unexpected token/.test(text))
    return `this is not Node, or too old: install Node ${NEEDED_NODE} or later, and ${RECONNECT_ADVICE}`;
  if (/EACCES|EPERM/.test(text)) return 'give this user permission to read and execute it';
  return `start the command by hand to see more; if it is damaged, install it again and ${RECONNECT_ADVICE}`;
}
