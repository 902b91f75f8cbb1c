import { Platform, type App, type PluginManifest } from 'obsidian';
import { isPaused } from '../capture/consent.js';
import { DESKTOP_LIMITS, PHONE_LIMITS } from '../indexing/search-service.js';
import { createDeviceSessions } from '../node/capture/device-sessions.js';
import { writtenHashes } from '../node/capture/session-files.js';
import { createDeviceStoreFile } from '../node/device-store-file.js';
import { createForgetStoreFile, removeDerived } from '../node/forget-store-file.js';
import { folderIdentity } from '../node/folder-identity.js';
import { FolderCache } from '../node/ports/folder-cache.js';
import { FolderCopies } from '../node/ports/folder-copies.js';
import { createFolderFiles } from '../node/ports/folder-files.js';
import { stateFolderFrom, vaultStateFolder } from '../node/ports/state-folder.js';
import { createFolderDevice } from '../node/provenance/folder-device.js';
import { keepUndoOf } from '../obsidian/calls/created.js';
import { notify } from '../obsidian/actions.js';
import type { ChatAgentList } from '../obsidian/chat-agents/chat-agent-list.js';
import { ChatService } from '../obsidian/chat/chat-service.js';
import type { Approvals } from '../obsidian/clients/approvals/approvals.js';
import type { ClientNotices } from '../obsidian/clients/client-notices.js';
import { createClients, type ClientActivity } from '../obsidian/clients/clients.js';
import type { Connections } from '../obsidian/clients/connections.js';
import {
  createWindowRandom,
  windowLocks,
  yieldToHost,
  yieldWhenIdle,
} from '../obsidian/host/browser-ports.js';
import { readDevice } from '../obsidian/host/device.js';
import { createIdbBlobs } from '../obsidian/host/idb-blobs.js';
import { createIdbCache } from '../obsidian/host/idb-cache.js';
import {
  createIdbCopies,
  createIdbDeviceStore,
  createIdbForgetStore,
} from '../obsidian/host/idb-copies.js';
import { createDatabase, type DeviceDatabase } from '../obsidian/host/idb.js';
import { createIdbIdentities } from '../obsidian/host/idb-identities.js';
import { report } from '../obsidian/host/logger.js';
import { readPhoneMachine } from '../obsidian/host/phone-machine.js';
import { createVaultFiles } from '../obsidian/host/vault-files.js';
import { createVaultNotes } from '../obsidian/host/vault-notes.js';
import { createVaultWatch } from '../obsidian/host/vault-watch.js';
import { createWriterMirror } from '../obsidian/host/writer-mirror.js';
import { text } from '../obsidian/i18n/index.js';
import type { ModelRegistry } from '../obsidian/models/model-registry.js';
import { SavepointService, type Savepoint, type SavepointOptions } from '../obsidian/savepoint.js';
import type { Settings } from '../obsidian/settings-schema.js';
import type { Store, WritableStore } from '../obsidian/store.js';
import { tellForgetRequests } from '../obsidian/forget/forget-notice.js';
import { tellLosses } from '../obsidian/loss-notice.js';
import { tellIfSyncLeavesOut } from '../obsidian/sync-notice.js';
import { runInTurn } from '../platform/parallel.js';
import type { Clock } from '../platform/clock.js';
import type { DeviceAccess } from '../platform/device-access.js';
import { createEmbedderSource } from '../search/index.js';
import { FOLDER_CACHED_LANES } from '../storage/index.js';
import { findTool } from '../toolkit/toolkit.js';
import { createDesktopChatAgents } from './desktop-chat-agents.js';
import { openDeviceCapture } from './device-capture.js';
import { openConnections, openDisk, type Disk } from './disk.js';
import { RenameRecorder } from './rename-recorder.js';
import { createServers, type Servers } from './servers.js';

export interface SessionOptions {
  readonly app: App;
  readonly manifest: PluginManifest;
  readonly clock: Clock;
  /** The session keeps the data folder with which it opened; other changes apply at once. */
  readonly settings: Store<Settings>;
  readonly models: ModelRegistry;
  readonly approvals: Approvals;
  readonly notices: ClientNotices;
  /** The agents that the user has added on this device. */
  readonly chatAgents: ChatAgentList;
  readonly activity: WritableStore<readonly ClientActivity[]>;
  readonly changeSettings: (change: (settings: Settings) => Settings) => Promise<void>;
}

/** Everything that is open while the plugin runs with one data folder. */
export interface Session {
  /** The log, the search and the tools. */
  readonly savepoint: Savepoint;
  readonly chat: ChatService;
  readonly servers: Servers;
  /** Undefined on a device without Node. */
  readonly connections: Connections | undefined;
  close(): Promise<void>;
}

/** Opens the memory in the settings' data folder. `savepoint.start` reads it. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { app, manifest, clock, settings, approvals, notices, activity } = options;
  const disk = await openDisk(app);
  const connections =
    disk && (await openConnections(disk, manifest, () => settings.get().dataFolder));
  const database = createDatabase(readDevice(app, createWindowRandom()).id, clock);
  const savepoint = await openSavepoint(options, disk, database);
  const clients = createClients({
    savepoint,
    activity,
    approvals,
    traced: (trace) => notices.tell(trace, findTool(clients.toolkit, trace.tool).tool),
  });
  const chatAgents =
    disk &&
    createDesktopChatAgents({
      app,
      disk,
      savepoint,
      toolkit: clients.toolkit,
      list: options.chatAgents,
      program: disk.node.path.join(disk.vault, manifest.dir ?? '', 'main.js'),
      version: manifest.version,
    });
  const capture = await openDeviceCapture(app, disk);
  const chat = new ChatService({
    savepoint,
    conversations: savepoint.conversations,
    models: options.models,
    chatAgents,
    changeSettings: options.changeSettings,
    capture,
    called: (call, workspaceId) => keepUndoOf(savepoint, call, workspaceId),
  });
  const renames = new RenameRecorder(app, savepoint, () =>
    isPaused(capture.settings.get(), clock.now()),
  );
  const servers = createServers({ app, manifest, settings, savepoint, clients, disk });
  const stopSyncNotice = tellIfSyncLeavesOut(savepoint, report);
  const stopForgetNotice = tellForgetRequests(savepoint, report);
  const stopLossNotice = tellLosses(savepoint, report);
  return {
    savepoint,
    chat,
    servers,
    connections,
    close: () =>
      runInTurn([
        stopSyncNotice,
        stopForgetNotice,
        stopLossNotice,
        () => servers.close(),
        () => chat.close(),
        () => chatAgents?.close(),
        () => renames.close(),
        () => savepoint.close(),
        () => database.close(),
      ]),
  };
}

async function openSavepoint(
  { app, manifest, clock, settings }: SessionOptions,
  disk: Disk | undefined,
  database: DeviceDatabase,
): Promise<Savepoint> {
  const random = createWindowRandom();
  // large, and not needed at the start
  const { default: packedEmbeddings } = await import('../../assets/meaning.txt');
  return new SavepointService({
    obsidian: app,
    settings,
    clock,
    random,
    report,
    yieldToHost,
    // Only direct access to the disk can guarantee that saved data survives a power cut.
    files: disk
      ? createFolderFiles(disk.node, disk.vault)
      : createVaultFiles(app.vault.adapter, clock),
    deviceAccess: createDeviceAccess(app, disk),
    identities: createIdbIdentities({
      database,
      locks: windowLocks(),
      mirror: createWriterMirror(app),
      // a copied home folder has another inode or time of creation
      machine: disk ? folderIdentity(disk.node, disk.node.os.homedir()) : readPhoneMachine(clock),
      report,
    }),
    ...(await openDeviceStores(disk, database)),
    cache: createIdbCache(database),
    ...(disk && { cachedLanes: FOLDER_CACHED_LANES }),
    device: readDevice(app, random).name,
    app: `savepoint/${manifest.version}`,
    watch: createVaultWatch(app.vault, settings.get().dataFolder),
    onNewerVersion: () => {
      notify(text.general.newerLog, 0);
    },
    search: {
      notes: createVaultNotes(app.vault),
      blobs: createIdbBlobs(database),
      embedder: createEmbedderSource(packedEmbeddings),
      limits: Platform.isMobile ? PHONE_LIMITS : DESKTOP_LIMITS,
      yieldToHostWhenIdle: yieldWhenIdle,
    },
  });
}

/** On desktop, shares stores with the program, and also clears its data in the state folder. */
async function openDeviceStores(
  disk: Disk | undefined,
  database: DeviceDatabase,
): Promise<
  Pick<SavepointOptions, 'forgetStore' | 'deviceStore' | 'copies' | 'keptHashes' | 'onDestroy'>
> {
  if (!disk)
    return {
      forgetStore: createIdbForgetStore(database),
      deviceStore: createIdbDeviceStore(database),
      copies: createIdbCopies(database),
    };
  const { node, vault } = disk;
  const folder = await node.fs.realpath(vault).catch(() => vault);
  const stateFolder = stateFolderFrom(node, node.process.env, node.process.platform);
  const deviceFolder = vaultStateFolder(node, stateFolder, folder);
  const others = new FolderCopies(node, { stateFolder, deviceFolder, vault: folder });
  return {
    forgetStore: createForgetStoreFile(node, deviceFolder),
    deviceStore: createDeviceStoreFile(node, { stateFolder, deviceFolder }),
    copies: createIdbCopies(database, others),
    keptHashes: () => writtenHashes(node, stateFolder),
    async onDestroy(removals) {
      await new FolderCache(node, node.path.join(deviceFolder, 'read')).clear();
      await removeDerived(node, { stateFolder, deviceFolder }, removals);
    },
  };
}

function createDeviceAccess(app: App, disk: Disk | undefined): DeviceAccess {
  const random = createWindowRandom();
  const identity: DeviceAccess = {
    program: 'Obsidian',
    name() {
      const { name, customName = name } = readDevice(app, random);
      return customName;
    },
  };
  if (!disk) return identity;
  const { node, vault } = disk;
  const stateFolder = stateFolderFrom(node, node.process.env, node.process.platform);
  const sessions = createDeviceSessions(node, stateFolder, vault);
  return createFolderDevice(node, vault, {
    ...identity,
    readSessions: (...request) => sessions.checkpoints(...request),
  });
}
