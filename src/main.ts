import { FileSystemAdapter, getLanguage, Notice, Platform, Plugin } from 'obsidian';
import { withClientAccess } from './agents/client-policy.js';
import { DESKTOP_LIMITS, PHONE_LIMITS } from './indexing/search-service.js';
import { currentStatePrompt } from './agents/shared/state-prompt.js';
import type { McpOptions } from './bridge/mcp-server.js';
import type { LiveToolCall } from './bridge/live-protocol.js';
import { answerToResult, listTools } from './bridge/mcp-tools.js';
import { Refusal } from './model/refusal.js';
import { createFolderFiles } from './node/ports/folder-files.js';
import { createNodeFetch } from './node/ports/node-fetch.js';
import { createTokenFile, readTokens, removeToken, renewToken } from './node/serve/http-tokens.js';
import { createCallRouter } from './bridge/call-router.js';
import type { IpcServer } from './node/serve/ipc-server.js';
import { startVaultServer, vaultDeviceFolder } from './node/serve/vault-server.js';
import { createApprovals } from './obsidian/clients/approvals.js';
import { createChat, type ChatService } from './obsidian/chat/chat-service.js';
import {
  yieldToHost,
  yieldWhenIdle,
  createWindowClock,
  createWindowRandom,
} from './obsidian/host/browser-ports.js';
import { createClientNotices } from './obsidian/clients/client-notices.js';
import { createClients, type ClientActivity, type Clients } from './obsidian/clients/clients.js';
import { addCommands } from './obsidian/commands/index.js';
import type { Connections } from './obsidian/clients/connections.js';
import { loadNodeModules } from './obsidian/host/desktop.js';
import { readDevice } from './obsidian/host/device.js';
import { createHttpAccess, type HttpAccess } from './obsidian/clients/http-access.js';
import { createFallbackFetch } from './obsidian/models/fallback-fetch.js';
import { createModels } from './obsidian/models/model-registry.js';
import { webFetch } from './obsidian/models/web-fetch.js';
import { createIdbCache } from './obsidian/host/idb-cache.js';
import { createIdbCopies } from './obsidian/host/idb-copies.js';
import { createDatabase, clearCaches, type DeviceDatabase } from './obsidian/host/idb.js';
import { createIdbBlobs } from './obsidian/host/idb-blobs.js';
import { createLocalIdentities } from './obsidian/host/local-identities.js';
import { report } from './obsidian/host/logger.js';
import { createMirror } from './obsidian/memory/note-mirror.js';
import { createRemoteEmbedderConfig } from './obsidian/models/remote-embedder.js';
import {
  createRestApiDoor,
  REST_API_CLIENT,
  type RestApiDoor,
} from './obsidian/clients/rest-api-server.js';
import { createSavepoint, type Savepoint } from './obsidian/savepoint.js';
import { SavepointSettingTab } from './obsidian/settings/settings-tab.js';
import type { SettingsHost } from './obsidian/settings/host.js';
import { agentsOn, readSettings, type Settings } from './obsidian/settings-schema.js';
import { showClients, showStatus } from './obsidian/clients/status-bar.js';
import { createStore } from './obsidian/store.js';
import { chooseLanguage, text } from './obsidian/i18n/index.js';
import { addApprovals } from './obsidian/clients/ui/approval-ui.js';
import { addViews, openMemory } from './obsidian/views.js';
import { createVaultFiles } from './obsidian/host/vault-files.js';
import { createVaultNotes } from './obsidian/host/vault-notes.js';
import { createVaultWatch } from './obsidian/host/vault-watch.js';
import { createEmbedderSource } from './search/vectors/embedder-source.js';
import { FOLDER_CACHED_LANES } from './storage/read/cache.js';
import { createEntityId } from './platform/random.js';
import { findTool } from './toolkit/toolset.js';

/** The vault as a folder, on a desktop. */
interface Disk {
  readonly node: NonNullable<Awaited<ReturnType<typeof loadNodeModules>>>;
  readonly vault: string;
}

/** What is open while the plugin runs with one data folder. */
interface Opened {
  readonly savepoint: Savepoint;
  readonly clients: Clients;
  readonly chat: ChatService;
  readonly disk: Disk | undefined;
  readonly database: DeviceDatabase;
  readonly http: ReturnType<typeof createHttpAccess> | undefined;
  readonly restApi: RestApiDoor;
  live: IpcServer | undefined;
}

/** The plugin. Its `onload` registers and returns; what there is to read is read once the layout is ready. */
export default class SavepointPlugin extends Plugin {
  private readonly savepoint = createStore<Savepoint | undefined>(undefined);
  private readonly chosen = createStore(readSettings(undefined));
  private readonly connections = createStore<Connections | undefined>(undefined);
  private readonly activity = createStore<readonly ClientActivity[]>([]);
  private readonly http = createStore<HttpAccess | undefined>(undefined);
  private readonly restApi = createStore<RestApiDoor | undefined>(undefined);
  private readonly clock = createWindowClock();
  private readonly approvals = createApprovals(this.clock, this.chosen);
  private readonly notices = createClientNotices(this.clock, () => this.chosen.get().clientNotices);
  private readonly mirror = createMirror({
    app: this.app,
    savepoint: this.savepoint,
    clock: this.clock,
    yieldToHost: yieldToHost,
    report,
  });
  private readonly models = createModels({
    settings: this.chosen,
    secrets: this.app.secretStorage,
    now: () => this.clock.now(),
    fetchLike: () => (this.fetchLike ??= openFetchLike()),
  });
  private readonly ownModel = createRemoteEmbedderConfig({
    app: this.app,
    savepoint: this.savepoint,
    report,
    fetchLike: () => (this.fetchLike ??= openFetchLike()),
  });
  private fetchLike: Promise<typeof fetch> | undefined;
  private opened: Opened | undefined;
  /** Opening and closing come one after another, in the order in which they were asked for. */
  private turn: Promise<void> = Promise.resolve();
  private isUnloaded = false;

  override onload(): void {
    chooseLanguage(getLanguage());
    const { app, savepoint, connections, activity, clock } = this;
    addViews(this, savepoint);
    addCommands(this, { savepoint, connections, rebuildCache: () => this.rebuildCache() });
    this.addSettingTab(new SavepointSettingTab(this, this.settingsHost()));
    this.register(this.mirror.start());
    this.register(this.ownModel.start());
    addApprovals(this, {
      approvals: this.approvals,
      clock,
      allowAlways: (client) => this.change(withClientAccess(this.chosen.get(), client, 'write')),
    });
    this.register(showClients(this.addStatusBarItem(), activity, clock));
    this.register(showStatus(this.addStatusBarItem(), savepoint, () => void openMemory(app)));
    this.register(() => this.notices.close());
    this.registerEvent(
      app.workspace.on('obsidian-local-rest-api:loaded', () => this.opened?.restApi.look()),
    );
    this.registerEvent(app.workspace.on('quit', (tasks) => tasks.add(() => this.close())));
    app.workspace.onLayoutReady(() => void this.open().catch(report));
  }

  override onunload(): void {
    this.isUnloaded = true;
    // At once: what is loaded next listens in its place.
    void this.opened?.live?.close();
    void this.opened?.http?.close();
    this.opened?.restApi.close();
    this.approvals.close();
    void this.close().catch(report);
  }

  override onExternalSettingsChange(): void {
    void this.open().catch(report);
  }

  private settingsHost(): SettingsHost {
    const {
      app,
      savepoint,
      chosen,
      mirror,
      models,
      ownModel,
      connections,
      activity,
      http,
      restApi,
    } = this;
    return {
      app,
      savepoint,
      chosen,
      mirror,
      models,
      ownModel,
      connections,
      activity,
      http,
      restApi,
      deviceName: () => readDevice(app, createWindowRandom()).name,
      pluginFolder: this.manifest.dir ?? '',
      change: (settings, whileClosed) => this.change(settings, whileClosed),
      rebuildCache: () => this.rebuildCache(),
    };
  }

  /** Saves settings and opens as they say. What must not meet an open memory runs before, and where it fails nothing is saved. */
  private async change(settings: Settings, whileClosed?: () => Promise<void>): Promise<void> {
    try {
      if (whileClosed) await this.inTurn(() => this.closeNow().then(whileClosed));
      await this.saveData(settings);
    } finally {
      await this.open();
    }
  }

  /** Forgets what this device has kept of its readings and reads everything anew; answers how many milliseconds that took. */
  private async rebuildCache(): Promise<number> {
    const began = this.clock.now();
    try {
      await this.inTurn(async () => {
        await this.closeNow();
        const database = createDatabase(readDevice(this.app, createWindowRandom()).id, this.clock);
        await clearCaches(database).finally(() => database.close());
      });
    } finally {
      await this.open();
    }
    const reading = this.opened?.savepoint.memoryStatus.get();
    if (reading?.phase === 'failed') throw new Refusal(reading.error);
    return this.clock.now() - began;
  }

  /** Opens the memory as the settings say: anew where they name another data folder than before. */
  private async open(): Promise<void> {
    await this.inTurn(async () => {
      const settings = readSettings(await this.loadData());
      const isElsewhere = settings.dataFolder !== this.opened?.savepoint.services.dataFolder;
      if (isElsewhere) await this.closeNow();
      if (this.isUnloaded) return;
      this.chosen.set(settings);
      if (isElsewhere) await this.openNow();
      await this.listenOrNot();
    });
    await this.opened?.savepoint.start();
  }

  private close(): Promise<void> {
    return this.inTurn(() => this.closeNow());
  }

  private inTurn(task: () => Promise<void>): Promise<void> {
    const run = this.turn.then(task);
    this.turn = run.catch(() => undefined); // whoever asked for it hears of it
    return run;
  }

  private async openNow(): Promise<void> {
    const { app, clock, chosen } = this;
    const { adapter } = app.vault;
    const random = createWindowRandom();
    const node = adapter instanceof FileSystemAdapter ? await loadNodeModules() : undefined;
    const disk =
      node && adapter instanceof FileSystemAdapter
        ? { node, vault: adapter.getBasePath() }
        : undefined;
    const connections = disk && (await this.connectionsOf(disk));
    const { default: packedMeaning } = await import('../assets/meaning.txt'); // not at the start: it is large, and no view waits for it
    const device = readDevice(app, random);
    const database = createDatabase(device.id, clock);
    const savepoint = createSavepoint({
      obsidian: app,
      settings: chosen,
      clock,
      random,
      report,
      yieldToHost: yieldToHost,
      // On a desktop the disk itself, which can promise that what was saved survives a power cut.
      files: disk ? createFolderFiles(disk.node, disk.vault) : createVaultFiles(adapter, clock),
      identities: createLocalIdentities(app),
      copies: createIdbCopies(database),
      cache: createIdbCache(database),
      ...(disk && { cachedLanes: FOLDER_CACHED_LANES }),
      device: device.name,
      app: `savepoint/${this.manifest.version}`,
      watch: createVaultWatch(app.vault, chosen.get().dataFolder),
      onNewerVersion: () => void new Notice(text.general.newerLog, 0),
      search: {
        notes: createVaultNotes(app.vault),
        blobs: createIdbBlobs(database),
        meaning: createEmbedderSource(packedMeaning),
        limits: Platform.isMobile ? PHONE_LIMITS : DESKTOP_LIMITS,
        yieldToHostWhenIdle: yieldWhenIdle,
      },
    });
    const chat = createChat({
      savepoint,
      conversations: savepoint.conversations,
      models: this.models,
      changeSettings: (change) => this.change(change(chosen.get())),
    });
    const clients = createClients({
      savepoint,
      activity: this.activity,
      approvals: this.approvals,
      traced: (trace) => this.notices.tell(trace, findTool(clients.toolset, trace.tool).tool),
    });
    const answer = this.answerOf(savepoint, clients);
    const http = disk && this.httpOf(disk, savepoint, clients, answer);
    const restApi = this.restApiOf(savepoint, clients, answer);
    this.opened = { savepoint, chat, clients, http, restApi, disk, database, live: undefined };
    this.savepoint.set(savepoint);
    this.connections.set(connections);
    this.http.set(http);
    this.restApi.set(restApi);
    void http?.start();
  }

  /** How a call is answered that has come to this very process. */
  private answerOf({ services }: Savepoint, clients: Clients): McpOptions['call'] {
    const door = createCallRouter({
      toolset: clients.toolset,
      report,
      newKey: () => createEntityId(services.random),
      connect: () => Promise.resolve(undefined),
      after: (ms, task) => this.clock.after(ms, task),
    });
    return (request, signal) => {
      clients.note(request.defaults.client ?? '', request.tool);
      return door.call(request, signal);
    };
  }

  private httpOf(
    disk: Disk,
    savepoint: Savepoint,
    { toolset }: Clients,
    call: McpOptions['call'],
  ): Opened['http'] {
    const { node, vault } = disk;
    const { env, platform } = node.process;
    const { chosen, clock } = this;
    const mcp: McpOptions = {
      version: this.manifest.version,
      vaultName: this.app.vault.getName(),
      surface: 'full',
      call,
      report,
      get agents() {
        return agentsOn(chosen.get());
      },
      stateText: (shown, workspaceName) =>
        currentStatePrompt(savepoint.services.files, shown, workspaceName),
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
      app: this.app,
      open: async (port) =>
        (await import('./node/serve/http-server.js')).startHttpServer(node, {
          toolset,
          mcp,
          folder: await folder(),
          port,
          report,
        }),
      tokens: {
        list: async () => readTokens(node, await tokenFile()),
        renew: async (client) => renewToken(node, await tokenFile(), client),
        remove: async (client) => removeToken(node, await tokenFile(), client),
      },
    });
  }

  private restApiOf(
    { services }: Savepoint,
    { toolset }: Clients,
    call: McpOptions['call'],
  ): RestApiDoor {
    const { app, manifest, chosen } = this;
    const defaults = { sessionId: createEntityId(services.random), client: REST_API_CLIENT };
    return createRestApiDoor({
      app,
      manifest,
      toResult: answerToResult,
      isOn: () => chosen.get().isRestApiOn,
      tools: () => listTools(toolset, 'full', agentsOn(chosen.get())),
      call: (tool, params, signal) =>
        call({ tool, params, defaults: { ...defaults, agents: agentsOn(chosen.get()) } }, signal),
    });
  }

  /** Lets MCP clients in, or keeps them out, as the settings say now. */
  private async listenOrNot(): Promise<void> {
    const { opened } = this;
    opened?.restApi.look();
    if (!opened?.disk || this.chosen.get().isBridgeOn === (opened.live !== undefined)) return;
    void opened.live?.close();
    opened.live = opened.live
      ? undefined
      : await this.listen(opened.disk, opened.clients).catch(
          (error: unknown) => void report(error),
        );
  }

  private async connectionsOf({ node, vault }: Disk): Promise<Connections> {
    const { createConnections } = await import('./node/connect/connections.js');
    const { env, platform, execPath } = node.process;
    const { dir = '', version } = this.manifest;
    return createConnections(
      node,
      { env, platform, execPath, home: node.os.homedir() },
      {
        vault,
        running: node.path.join(vault, dir, 'main.js'),
        version,
        dataFolder: () => this.chosen.get().dataFolder,
      },
    );
  }

  private listen({ node, vault }: Disk, clients: Clients): Promise<IpcServer> {
    const { env, platform } = node.process;
    const toolsetFor = ({ client, tool }: LiveToolCall) => {
      clients.note(client, tool);
      return clients.toolset;
    };
    return startVaultServer(node, { vault, env, platform, toolsetFor, report });
  }

  private async closeNow(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    this.savepoint.set(undefined);
    this.connections.set(undefined);
    this.http.set(undefined);
    this.restApi.set(undefined);
    opened?.restApi.close();
    await Promise.all([opened?.live?.close(), opened?.http?.close()]);
    await opened?.chat.close();
    await opened?.savepoint.close();
    opened?.database.close();
  }
}

/** The way to the servers of models, with Node's where there is Node. */
async function openFetchLike(): Promise<typeof fetch> {
  const node = await loadNodeModules();
  return createFallbackFetch({ web: webFetch, node: node && createNodeFetch(node) });
}
