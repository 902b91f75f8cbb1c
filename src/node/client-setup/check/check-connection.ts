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
  const check = new ConnectionCheck(modules, host, entry, options);
  await check.run();
  return check.steps;
}

class ConnectionCheck {
  readonly steps: ConnectionStep[] = [];
  readonly #modules: SetupModules;
  readonly #host: HostEnvironment;
  readonly #entry: OwnEntry;
  readonly #options: ConnectionCheckOptions;
  #serverVersion = '';
  #tools: string[] = [];

  constructor(
    modules: SetupModules,
    host: HostEnvironment,
    entry: OwnEntry,
    options: ConnectionCheckOptions,
  ) {
    this.#modules = modules;
    this.#host = host;
    this.#entry = entry;
    this.#options = options;
  }

  async run(): Promise<void> {
    if (!(await this.#checkFiles())) return;
    const { command, args, env } = this.#entry;
    const server = startStdioClient(this.#modules, {
      command,
      args: args.includes('--read-only') ? args : [...args, '--read-only'],
      env: { ...this.#host.env, ...env },
    });
    let isWorking = false;
    try {
      isWorking = await this.#checkServer(server);
    } finally {
      await server.close();
    }
    const { config } = this.#options;
    if (isWorking && config) await this.#checkClient(config);
  }

  async #checkClient(config: ClientConfig): Promise<void> {
    const { trust } = config.app;
    if (trust)
      await this.#step('trust', () => describeTrust(this.#modules, this.#host, config, trust));
    const list = await findListCheck(this.#modules, this.#host, config.app, this.#entry.name);
    const isListed = list && (await this.#step('mcp list', list));
    const { projects = [] } = this.#options;
    const found = await findSwitches(this.#modules, config, 'server', this.#entry, projects);
    // what the client says of itself is believed
    for (const { text, fix, isCertain, isUnlisted } of found)
      if (!isListed || isUnlisted)
        this.#add({ step: 'enabled', isOk: !isCertain, ms: 0, text, fix });
  }

  async #checkFiles(): Promise<boolean> {
    const { command, args, vault } = this.#entry;
    const { config } = this.#options;
    const program = args.find((arg) => /\.[cm]?js$/i.test(arg));
    return (
      (await this.#step('node', () => findCommand(this.#modules, this.#host, command))) &&
      (program === undefined ||
        (await this.#step('program', () => checkProgram(this.#modules, program)))) &&
      (await this.#step('vault', () => checkVault(this.#modules, vault, config?.app.id)))
    );
  }

  async #checkServer(server: StdioClient): Promise<boolean> {
    const isWorking =
      (await this.#step('initialize', () => this.#initialize(server))) &&
      (await this.#step('tools/list', () => this.#listTools(server))) &&
      (await this.#step('tools/call', () => callProbe(server, this.#tools)));
    const { version } = this.#options;
    if (!isWorking || this.#serverVersion === version) return isWorking;
    return this.#step('version', () => {
      throw new CheckError(
        `The client starts version ${this.#serverVersion}, and this program is version ${version}.`,
        `run "savepoint install --vault ${shellQuoted(this.#entry.vault)}" with the newer one, then connect again`,
      );
    });
  }

  async #initialize(server: StdioClient): Promise<string> {
    const clientInfo = { name: 'savepoint-proof', version: this.#options.version };
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo };
    const { serverInfo } = (await server.request('initialize', params, START_TIMEOUT_MS)) as {
      serverInfo?: { name?: unknown; version?: unknown; title?: unknown };
    };
    if (serverInfo?.name !== 'savepoint')
      throw new CheckError('Another program answers.', RECONNECT_ADVICE);
    server.notify('notifications/initialized');
    this.#serverVersion = String(serverInfo.version);
    const title = typeof serverInfo.title === 'string' ? serverInfo.title : 'Savepoint';
    return `${title}, version ${this.#serverVersion}`;
  }

  async #listTools(server: StdioClient): Promise<string> {
    const result = await server.request('tools/list', {}, START_TIMEOUT_MS);
    this.#tools = toolNames(result);
    if (this.#tools.length === 0)
      throw new CheckError('No tools are listed.', 'reinstall this version');
    const tokens = estimateToolTokens(describedTools(result));
    return `${this.#tools.length} tools, which cost a conversation about ${tokens} tokens`;
  }

  async #step(
    name: ConnectionStep['step'],
    task: () => string | Promise<string>,
  ): Promise<boolean> {
    const start = performance.now();
    const result = await runStep(task);
    this.#add({ step: name, ms: Math.round(performance.now() - start), ...result });
    return result.isOk;
  }

  #add(step: ConnectionStep): void {
    this.steps.push(step);
    this.#options.onStep?.(step);
  }
}

async function runStep(
  task: () => string | Promise<string>,
): Promise<Pick<ConnectionStep, 'isOk' | 'text' | 'fix'>> {
  try {
    return { isOk: true, text: await task(), fix: '' };
  } catch (error) {
    if (error instanceof CheckError) return { isOk: false, text: error.message, fix: error.fix };
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
