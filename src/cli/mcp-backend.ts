import type { Services } from '../agents/services.js';
import { currentBrief } from '../agents/shared/current-brief.js';
import { currentStatePrompt } from '../agents/shared/state-prompt.js';
import { DEFAULT_BRIEF_TOKENS } from '../brief/brief.js';
import { briefTopic } from '../brief/relevant-traces.js';
import { CallRouter } from '../bridge/call-router.js';
import type { McpOptions } from '../bridge/mcp-server.js';
import { isPrivateEnvironment } from '../node/environment.js';
import { connectIpc, ipcLocation } from '../node/serve/ipc-server.js';
import { createEntityId } from '../platform/random.js';
import { isNewerVersion } from '../platform/versions.js';
import { addNotice } from '../toolkit/answer.js';
import { resolveWorkspace } from '../toolkit/context.js';
import type { Surface } from '../toolkit/surfaces.js';
import type { Toolkit } from '../toolkit/toolkit.js';
import type { ProgramHost } from './program.js';
import { openProjects } from './projects.js';
import { answerAsTyped } from './texts/typed-command.js';
import { defaultToolsets } from './toolsets.js';
import { openVault, type VaultOptions } from './vault.js';

interface McpBackendOptions extends Omit<VaultOptions, 'isReadOnly' | 'isServing' | 'searchWait'> {
  readonly surface: Surface;
  /** The toolsets for the client; the default ones if undefined. */
  readonly toolsets: readonly string[] | undefined;
  readonly readOnly: boolean;
  /** True if a client started this process for itself; calls then happen in its project. */
  readonly isOwnProcess: boolean;
  /** The session of the client; undefined if there may be several. */
  readonly session: string | undefined;
  /** Name or id of the workspace in which the session starts. */
  readonly workspace: string | undefined;
}

/** Everything that calls of MCP clients need. */
export interface McpBackend extends Pick<
  McpOptions,
  'toolsets' | 'call' | 'projects' | 'hostWorkspaceId' | 'stateText' | 'briefText'
> {
  readonly toolkit: Toolkit<Services>;
  readonly deviceFolder: string;
  close(): Promise<void>;
}

/** A client's search waits only briefly; the rest is indexed while the client thinks. */
const SEARCH_WAIT = { words: 2000, embeddings: 0 };

/** Opens the vault for MCP clients. Calls go to the plugin while Obsidian has the vault open. */
export async function openMcpBackend(
  program: ProgramHost,
  options: McpBackendOptions,
): Promise<McpBackend> {
  const { vault, problem, state, surface, toolsets, readOnly, isOwnProcess, report } = options;
  const { session, workspace } = options;
  const { node, env, platform } = program;
  const serving = { isReadOnly: readOnly, isServing: true, searchWait: SEARCH_WAIT };
  const open = await openVault(program, { ...options, ...serving });
  const { toolkit, services, deviceFolder, clientSettings } = open;
  if (problem === undefined && session !== undefined && workspace !== undefined) {
    try {
      const { item } = resolveWorkspace(await services.log.memory(), workspace);
      toolkit.sessions.enterWorkspace(session, item.id);
    } catch (error) {
      await open.close();
      throw error;
    }
  }
  const location = ipcLocation(node, deviceFolder, env, platform);
  const versions = compareVersions(program.version);
  const projects = isOwnProcess ? await openProjects(program, { vault, state, report }) : undefined;
  const router = new CallRouter({
    toolkit,
    projects,
    newKey: () => createEntityId(services.random),
    report,
    after: (ms, task) => services.clock.after(ms, task),
    // The plugin does not know that this connection is read-only or private.
    connect: async () =>
      readOnly || isPrivateEnvironment(env) ? undefined : connectIpc(node, location, versions.met),
    beforeCall: () => clientSettings.refresh(),
  });
  const { script } = program;
  const shell = { node, env, script, args: ['--vault', node.path.resolve(vault)] };
  const stopReading = keepReading(services);
  const stopWarming = isOwnProcess ? warmUp(services) : () => undefined;
  return {
    toolkit,
    deviceFolder,
    toolsets: toolsets ?? defaultToolsets(surface, clientSettings.enabledToolsets()),
    call: async (...request) =>
      answerAsTyped(shell, addNotice(await router.call(...request), versions.notice())),
    projects,
    hostWorkspaceId: () => router.hostWorkspaceId(),
    stateText: (state, workspaceName, project) =>
      currentStatePrompt(services, state, workspaceName, project),
    briefText: (memory, workspaceId, about, project) => {
      const request = { workspaceId, about: briefTopic(about), budget: DEFAULT_BRIEF_TOKENS };
      return currentBrief(services, memory, request, project);
    },
    async close() {
      stopReading();
      stopWarming();
      router.close();
      await open.close();
    },
  };
}

/** Compares this program with the plugin. Has a notice, once for each other version. */
function compareVersions(own: string) {
  let plugin = own;
  const told = new Set([own]);
  return {
    met: (version: string): void => {
      plugin = version;
    },
    notice: (): string | undefined => {
      if (told.has(plugin)) return undefined;
      told.add(plugin);
      const what = isNewerVersion(plugin, own)
        ? 'to press Update in Obsidian, under Settings → Savepoint → AI apps, and to restart this app'
        : 'to update the plugin Savepoint in Obsidian';
      return `This app starts version ${own} of Savepoint, and version ${plugin} answers in Obsidian: tell the user ${what}.`;
    },
  };
}

/** With the minute for which a loss must last, it is restored within two minutes. */
const READ_INTERVAL_MS = 40_000;

/** Reads the log at intervals, because only that notices a loss. Returns a stop function. */
function keepReading({ log, clock }: Services): () => void {
  let cancel: () => void = () => undefined;
  const schedule = () => {
    cancel = clock.after(READ_INTERVAL_MS, () => {
      log.memory().catch(() => undefined); // each call tells the client
      schedule();
    });
  };
  schedule();
  return () => cancel();
}

/** Time after the start, so that the answers to `initialize` and `tools/list` come first. */
const WARM_UP_AFTER_MS = 300;

/** Opens the embedder while the client thinks, so that the first search has it. */
function warmUp({ search, clock }: Services): () => void {
  return clock.after(WARM_UP_AFTER_MS, () => {
    // a search says what fails
    search.memory.warmUp().catch(() => undefined);
  });
}
