import manifest from '../manifest.json';
import type { SearchService } from './indexing/search-service.js';
import type { Services } from './agents/services.js';
import type { Named } from './model/lookup.js';
import { DEFAULT_WORKSPACE } from './model/memory.js';
import type { VaultPath } from './model/paths.js';
import { clip, Refusal } from './model/refusal.js';
import type { State } from './model/state.js';
import { readCommand, USAGE, UsageError, type Command } from './cli/arguments.js';
import type { HostEnvironment } from './node/connect/clients.js';
import { createNodeClock, createNodeRandom } from './node/ports/host-ports.js';
import type { NodeModules } from './node/modules.js';
import type { openPluginSettings } from './node/ports/plugin-settings.js';
import { createStreamChannel } from './node/serve/stream-channel.js';
import type { Files } from './platform/files.js';
import type { Program } from './transfer/foreign/foreign-memory.js';
import { createEntityId, createWriterId } from './platform/random.js';
import type { CallRequest } from './toolkit/call-tool.js';
import type { Access } from './toolkit/define-tool.js';
import type { Surface } from './toolkit/surfaces.js';
import type { Toolset } from './toolkit/toolset.js';

const NEWER_LOG =
  'A newer Savepoint has saved things in this vault that this one does not understand. They are safe; update this program to see them.';

const READ_ONLY =
  'This connection may only read. The person who runs Savepoint can change that by starting it without --read-only.';

/** Runs one command of the program and answers its exit code. `args` is what stands after the program's name. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    return await runCommand(readCommand(args, process.getBuiltinModule('node:util').parseArgs));
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${USAGE}`);
      return 2;
    }
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function runCommand(command: Command): Promise<number> {
  switch (command.name) {
    case 'help':
      return print(USAGE);
    case 'version':
      return print(`${manifest.version}\n`);
    case 'tools':
      return runTools(command);
    case 'verify':
      return runVerify(command);
    case 'export':
      return runExport(command);
    case 'import':
      return runImport(command);
    case 'install':
      return runInstall(command);
    case 'connect':
      return runConnect(command);
    case 'doctor':
      return runDoctor(command);
    case 'restore':
      return runRestore(command);
    case 'search':
      return runSearch(command);
    case 'call':
      return runCall(command);
    case 'mcp':
      return runMcp(command);
  }
}

async function runMcp(command: Extract<Command, { name: 'mcp' }>): Promise<number> {
  const { vault, surface, httpPort, tokenFile } = command;
  const node = nodeModules();
  const wished = await agentsNamed(command.agents);
  const clock = createNodeClock(node.timers);
  const after = (ms: number, task: () => void) => clock.after(ms, task);
  const vaultName = node.path.basename(node.path.resolve(vault));
  const facts = { version: manifest.version, vaultName, surface, after, report: reportLine };
  let opened: ReturnType<typeof openServing> | undefined;
  const open = () => (opened ??= openServing(node, command, wished));
  const whenAsked = (end: () => void) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  };
  if (httpPort === undefined) {
    const { serveMcp } = await import('./bridge/mcp-server.js');
    const newSessionId = () => createEntityId(createNodeRandom(node.crypto));
    await new Promise<void>((resolve, reject) => {
      const channel = createStreamChannel(process.stdin, process.stdout, node.timers, resolve);
      // The client is greeted before there is a vault: what its calls need is loaded while it thinks about its first.
      const write = (text: string) => channel.write(text).finally(() => void open().catch(reject));
      const server = serveMcp(open, { ...channel, write }, { ...facts, newSessionId });
      whenAsked(() => void server.close());
    });
  } else {
    const { startHttpServer: openHttp } = await import('./node/serve/http-server.js');
    const { toolset, ownFolder, ...parts } = await open();
    const folder = node.path.join(ownFolder, 'http');
    const http = await openHttp(node, {
      toolset,
      mcp: { ...facts, ...parts },
      folder,
      port: httpPort,
      tokenFile,
      report: reportLine,
    });
    print(`Serving ${http.url}\nThe clients' tokens are in ${http.tokenFile}\n`);
    await new Promise<void>((resolve) => whenAsked(resolve));
    await http.close();
  }
  await (await opened)?.close();
  return 0;
}

/** What calls of MCP clients need. */
async function openServing(
  node: NodeModules,
  command: Extract<Command, { name: 'mcp' }>,
  wished: string[] | undefined,
) {
  const { vault, state, surface, readOnly } = command;
  const { toolset, services, ownFolder, switches, close } = await openVault(node, vault, state, {
    readOnly,
    ...SERVING,
  });
  const { createCallRouter: createDoor } = await import('./bridge/call-router.js');
  const { connectIpc: findLive, ipcLocation: livePlace } =
    await import('./node/serve/ipc-server.js');
  const { currentStatePrompt } = await import('./agents/shared/state-prompt.js');
  const place = livePlace(node, ownFolder, process.env, process.platform);
  const door = createDoor({
    toolset,
    newKey: () => createEntityId(services.random),
    report: reportLine,
    after: (ms, task) => services.clock.after(ms, task),
    connect: async () => (readOnly ? undefined : findLive(node, place)), // Obsidian does not know that this door may only read
    beforeCall: () => switches.lookAgain(),
  });
  return {
    toolset,
    ownFolder,
    agents: wished ?? (await usualAgents(surface, switches.agentsOn())),
    call: (request: CallRequest, signal: AbortSignal) => door.call(request, signal),
    stateText: (shown: Named<State>, workspaceName: string) =>
      currentStatePrompt(services.files, shown, workspaceName),
    async close() {
      door.close();
      await close();
    },
  };
}

async function runCall({
  tool,
  vault,
  state,
  workspace,
  session,
  json,
}: Extract<Command, { name: 'call' }>): Promise<number> {
  const params = readJson(json ?? (await readStdin()));
  const { callTool } = await import('./toolkit/call-tool.js');
  const { toolset, services, close } = await openVault(nodeModules(), vault, state, ONCE);
  const defaults = {
    sessionId: session ?? createEntityId(services.random),
    workspaceId: workspace,
  };
  const answer = await callTool(toolset, { tool, params, defaults });
  await close();
  print(`${JSON.stringify(answer)}\n`);
  return answer.success ? 0 : 1;
}

async function runSearch(command: Extract<Command, { name: 'search' }>): Promise<number> {
  const { memoryText, notesText, progressText } = await import('./cli/search-texts.js');
  const { callTool } = await import('./toolkit/call-tool.js');
  const { query, vault, state, workspace, folder, mode, limit, isMemory, json } = command;
  const { toolset, services, close } = await openVault(nodeModules(), vault, state, {
    ...ONCE,
    patience: TO_THE_END,
  });
  const stop = process.stderr.isTTY ? showProgress(services.search, progressText) : () => undefined;
  const [tool, own] = isMemory
    ? ['searchMemory', { workspaceId: workspace ?? DEFAULT_WORKSPACE }]
    : [
        'searchContent',
        {
          ...(folder !== undefined && { rootFolder: folder }),
          ...(mode !== undefined && { mode }),
        },
      ];
  const params = { query, ...own, ...(limit !== undefined && { limit }) };
  const defaults = { sessionId: createEntityId(services.random), workspaceId: workspace };
  const answer = await callTool(toolset, { tool, params, defaults });
  stop();
  await close();
  if (json) print(`${JSON.stringify(answer)}\n`);
  else if (answer.success)
    print(isMemory ? memoryText(answer.data as never) : notesText(answer.data as never));
  else throw new Refusal(answer.error ?? 'Nothing could be searched.');
  return answer.success ? 0 : 1;
}

/** Tells a person how far notes have been read, in one line that is gone in the end. Answers how to stop. */
function showProgress(
  search: SearchService,
  textOf: (progress: NonNullable<ReturnType<SearchService['progress']>>) => string,
): () => void {
  let shown = '';
  const show = (line: string) => {
    if (line !== shown) process.stderr.write(`\r${line.padEnd(shown.length)}`);
    shown = line;
  };
  const stop = search.onProgress(() => {
    const progress = search.progress();
    if (progress && progress.total > 0) show(textOf(progress));
  });
  return () => {
    stop();
    if (shown !== '') process.stderr.write(`\r${' '.repeat(shown.length)}\r`);
  };
}

async function runRestore({
  stateName,
  vault,
  workspace,
  state,
}: Extract<Command, { name: 'restore' }>): Promise<number> {
  const { restoreState } = await import('./agents/shared/restore-state.js');
  const { resolveWorkspace } = await import('./toolkit/context.js');
  const { log, services } = await openVault(nodeModules(), vault, state, ONCE);
  const place = resolveWorkspace(await log.memory(), workspace ?? DEFAULT_WORKSPACE);
  await restoreState(services, place, stateName).finally(() => log.close());
  return print(`Restored "${stateName}" in ${place.name}.\n`);
}

async function runVerify({ vault, json }: Extract<Command, { name: 'verify' }>): Promise<number> {
  const { verify } = await import('./storage/integrity/verify.js');
  const { findingsOf } = await import('./storage/integrity/findings.js');
  const { verifyText } = await import('./cli/report-texts.js');
  const { files, root } = await openFolder(nodeModules(), vault);
  const report = await verify(files, root);
  print(
    json ? `${JSON.stringify({ ...report, findings: findingsOf(report) })}\n` : verifyText(report),
  );
  return report.isWhole ? 0 : 1;
}

async function runExport({ vault, to, as }: Extract<Command, { name: 'export' }>): Promise<number> {
  const { checkExportFolder, writeExport } = await import('./cli/export-folder.js');
  const { exportText } = await import('./cli/report-texts.js');
  const { exportLines } = await import('./transfer/export.js');
  const { memoryOf, readLogLines: readLines } = await import('./storage/read/log-lines.js');
  const { exportNotes } = await import('./transfer/export-notes.js');
  const node = nodeModules();
  const { files, root } = await openFolder(node, vault);
  const folder = node.path.resolve(to);
  await checkExportFolder(node, folder, node.path.resolve(vault, root));
  const held = await readLines(files, root);
  if (held.lines.length === 0 && held.unreadable.length === 0)
    throw new Refusal(
      `The vault "${vault}" holds no memory yet: there is nothing to export. Give --vault another folder, if it is elsewhere.`,
    );
  const made =
    as === 'notes' ? exportNotes(memoryOf(held.lines)) : (await exportLines(held.lines)).files;
  await writeExport(node, folder, made, as === 'jsonl');
  print(exportText(as, folder, made, held));
  return held.unreadable.length === 0 ? 0 : 1;
}

async function runImport(command: Extract<Command, { name: 'import' }>): Promise<number> {
  const { from, vault, mayMerge, isDryRun, json } = command;
  const { readImportSources } = await import('./cli/export-folder.js');
  const { openPluginSettings } = await import('./node/ports/plugin-settings.js');
  const { importText, othersText } = await import('./cli/report-texts.js');
  const { importLines } = await import('./transfer/import.js');
  const { isBasicMemoryNote } = await import('./transfer/foreign/basic-memory.js');
  const { detectPrograms } = await import('./transfer/foreign/detect.js');
  const { importForeign } = await import('./transfer/foreign/import-foreign.js');
  const { dayOf } = await import('./storage/format/lanes.js');
  const node = nodeModules();
  const { files, root } = await openFolder(node, vault);
  const folder = node.path.resolve(vault);
  const excludedFolders = await openPluginSettings(node, folder).excludedFolders();
  const sources = await readImportSources(node, node.path.resolve(from), {
    from: command.program,
    vault: folder,
    takesNote: isBasicMemoryNote,
  });
  const program = command.program ?? onlyProgram(from, detectPrograms(sources));
  const now = createNodeClock(node.timers).now();
  const options = { isDryRun, day: dayOf(now), tag: createWriterId(createNodeRandom(node.crypto)) };
  if (program === 'savepoint') {
    const report = await importLines(files, root, sources, { ...options, mayMerge });
    print(json ? `${JSON.stringify(report)}\n` : importText(report, isDryRun));
    return report.isWhole ? 0 : 1;
  }
  const report = await importForeign(files, root, program, sources, {
    ...options,
    now,
    excludedFolders,
  });
  print(json ? `${JSON.stringify(report)}\n` : othersText(report, isDryRun));
  return report.troubles.length === 0 ? 0 : 1;
}

function onlyProgram(from: string, programs: readonly Program[]): Program {
  if (programs.length > 1)
    throw new Refusal(
      `"${clip(from, 200)}" holds the memory of several programs. Say whose to take: --from ${programs.join(' or --from ')}.`,
    );
  return programs[0] ?? 'savepoint';
}

/** What is installed is what lies beside this very file. */
async function runInstall({
  vault,
  config,
}: Extract<Command, { name: 'install' }>): Promise<number> {
  const { installPlugin, installText } = await import('./cli/install-plugin.js');
  const node = nodeModules();
  const options = {
    source: node.path.dirname(module.filename),
    version: manifest.version,
    vault: node.path.resolve(vault),
    config,
  };
  return print(installText(await installPlugin(node, options)));
}

async function runConnect({
  vault,
  ...wishes
}: Extract<Command, { name: 'connect' }>): Promise<number> {
  const { connect } = await import('./node/connect/connect.js');
  const node = nodeModules();
  await agentsNamed(wishes.agents);
  const options = {
    ...wishes,
    vault: node.path.resolve(vault),
    running: module.filename,
    version: manifest.version,
  };
  return (await connect(node, hostOf(node), options, print)) ? 0 : 1;
}

async function runDoctor({ vault, json }: Extract<Command, { name: 'doctor' }>): Promise<number> {
  const { doctorText } = await import('./node/connect/connect-texts.js');
  const { diagnose: examine } = await import('./node/connect/doctor.js');
  const { openPluginSettings } = await import('./node/ports/plugin-settings.js');
  const node = nodeModules();
  const folder = vault === undefined ? undefined : node.path.resolve(vault);
  const report = await examine(node, hostOf(node), {
    vault: folder,
    version: manifest.version,
    dataFolder: await openPluginSettings(node, folder ?? '.').dataFolder(),
  });
  print(json ? `${JSON.stringify(report)}\n` : doctorText(report));
  return report.isOk ? 0 : 1;
}

function hostOf({ os }: NodeModules): HostEnvironment {
  return {
    platform: process.platform,
    env: process.env,
    home: os.homedir(),
    execPath: process.execPath,
  };
}

/** The files of a vault that must be there, and where in it the memory lies. Throws a `Refusal` where it is not. */
async function openFolder(
  node: NodeModules,
  vault: string,
): Promise<{ files: Files; root: VaultPath }> {
  const { createFolderFiles } = await import('./node/ports/folder-files.js');
  const { openPluginSettings } = await import('./node/ports/plugin-settings.js');
  const folder = node.path.resolve(vault);
  const files = createFolderFiles(node, folder);
  await files.list('');
  return { files, root: await openPluginSettings(node, folder).dataFolder() };
}

/** How a vault is opened. */
interface Manner {
  readonly readOnly: boolean;
  /** Whether it stays open: then it follows what others change. */
  readonly isServing: boolean;
  /** How long a search waits until notes can be found by their words and by their meaning, in milliseconds. */
  readonly patience: { readonly words: number; readonly meaning: number };
  readonly warn: (problem: unknown) => void;
}

/** What is not read by the first answer is read while the client thinks about it. */
const SERVING = { isServing: true, patience: { words: 2000, meaning: 0 }, warn: reportLine };
/** For one call: what is not read by then is read by the next. */
const ONCE: Manner = {
  readOnly: false,
  isServing: false,
  patience: { words: 10_000, meaning: 10_000 },
  warn: report,
};

/** A person who searches waits until every note can be found; for what notes mean, no longer than that. */
const TO_THE_END = { words: Infinity, meaning: 10_000 };

/** Everything that one vault needs, over a folder. A vault that cannot be opened shows with the first call, and may come later. */
async function openVault(
  node: NodeModules,
  vault: string,
  state: string | undefined,
  { readOnly, isServing, patience, warn }: Manner,
) {
  const { path } = node;
  const { openToolset } = await import('./agents/open.js');
  const { clientRefusal } = await import('./agents/client-policy.js');
  const { createFileNotes } = await import('./indexing/notes/note-source.js');
  const { createSearchService, DESKTOP_LIMITS } = await import('./indexing/search-service.js');
  const { createFolderBlobs } = await import('./node/ports/folder-blobs.js');
  const { createFolderCache } = await import('./node/ports/folder-cache.js');
  const { createFolderFiles } = await import('./node/ports/folder-files.js');
  const { openPluginSettings } = await import('./node/ports/plugin-settings.js');
  const states = await import('./node/ports/state-folder.js');
  const { createFolderWatch, NOTE_FILTER: NOTES } = await import('./node/ports/watch-folder.js');
  const { createEmbedderSource: createMeaningSource } = await import('./search/vectors/embedder-source.js');
  const { FOLDER_CACHED_LANES } = await import('./storage/read/cache.js');
  const { createLog } = await import('./storage/log.js');
  const { DEFAULT_TRACE_LIMITS: TRACE_LIMITS } = await import('./storage/integrity/retention.js');
  const folder = await node.fs.realpath(vault).catch(() => path.resolve(vault));
  const stateFolder = path.resolve(
    state ??
      process.env['SAVEPOINT_STATE'] ??
      states.defaultStateFolder(node, process.env, process.platform),
  );
  const ownFolder = states.vaultStateFolder(node, stateFolder, folder);
  const settings = openPluginSettings(node, folder);
  const root = await settings.dataFolder();
  const files = createFolderFiles(node, folder);
  const clock = createNodeClock(node.timers);
  const random = createNodeRandom(node.crypto);
  const log = createLog({
    files,
    root,
    clock,
    random,
    warn,
    identities: states.createFolderIdentities(node, path.join(ownFolder, 'writers')),
    copies: states.createFolderCopies(node, path.join(ownFolder, 'written')),
    cache: createFolderCache(node, path.join(ownFolder, 'read')),
    cachedLanes: FOLDER_CACHED_LANES,
    watch: createFolderWatch(node, folder, root),
    onNewerVersion: () => warn(NEWER_LOG),
    ...(!readOnly && { traceLimits: TRACE_LIMITS }),
    app: `savepoint/${manifest.version}`,
    device: await states
      .readDeviceName(node, stateFolder, process.platform)
      .catch(() => process.platform),
  });
  const search = createSearchService({
    log,
    clock,
    random,
    warn,
    limits: DESKTOP_LIMITS,
    patience,
    notes: createFileNotes(
      files,
      isServing ? createFolderWatch(node, folder, '', NOTES) : undefined,
    ),
    blobs: createFolderBlobs(node, path.join(ownFolder, 'search')),
    meaning: createMeaningSource((await import('../assets/meaning.txt')).default),
    skippedFolders: async () => [root, ...(await settings.excludedFolders())],
    yieldToHost: () => new Promise((resolve) => void node.timers.setImmediate(resolve)),
  });
  const services: Services = { log, files, dataFolder: root, clock, random, search };
  const refuse = async (tool: { access: Access; isRelay: boolean }, client = '') => {
    if (tool.access === 'read' || tool.isRelay) return undefined;
    if (readOnly) return READ_ONLY;
    // What is allowed in the app holds without it; a person at the shell is no client.
    return isServing ? clientRefusal(await settings.clientPolicy(), client, tool) : undefined;
  };
  const excludedFolders = await settings.excludedFolders();
  const switches = await openSwitches(settings);
  const close = async () => {
    await search.close();
    await log.close();
  };
  return {
    log,
    services,
    ownFolder,
    switches,
    close,
    toolset: openToolset({
      services,
      refuse,
      disabledAgents: switches.agentsOff,
      report: warn,
      isReadOnly: readOnly,
      excludedFolders: () => excludedFolders,
    }),
  };
}

/** What the person has switched on and off in the vault. It may change while the program serves. */
async function openSwitches(settings: ReturnType<typeof openPluginSettings>) {
  let chosen = await settings.agentSwitches();
  const those = (isOn: boolean) => Object.keys(chosen).filter((name) => chosen[name] === isOn);
  return {
    agentsOn: () => those(true),
    agentsOff: () => those(false),
    async lookAgain() {
      chosen = await settings.agentSwitches();
    },
  };
}

/** The agents that a list names; undefined where nothing is said. */
async function agentsNamed(list: string | undefined): Promise<string[] | undefined> {
  if (list === undefined) return undefined;
  const { OPTIONAL_AGENTS: FURTHER_AGENTS } = await import('./agents/index.js');
  const known = Object.keys(FURTHER_AGENTS);
  if (list === 'all') return known;
  const names = list === 'none' ? [] : list.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `There is no agent "${unknown}" to switch on. Valid: ${known.join(', ')}; all; none.`,
    );
  return names;
}

/** What a client is given where it asks for none: where each tool costs it something, those that are on everywhere; else all. */
async function usualAgents(
  surface: Surface,
  onEverywhere: string[],
): Promise<string[] | undefined> {
  const { isByName } = await import('./bridge/mcp-tools.js');
  return isByName(surface) ? onEverywhere : undefined;
}

async function runTools({
  surface,
  agents,
  json,
}: Extract<Command, { name: 'tools' }>): Promise<number> {
  const { listTools } = await import('./bridge/mcp-tools.js');
  const wished = await agentsNamed(agents);
  const toolset = await toolsetWithoutVault();
  const tools = surface
    ? listTools(toolset, surface, wished ?? (await usualAgents(surface, [])))
    : await toolFacts(toolset, wished);
  if (json) return print(`${JSON.stringify(tools, null, 2)}\n`);
  const width = Math.max(...tools.map(({ name }) => name.length)) + 2;
  return print(
    tools
      .map(
        (tool) =>
          `${tool.name.padEnd(width)}${'access' in tool ? tool.access.padEnd(7) : ''}${tool.description}\n`,
      )
      .join(''),
  );
}

/** The tools as data, for docs and scripts. */
async function toolFacts(toolset: Toolset<Services>, given: readonly string[] | undefined) {
  const { fullDescription } = await import('./toolkit/define-tool.js');
  const { inputSchema, outputSchema } = await import('./toolkit/schema.js');
  const { allTools } = await import('./toolkit/toolset.js');
  return allTools(toolset, given).map(({ agent, tool }) => {
    const { name, title, access, action, isUnlisted, failures, examples } = tool;
    const errors = Object.values(failures).map(({ error, advice }) => ({ error, advice }));
    return {
      agent: agent.name,
      name,
      title,
      access,
      action,
      isUnlisted,
      description: fullDescription(tool),
      input: inputSchema(tool),
      output: outputSchema(tool),
      failures: errors,
      examples,
    };
  });
}

/** For telling of the tools, not for calling them. */
async function toolsetWithoutVault(): Promise<Toolset<Services>> {
  const { createToolset } = await import('./agents/index.js');
  const noVault = () => Promise.reject(new Error('No vault is open'));
  return createToolset({
    services: {} as Services,
    memory: noVault,
    refuse: noVault,
    writeTrace: noVault,
    report,
  });
}

function nodeModules(): NodeModules {
  return {
    fs: process.getBuiltinModule('node:fs/promises'),
    path: process.getBuiltinModule('node:path'),
    os: process.getBuiltinModule('node:os'),
    timers: process.getBuiltinModule('node:timers'),
    // Not every command needs these at once, if at all, and they take their time to load.
    get crypto() {
      return process.getBuiltinModule('node:crypto');
    },
    get net() {
      return process.getBuiltinModule('node:net');
    },
    get stream() {
      return process.getBuiltinModule('node:stream');
    },
    get http() {
      return process.getBuiltinModule('node:http');
    },
    get https() {
      return process.getBuiltinModule('node:https');
    },
    get childProcess() {
      return process.getBuiltinModule('node:child_process');
    },
  };
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) return '{}';
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString('utf8');
  return text.trim() === '' ? '{}' : text;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `The parameters are not valid JSON (${error instanceof Error ? error.message : 'unreadable'}). Give an object like {"name": "Plan"}.`,
    );
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** The one logger: standard error, so that standard output stays the protocol's. */
function report(error: unknown): void {
  process.stderr.write(`savepoint: ${textOf(error)}\n`);
}

/** As `report`, for the programs that read a server's log: one line of JSON each. */
function reportLine(error: unknown): void {
  const level = error instanceof Error && !(error instanceof Refusal) ? 'error' : 'warning';
  process.stderr.write(
    `${JSON.stringify({ time: new Date().toISOString(), level, logger: 'savepoint', message: textOf(error) })}\n`,
  );
}

function textOf(error: unknown): string {
  return error instanceof Refusal
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
}

if (require.main === module) {
  void run(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
}
