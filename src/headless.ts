import manifest from '../manifest.json';
import { createToolset } from './agents/index.js';
import { openToolset } from './agents/open.js';
import { restoreState } from './agents/restore-state.js';
import type { Services } from './agents/services.js';
import { serveMcp } from './bridge/mcp-server.js';
import { DEFAULT_WORKSPACE } from './model/memory.js';
import { Refusal } from './model/refusal.js';
import { readCommand, USAGE, UsageError, type Command } from './node/command-line.js';
import { checkExportFolder, readImportSources, writeExport } from './node/export-folder.js';
import { createFolderFiles } from './node/folder-files.js';
import { createNodeClock, createNodeRandom } from './node/host-ports.js';
import { installPlugin, installText } from './node/install.js';
import { createDoor } from './node/live-door.js';
import { findLive, livePlace } from './node/live-socket.js';
import type { NodeModules } from './node/modules.js';
import { exportText, importText, verifyText } from './node/report-texts.js';
import { createFolderCopies, createFolderIdentities, defaultStateFolder, readDeviceName, vaultStateFolder } from './node/state-folder.js';
import { createStreamChannel } from './node/stream-channel.js';
import type { Files } from './storage/files.js';
import { exportLines } from './storage/export.js';
import { findingsOf } from './storage/findings.js';
import { createEntityId, createWriterId } from './storage/ids.js';
import { importLines } from './storage/import.js';
import { createLog } from './storage/log.js';
import { dayOf } from './storage/lanes.js';
import { memoryOf, readLines } from './storage/log-lines.js';
import { exportNotes } from './storage/notes.js';
import { verify } from './storage/verify.js';
import { callTool } from './toolkit/call-tool.js';
import { resolveWorkspace } from './toolkit/context.js';
import type { Access } from './toolkit/define-tool.js';
import { inputSchema, outputSchema } from './toolkit/schema.js';
import { allTools } from './toolkit/toolset.js';

const DATA_FOLDER = 'Savepoint';
const READ_ONLY = 'This connection may only read. The person who runs Savepoint can change that by starting it without --read-only.';

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
      return print(command.json ? `${JSON.stringify(toolFacts(), null, 2)}\n` : toolLines());
    case 'verify':
      return runVerify(command);
    case 'export':
      return runExport(command);
    case 'import':
      return runImport(command);
    case 'install':
      return runInstall(command);
    case 'restore':
      return runRestore(command);
    case 'call':
      return runCall(command);
    case 'mcp':
      return runMcp(command);
  }
}

async function runMcp({ vault, state, surface, readOnly }: Extract<Command, { name: 'mcp' }>): Promise<number> {
  const node = nodeModules();
  const { toolset, log, services, ownFolder } = await openVault(node, vault, state, readOnly);
  const place = livePlace(node, ownFolder, process.env, process.platform);
  const door = createDoor({
    ...{ toolset, newKey: () => createEntityId(services.random), after: (ms, task) => services.clock.after(ms, task) },
    find: async () => (readOnly ? undefined : findLive(node, place)), // Obsidian does not know that this door may only read
    report,
  });
  await new Promise<void>((resolve) => {
    const channel = createStreamChannel(process.stdin, process.stdout, node.timers, resolve);
    const server = serveMcp(toolset, channel, {
      ...{ version: manifest.version, vaultName: node.path.basename(node.path.resolve(vault)), surface, report },
      newSessionId: () => createEntityId(services.random),
      call: (request) => door.call(request),
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
  });
  door.close();
  await log.close();
  return 0;
}

async function runCall({ tool, vault, state, workspace, session, json }: Extract<Command, { name: 'call' }>): Promise<number> {
  const params = readJson(json ?? (await readStdin()));
  const { toolset, log, services } = await openVault(nodeModules(), vault, state, false);
  const defaults = { sessionId: session ?? createEntityId(services.random), workspaceId: workspace };
  const answer = await callTool(toolset, { tool, params, defaults });
  await log.close();
  print(`${JSON.stringify(answer)}\n`);
  return answer.success ? 0 : 1;
}

async function runRestore({ stateName, vault, workspace, state }: Extract<Command, { name: 'restore' }>): Promise<number> {
  const { log, services } = await openVault(nodeModules(), vault, state, false);
  const place = resolveWorkspace(await log.memory(), workspace ?? DEFAULT_WORKSPACE);
  await restoreState(services, place, stateName).finally(() => log.close());
  return print(`Restored "${stateName}" in ${place.name}.\n`);
}

async function runVerify({ vault, json }: Extract<Command, { name: 'verify' }>): Promise<number> {
  const report = await verify(await openFolder(nodeModules(), vault), DATA_FOLDER);
  print(json ? `${JSON.stringify({ ...report, findings: findingsOf(report) })}\n` : verifyText(report));
  return report.isWhole ? 0 : 1;
}

async function runExport({ vault, to, as }: Extract<Command, { name: 'export' }>): Promise<number> {
  const node = nodeModules();
  const files = await openFolder(node, vault);
  const folder = node.path.resolve(to);
  await checkExportFolder(node, folder, node.path.resolve(vault, DATA_FOLDER));
  const held = await readLines(files, DATA_FOLDER);
  if (held.lines.length === 0 && held.waiting.length === 0)
    throw new Refusal(
      `The vault "${vault}" holds no memory yet: there is nothing to export. Give --vault another folder, if it is elsewhere.`,
    );
  const made = as === 'notes' ? exportNotes(memoryOf(held.lines)) : (await exportLines(held.lines)).files;
  await writeExport(node, folder, made, as === 'jsonl');
  print(exportText(as, folder, made, held));
  return held.waiting.length === 0 ? 0 : 1;
}

async function runImport({ from, vault, mayMerge, isDryRun, json }: Extract<Command, { name: 'import' }>): Promise<number> {
  const node = nodeModules();
  const files = await openFolder(node, vault);
  const sources = await readImportSources(node, node.path.resolve(from));
  const [day, tag] = [dayOf(createNodeClock(node.timers).now()), createWriterId(createNodeRandom(node.crypto))];
  const report = await importLines(files, DATA_FOLDER, sources, { mayMerge, isDryRun, day, tag });
  print(json ? `${JSON.stringify(report)}\n` : importText(report, isDryRun));
  return report.isWhole ? 0 : 1;
}

/** What is installed is what lies beside this very file. */
async function runInstall({ vault, config }: Extract<Command, { name: 'install' }>): Promise<number> {
  const node = nodeModules();
  const options = { source: node.path.dirname(module.filename), version: manifest.version, vault: node.path.resolve(vault), config };
  return print(installText(await installPlugin(node, options)));
}

/** The files of a vault that must be there. Throws a `Refusal` where it is not. */
async function openFolder(node: NodeModules, vault: string): Promise<Files> {
  const files = createFolderFiles(node, node.path.resolve(vault));
  await files.list('');
  return files;
}

/** Everything that one vault needs, over a folder. A vault that cannot be opened shows with the first call, and may come later. */
async function openVault(node: NodeModules, vault: string, state: string | undefined, readOnly: boolean) {
  const { path } = node;
  const folder = await node.fs.realpath(vault).catch(() => path.resolve(vault));
  const stateFolder = path.resolve(state ?? process.env['SAVEPOINT_STATE'] ?? defaultStateFolder(node, process.env, process.platform));
  const ownFolder = vaultStateFolder(node, stateFolder, folder);
  const files = createFolderFiles(node, folder);
  const clock = createNodeClock(node.timers);
  const random = createNodeRandom(node.crypto);
  const log = createLog({
    ...{ files, root: DATA_FOLDER, clock, random, warn: report },
    identities: createFolderIdentities(node, path.join(ownFolder, 'writers')),
    copies: createFolderCopies(node, path.join(ownFolder, 'written')),
    watch: createFolderWatch(node, folder, DATA_FOLDER),
    ...(!readOnly && { traceLimits: TRACE_LIMITS }),
    app: `savepoint/${manifest.version}`,
    device: await readDeviceName(node, stateFolder, process.platform).catch(() => process.platform),
  });
  const services: Services = { log, files, dataFolder: DATA_FOLDER, clock, random };
  const refuse = (tool: { access: Access; isRelay: boolean }) =>
    Promise.resolve(readOnly && tool.access !== 'read' && !tool.isRelay ? READ_ONLY : undefined);
  return { log, services, ownFolder, toolset: openToolset({ services, refuse, report, isReadOnly: readOnly }) };
}

/** The tools as data, for docs and scripts. */
function toolFacts() {
  return listTools().map(({ agent, tool }) => {
    const { name, title, access, description, failures, examples } = tool;
    const errors = Object.values(failures).map(({ error, advice }) => ({ error, advice }));
    return {
      agent: agent.name,
      name,
      title,
      access,
      description,
      input: inputSchema(tool),
      output: outputSchema(tool),
      failures: errors,
      examples,
    };
  });
}

function toolLines(): string {
  return listTools()
    .map(({ tool }) => `${tool.name.padEnd(18)}${tool.access.padEnd(7)}${tool.description}\n`)
    .join('');
}

/** The tools without a vault: for telling of them, not for calling them. */
function listTools() {
  const noVault = () => Promise.reject(new Error('No vault is open'));
  const host = { services: {} as Services, memory: noVault, refuse: noVault, keepTrace: noVault, report };
  return allTools(createToolset(host));
}

function nodeModules(): NodeModules {
  return {
    fs: process.getBuiltinModule('node:fs/promises'),
    path: process.getBuiltinModule('node:path'),
    os: process.getBuiltinModule('node:os'),
    timers: process.getBuiltinModule('node:timers'),
    crypto: process.getBuiltinModule('node:crypto'),
    net: process.getBuiltinModule('node:net'),
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
  const text = error instanceof Refusal ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`savepoint: ${text}\n`);
}

if (require.main === module) {
  void run(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
}
