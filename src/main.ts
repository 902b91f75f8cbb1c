import { FileSystemAdapter, Notice, Platform, Plugin } from 'obsidian';
import packedMeaning from '../assets/meaning.txt';
import { DESKTOP_LIMITS, PHONE_LIMITS } from './agents/search-service.js';
import { Refusal } from './model/refusal.js';
import { createConnections } from './node/connect/connections.js';
import { createFolderFiles } from './node/folder-files.js';
import { createNodeFetch } from './node/node-fetch.js';
import type { LiveSocket } from './node/live-socket.js';
import { openLive } from './node/open-live.js';
import { createChat, type Chat } from './obsidian/chat/chat-service.js';
import { breathe, breatheWhenIdle, createWindowClock, createWindowRandom } from './obsidian/browser-ports.js';
import { createClients, type ClientActivity, type Clients } from './obsidian/clients.js';
import { addCommands } from './obsidian/commands/index.js';
import type { Connections } from './obsidian/connections.js';
import { loadNodeModules } from './obsidian/desktop.js';
import { readDevice } from './obsidian/device.js';
import { createFetchLike } from './obsidian/llm/fetch-like.js';
import { createModels } from './obsidian/llm/models.js';
import { webFetch } from './obsidian/llm/web-fetch.js';
import { createIdbCache } from './obsidian/idb-cache.js';
import { createIdbCopies } from './obsidian/idb-copies.js';
import { createDatabase, forgetReadings, type Database } from './obsidian/idb.js';
import { createIdbBlobs } from './obsidian/idb-blobs.js';
import { createLocalIdentities } from './obsidian/local-identities.js';
import { report } from './obsidian/logger.js';
import { createMirror } from './obsidian/mirror.js';
import { createSavepoint, type Savepoint } from './obsidian/savepoint.js';
import { SavepointSettingTab } from './obsidian/settings-tab.js';
import type { SettingsHost } from './obsidian/settings/host.js';
import { readSettings, type Settings } from './obsidian/settings.js';
import { showClients, showStatus } from './obsidian/status-bar.js';
import { createStore } from './obsidian/store.js';
import { text } from './obsidian/text/index.js';
import { addViews, openMemory } from './obsidian/ui/index.js';
import { createVaultFiles } from './obsidian/vault-files.js';
import { createVaultNotes } from './obsidian/vault-notes.js';
import { createVaultWatch } from './obsidian/vault-watch.js';
import { createMeaningSource } from './search/meaning/meaning-source.js';
import { FOLDER_CACHED_LANES } from './storage/cache.js';

/** The vault as a folder, on a desktop. */
interface Disk {
  readonly node: NonNullable<Awaited<ReturnType<typeof loadNodeModules>>>;
  readonly vault: string;
}

/** What is open while the plugin runs with one data folder. */
interface Opened {
  readonly savepoint: Savepoint;
  readonly clients: Clients;
  readonly chat: Chat;
  readonly disk: Disk | undefined;
  readonly database: Database;
  live: LiveSocket | undefined;
}

/** The plugin. Its `onload` registers and returns; what there is to read is read once the layout is ready. */
export default class SavepointPlugin extends Plugin {
  private readonly savepoint = createStore<Savepoint | undefined>(undefined);
  private readonly chosen = createStore(readSettings(undefined));
  private readonly connections = createStore<Connections | undefined>(undefined);
  private readonly activity = createStore<readonly ClientActivity[]>([]);
  private readonly clock = createWindowClock();
  private readonly mirror = createMirror({ app: this.app, savepoint: this.savepoint, clock: this.clock, breathe, report });
  private readonly models = createModels({
    settings: this.chosen,
    secrets: this.app.secretStorage,
    now: () => this.clock.now(),
    fetchLike: () => (this.fetchLike ??= openFetchLike()),
  });
  private fetchLike: Promise<typeof fetch> | undefined;
  private opened: Opened | undefined;
  /** Opening and closing come one after another, in the order in which they were asked for. */
  private turn: Promise<void> = Promise.resolve();
  private isUnloaded = false;

  override onload(): void {
    const { app, savepoint, connections, activity, clock } = this;
    addViews(this, savepoint);
    addCommands(this, { savepoint, connections, rebuildCache: () => this.rebuildCache() });
    this.addSettingTab(new SavepointSettingTab(this, this.settingsHost()));
    this.register(this.mirror.start());
    this.register(showClients(this.addStatusBarItem(), activity, clock));
    this.register(showStatus(this.addStatusBarItem(), savepoint, () => void openMemory(app)));
    this.registerEvent(app.workspace.on('quit', (tasks) => tasks.add(() => this.close())));
    app.workspace.onLayoutReady(() => void this.open().catch(report));
  }

  override onunload(): void {
    this.isUnloaded = true;
    void this.opened?.live?.close(); // at once: what is loaded next listens in its place
    void this.close().catch(report);
  }

  override onExternalSettingsChange(): void {
    void this.open().catch(report);
  }

  private settingsHost(): SettingsHost {
    const { app, savepoint, chosen, mirror, models, connections, activity } = this;
    return {
      ...{ app, savepoint, chosen, mirror, models, connections, activity },
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
        await forgetReadings(database).finally(() => database.close());
      });
    } finally {
      await this.open();
    }
    const reading = this.opened?.savepoint.reading.get();
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
    const disk = node && adapter instanceof FileSystemAdapter ? { node, vault: adapter.getBasePath() } : undefined;
    const device = readDevice(app, random);
    const database = createDatabase(device.id, clock);
    const savepoint = createSavepoint({
      ...{ obsidian: app, settings: chosen, clock, random, report, breathe },
      // On a desktop the disk itself, which can promise that what was saved survives a power cut.
      files: disk ? createFolderFiles(disk.node, disk.vault) : createVaultFiles(adapter, clock),
      identities: createLocalIdentities(app),
      copies: createIdbCopies(database),
      cache: createIdbCache(database),
      ...(disk && { cachedLanes: FOLDER_CACHED_LANES }),
      device: device.name,
      app: `savepoint/${this.manifest.version}`,
      watch: createVaultWatch(app.vault, chosen.get().dataFolder),
      metNewer: () => void new Notice(text.general.newerLog, 0),
      search: {
        notes: createVaultNotes(app.vault),
        blobs: createIdbBlobs(database),
        meaning: createMeaningSource(packedMeaning),
        limits: Platform.isMobile ? PHONE_LIMITS : DESKTOP_LIMITS,
        breatheWhenIdle,
      },
    });
    const chat = createChat({
      ...{ savepoint, conversations: savepoint.conversations, models: this.models },
      changeSettings: (change) => this.change(change(chosen.get())),
    });
    this.opened = { savepoint, chat, clients: createClients(savepoint, this.activity), disk, database, live: undefined };
    this.savepoint.set(savepoint);
    this.connections.set(disk && this.connectionsOf(disk));
  }

  /** Lets MCP clients in, or keeps them out, as the settings say now. */
  private async listenOrNot(): Promise<void> {
    const { opened } = this;
    if (!opened?.disk || this.chosen.get().isBridgeOn === (opened.live !== undefined)) return;
    void opened.live?.close();
    opened.live = opened.live ? undefined : await this.listen(opened.disk, opened.clients).catch((error: unknown) => void report(error));
  }

  private connectionsOf({ node, vault }: Disk): Connections {
    const { env, platform, execPath } = node.process;
    const { dir = '', version } = this.manifest;
    return createConnections(
      node,
      { env, platform, execPath, home: node.os.homedir() },
      { vault, running: node.path.join(vault, dir, 'main.js'), version, dataFolder: () => this.chosen.get().dataFolder },
    );
  }

  private listen({ node, vault }: Disk, clients: Clients): Promise<LiveSocket> {
    const { env, platform } = node.process;
    return openLive(node, { vault, env, platform, toolsetFor: ({ client, tool }) => clients.toolsetFor(client, tool), report });
  }

  private async closeNow(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    this.savepoint.set(undefined);
    this.connections.set(undefined);
    await opened?.live?.close();
    await opened?.chat.close();
    await opened?.savepoint.close();
    opened?.database.close();
  }
}

/** The way to the servers of models, with Node's where there is Node. */
async function openFetchLike(): Promise<typeof fetch> {
  const node = await loadNodeModules();
  return createFetchLike({ web: webFetch, node: node && createNodeFetch(node) });
}
