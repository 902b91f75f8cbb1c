import packedMeaning from '../../assets/meaning.txt';
import { clientRefusal } from '../toolkit/client-policy.js';
import { openToolkit } from '../agents/open.js';
import type { Services } from '../agents/services.js';
import { createFileNoteSource } from '../indexing/notes/note-source.js';
import { createSearchService, DESKTOP_LIMITS } from '../indexing/search-service.js';
import { createDeviceSessions } from '../node/capture/device-sessions.js';
import { isPrivateEnvironment } from '../node/environment.js';
import { createFolderBlobs } from '../node/ports/folder-blobs.js';
import type { OutsideSettings, PluginSettings } from '../node/ports/plugin-settings.js';
import { createFolderWatch, NOTE_FILTER } from '../node/ports/watch-folder.js';
import { readCustomDeviceName } from '../node/provenance/device-name.js';
import { createFolderDevice } from '../node/provenance/folder-device.js';
import type { DeviceAccess } from '../platform/device-access.js';
import { createEmbedderSource } from '../search/index.js';
import { type Log } from '../storage/index.js';
import type { ToolHost, Toolkit } from '../toolkit/toolkit.js';
import { createReport, type Report } from './output.js';
import type { ProgramHost } from './program.js';
import type { CreateOption } from './vault-folder.js';
import { openVaultLog, type OpenVaultLog, type VaultLogOptions } from './vault-log.js';

const READ_ONLY =
  'This connection is read-only. The user can allow writing by starting Savepoint without --read-only.';

/** Milliseconds that a search waits for the keyword index (`words`) and for the embeddings. */
type SearchWait = Parameters<typeof createSearchService>[0]['maxWaitMs'];

export interface VaultOptions extends VaultLogOptions {
  /** True if the vault stays open for AI apps: follows others' changes, and obeys the settings. */
  readonly isServing: boolean;
  readonly report: Report;
  readonly searchWait: SearchWait;
}

/** Options for a single command. The next command indexes notes that take longer than the wait. */
export function singleCommand(
  program: ProgramHost,
  { vault, state, create }: Pick<VaultOptions, 'vault' | 'state'> & { create?: CreateOption },
): VaultOptions {
  return {
    vault,
    state,
    create,
    isReadOnly: false,
    isServing: false,
    searchWait: { words: 10_000, embeddings: 10_000 },
    report: createReport(program),
  };
}

export interface OpenVault {
  readonly log: Log;
  readonly services: Services;
  readonly toolkit: Toolkit<Services>;
  /** The folder outside the vault for this device's data about it. */
  readonly deviceFolder: string;
  readonly clientSettings: ClientSettings;
  close(): Promise<void>;
}

/** Opens a vault. While the folder is missing or no vault, each call fails with the reason. */
export async function openVault(program: ProgramHost, options: VaultOptions): Promise<OpenVault> {
  const { node } = program;
  const { isReadOnly, isServing, report } = options;
  const open = await openVaultLog(program, options, () => search.clearIndex());
  const { log, clock, random, files, settings, dataFolder, copies, deviceName } = open;
  const { vault: folder, deviceFolder } = open.places;
  const search = createSearchService({
    log,
    clock,
    random,
    warn: report,
    limits: DESKTOP_LIMITS,
    maxWaitMs: options.searchWait,
    notes: createFileNoteSource(
      files,
      isServing ? createFolderWatch(node, folder, '', NOTE_FILTER) : undefined,
    ),
    blobs: createFolderBlobs(node, node.path.join(deviceFolder, 'search')),
    embedder: createEmbedderSource(packedMeaning),
    skippedFolders: async () => [dataFolder, ...(await settings.read()).excludedFolders],
    yieldToHost: () =>
      new Promise((resolve) => {
        node.timers.setImmediate(resolve);
      }),
  });
  const device = await openDevice(program, open.places, deviceName);
  const services: Services = { log, files, dataFolder, clock, random, search, device, copies };
  const values = await settings.read();
  const clientSettings = createClientSettings(settings, values);
  const toolkit = openToolkit({
    services,
    refuse: createAccessCheck(clientSettings, options),
    disabledToolsets: () => clientSettings.disabledToolsets(),
    report,
    isReadOnly,
    traced: tracedCalls(program, isServing),
    excludedFolders: () => values.excludedFolders,
  });
  return {
    log,
    services,
    toolkit,
    deviceFolder,
    clientSettings,
    close: () => search.close().finally(() => log.close()),
  };
}

/** A read from a shell creates no file, and a private session leaves no traces. */
function tracedCalls({ env }: ProgramHost, isServing: boolean) {
  if (isPrivateEnvironment(env)) return 'none';
  return isServing ? 'all' : 'writes';
}

/** Runs a task on an open vault, and closes the vault even if the task fails. */
export async function withVault<T>(
  program: ProgramHost,
  options: VaultOptions,
  task: (open: OpenVault) => Promise<T>,
): Promise<T> {
  const open = await openVault(program, options);
  return task(open).finally(() => open.close());
}

/** The device has the name that its owner gave it, or else `generatedName`. */
async function openDevice(
  { node, env }: ProgramHost,
  { vault, stateFolder, deviceFolder }: OpenVaultLog['places'],
  generatedName: string,
): Promise<DeviceAccess> {
  const name = (await readCustomDeviceName(node, deviceFolder, env)) ?? generatedName;
  const sessions = createDeviceSessions(node, stateFolder, vault);
  return createFolderDevice(node, vault, {
    program: 'Savepoint',
    name: () => name,
    readSessions: (...request) => sessions.checkpoints(...request),
  });
}

/** Refuses writes by a read-only connection, or by AI apps (not users) if the settings say so. */
function createAccessCheck(
  settings: ClientSettings,
  { isReadOnly, isServing }: VaultOptions,
): ToolHost<Services>['refuse'] {
  const reasonOf: (...call: Parameters<ToolHost<Services>['refuse']>) => string | undefined = (
    tool,
    client = '',
  ) => {
    if (tool.access === 'read' || tool.isRelay) return undefined;
    if (isReadOnly) return READ_ONLY;
    return isServing ? clientRefusal(settings.policy(), client, tool) : undefined;
  };
  return (...call) => Promise.resolve(reasonOf(...call));
}

type ClientSettings = ReturnType<typeof createClientSettings>;

/** Returns the vault's settings for AI apps, as they were read last. */
function createClientSettings(settings: PluginSettings, values: OutsideSettings) {
  const toolsetsThatAre = (value: boolean) =>
    Object.entries(values.permissions.toolsetSwitches).flatMap(([name, isOn]) =>
      isOn === value ? name : [],
    );
  return {
    policy: () => values.permissions,
    enabledToolsets: () => toolsetsThatAre(true),
    disabledToolsets: () => toolsetsThatAre(false),
    /** The user may have changed the settings in the app. */
    async refresh() {
      values = await settings.read();
    },
  };
}
