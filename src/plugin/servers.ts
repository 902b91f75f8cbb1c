import type { App, PluginManifest } from 'obsidian';
import { currentBrief } from '../agents/shared/current-brief.js';
import { currentStatePrompt } from '../agents/shared/state-prompt.js';
import { DEFAULT_BRIEF_TOKENS } from '../brief/brief.js';
import { briefTopic } from '../brief/relevant-traces.js';
import { CallRouter } from '../bridge/call-router.js';
import { HOST_WORKSPACE, type LiveToolCall } from '../bridge/live-protocol.js';
import type { McpOptions } from '../bridge/mcp-server.js';
import { answerToResult, listTools } from '../bridge/mcp-tools.js';
import { createTokenFile, readTokens, removeToken, renewToken } from '../node/serve/http-tokens.js';
import type { IpcServer } from '../node/serve/ipc-server.js';
import { startVaultServer, vaultDeviceFolder } from '../node/serve/vault-server.js';
import type { Clients } from '../obsidian/clients/clients.js';
import { createHttpAccess } from '../obsidian/clients/http-access.js';
import {
  createRestApiTools,
  REST_API_CLIENT,
  type RestApiTools,
} from '../obsidian/clients/rest-api-server.js';
import { report } from '../obsidian/host/logger.js';
import type { Savepoint } from '../obsidian/savepoint.js';
import { toolsetsOn, type Settings } from '../obsidian/settings-schema.js';
import type { Store } from '../obsidian/store.js';
import { createEntityId } from '../platform/random.js';
import { findTool } from '../toolkit/toolkit.js';
import type { Disk } from './disk.js';

export interface ServersOptions {
  readonly app: App;
  readonly manifest: PluginManifest;
  readonly settings: Store<Settings>;
  readonly savepoint: Savepoint;
  readonly clients: Clients;
  /** Undefined on a device without Node, where only the Local REST API is available. */
  readonly disk: Disk | undefined;
}

export type Servers = ReturnType<typeof createServers>;

/** Servers for AI apps outside: the local socket, HTTP, and the plugin "Local REST API". */
export function createServers(options: ServersOptions) {
  const { manifest, settings, clients, disk } = options;
  const call = createLocalCall(options);
  const http = disk && createHttp(options, disk, call);
  const restApi = createRestApi(options, call);
  let ipc: IpcServer | undefined;

  const startIpc = ({ node, vault }: Disk): Promise<IpcServer> => {
    const { env, platform } = node.process;
    const toolkitFor = ({ client, tool }: LiveToolCall) => {
      if (tool !== HOST_WORKSPACE) clients.note(client, tool);
      return clients.toolkit;
    };
    const { version } = manifest;
    return startVaultServer(node, { vault, env, platform, version, toolkitFor, report });
  };

  return {
    http,
    restApi,
    /** Starts and stops the local socket and the REST API according to the current settings. */
    async applySettings(): Promise<void> {
      restApi.refresh();
      const isWanted = settings.get().isBridgeOn;
      if (!disk || isWanted === (ipc !== undefined)) return;
      void ipc?.close();
      ipc = undefined;
      if (isWanted) ipc = await startIpc(disk).catch(reportFailure);
    },
    /** Stops at once, so that a reloaded plugin can listen. Resolves when files are removed. */
    async close(): Promise<void> {
      const closing = Promise.all([ipc?.close(), http?.close()]);
      restApi.close();
      await closing;
    },
  };
}

function reportFailure(error: unknown): undefined {
  report(error);
  return undefined;
}

/** Returns a function that answers calls in this process. */
function createLocalCall({ savepoint, clients }: ServersOptions): McpOptions['call'] {
  const { clock, random } = savepoint.services;
  const router = new CallRouter({
    toolkit: clients.toolkit,
    report,
    newKey: () => createEntityId(random),
    connect: () => Promise.resolve(undefined),
    after: (ms, task) => clock.after(ms, task),
  });
  return (request, signal) => {
    clients.note(request.defaults.client ?? '', request.tool);
    return router.call(request, signal);
  };
}

function createHttp(
  { app, manifest, settings, savepoint, clients }: ServersOptions,
  { node, vault }: Disk,
  call: McpOptions['call'],
) {
  const { env, platform } = node.process;
  const { clock } = savepoint.services;
  const mcp: McpOptions = {
    version: manifest.version,
    vaultName: app.vault.getName(),
    surface: 'full',
    call,
    report,
    get toolsets() {
      return toolsetsOn(settings.get());
    },
    stateText: (state, workspaceName) =>
      currentStatePrompt(savepoint.services, state, workspaceName),
    briefText: (memory, workspaceId, about) => {
      const request = { workspaceId, about: briefTopic(about), budget: DEFAULT_BRIEF_TOKENS };
      return currentBrief(savepoint.services, memory, request);
    },
    after: (ms, task) => clock.after(ms, task),
  };
  const folder = async () =>
    node.path.join(await vaultDeviceFolder(node, { vault, env, platform }), 'http');
  const tokenFile = async () => {
    const file = node.path.join(await folder(), 'http-tokens');
    await createTokenFile(node, file);
    return file;
  };
  return createHttpAccess({
    app,
    open: async (port) => {
      const { startHttpServer } = await import('../node/serve/http-server.js');
      const { toolkit } = clients;
      return startHttpServer(node, { toolkit, mcp, folder: await folder(), port, report });
    },
    tokens: {
      list: async () => readTokens(node, await tokenFile()),
      renew: async (client) => renewToken(node, await tokenFile(), client),
      remove: async (client) => removeToken(node, await tokenFile(), client),
    },
  });
}

function createRestApi(
  { app, manifest, settings, savepoint, clients }: ServersOptions,
  call: McpOptions['call'],
): RestApiTools {
  const sessionId = createEntityId(savepoint.services.random);
  const toolsets = () => toolsetsOn(settings.get());
  return createRestApiTools({
    app,
    manifest,
    toResult: (answer, name) => answerToResult(answer, findTool(clients.toolkit, name).tool),
    isOn: () => settings.get().isRestApiOn,
    tools: () => listTools(clients.toolkit, 'full', toolsets()),
    call: (tool, params, signal) => {
      const defaults = { sessionId, client: REST_API_CLIENT, toolsets: toolsets() };
      return call({ tool, params, defaults }, signal);
    },
  });
}
