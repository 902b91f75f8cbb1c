import packedMeaning from '../../assets/meaning.txt';
import { clientRefusal } from '../agents/client-policy.js';
import { openToolset } from '../agents/open.js';
import type { Services } from '../agents/services.js';
import { createFileNoteSource } from '../indexing/notes/note-source.js';
import {
  createSearchService,
  DESKTOP_LIMITS,
  type SearchService,
} from '../indexing/search-service.js';
import { envValue } from '../node/environment.js';
import { createFolderBlobs } from '../node/ports/folder-blobs.js';
import { createFolderCache } from '../node/ports/folder-cache.js';
import { createFolderFiles } from '../node/ports/folder-files.js';
import { createNodeClock, createNodeRandom } from '../node/ports/host-ports.js';
import { openPluginSettings } from '../node/ports/plugin-settings.js';
import { createFolderCopies, type FolderCopiesOptions } from '../node/ports/folder-copies.js';
import {
  createFolderIdentities,
  defaultStateFolder,
  openStateFolder,
  readDeviceName,
  vaultStateFolder,
} from '../node/ports/state-folder.js';
import { createFolderWatch, NOTE_FILTER } from '../node/ports/watch-folder.js';
import { readChosenDeviceName } from '../node/provenance/device-name.js';
import { createFolderDevice } from '../node/provenance/folder-device.js';
import type { DeviceAccess } from '../platform/device-access.js';
import { createEmbedderSource } from '../search/vectors/embedder-source.js';
import type { Copies } from '../storage/integrity/copies.js';
import { DEFAULT_TRACE_LIMITS } from '../storage/integrity/retention.js';
import { type Log } from '../storage/log.js';
import { createLog } from '../storage/vault-log.js';
import { FOLDER_CACHED_LANES } from '../storage/read/cache.js';
import type { ToolHost, Toolset } from '../toolkit/toolset.js';
import { createReport, type Report } from './output.js';
import type { ProgramHost } from './program.js';
import { checkFirst, requireVault, type CreateOption } from './vault-folder.js';

const NEWER_VERSION =
  'This vault contains data from a newer version of Savepoint. The data is safe; update this program to see it.';

const READ_ONLY =
  'This connection is read-only. The user can allow writing by starting Savepoint without --read-only.';

/** Milliseconds that a search waits for the keyword index (`words`) and for the embeddings. */
type SearchWait = Parameters<typeof createSearchService>[0]['maxWaitMs'];

export interface VaultOptions {
  readonly vault: string;
  /** The state folder; by default SAVEPOINT_STATE or the system's. */
  readonly state: string | undefined;
  readonly isReadOnly: boolean;
  /** True to use a folder that is not a vault; undefined if the command has no such option. */
  readonly create: CreateOption;
  /** True if the vault stays open for AI apps. It then follows changes by other programs, and the settings restrict its callers. */
  readonly isServing: boolean;
  readonly searchWait: SearchWait;
  readonly report: Report;
}

/** Returns the options for a single command. Notes that it cannot index within the wait are indexed by the next command. */
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

/** The memory of a vault with its tools. */
export interface OpenVault {
  readonly log: Log;
  readonly services: Services;
  readonly toolset: Toolset<Services>;
  /** The folder outside the vault for this device's data about it. */
  readonly deviceFolder: string;
  readonly switches: AgentSwitches;
  close(): Promise<void>;
}

/** Returns the paths of a vault and of this device's data about it. */
export async function placesOf(
  { node, env, platform }: Pick<ProgramHost, 'node' | 'env' | 'platform'>,
  options: Pick<VaultOptions, 'vault' | 'state'>,
): Promise<FolderCopiesOptions> {
  const vault = await node.fs.realpath(options.vault).catch(() => node.path.resolve(options.vault));
  const stateFolder = node.path.resolve(
    options.state ?? envValue(env, 'SAVEPOINT_STATE') ?? defaultStateFolder(node, env, platform),
  );
  return { vault, stateFolder, deviceFolder: vaultStateFolder(node, stateFolder, vault) };
}

/** Opens the copies of the vault's core lane on this device. */
export function openCopies(
  { node }: Pick<ProgramHost, 'node'>,
  places: FolderCopiesOptions,
): Copies {
  return createFolderCopies(node, places);
}

/** Opens a vault. If the folder is missing or not a vault, each call fails with the reason until the folder is one. */
export async function openVault(program: ProgramHost, options: VaultOptions): Promise<OpenVault> {
  const { node, platform } = program;
  const { isReadOnly, isServing, create, report } = options;
  const places = await placesOf(program, options);
  const { vault: folder, stateFolder, deviceFolder } = places;
  await openStateFolder(node, stateFolder, folder);
  const settings = openPluginSettings(node, folder);
  const dataFolder = await settings.dataFolder();
  const files = checkFirst(createFolderFiles(node, folder), () =>
    requireVault(program, node.path.resolve(options.vault), create),
  );
  const clock = createNodeClock(node.timers);
  const random = createNodeRandom(node.crypto);
  const copies = openCopies(program, places);
  const deviceName = await readDeviceName(node, stateFolder, platform).catch(() => platform);
  const log = createLog({
    files,
    root: dataFolder,
    clock,
    random,
    warn: report,
    identities: createFolderIdentities(node, node.path.join(deviceFolder, 'writers')),
    copies,
    cache: createFolderCache(node, node.path.join(deviceFolder, 'read')),
    cachedLanes: FOLDER_CACHED_LANES,
    watch: createFolderWatch(node, folder, dataFolder),
    onNewerVersion: () => report(NEWER_VERSION),
    ...(!isReadOnly && { traceLimits: DEFAULT_TRACE_LIMITS }),
    app: `savepoint/${program.version}`,
    device: deviceName,
  });
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
    skippedFolders: async () => [dataFolder, ...(await settings.excludedFolders())],
    yieldToHost: () =>
      new Promise((resolve) => {
        node.timers.setImmediate(resolve);
      }),
  });
  const device = await openDevice(program, folder, deviceFolder, deviceName);
  const services: Services = { log, files, dataFolder, clock, random, search, device, copies };
  const excludedFolders = await settings.excludedFolders();
  const switches = await AgentSwitches.read(settings);
  const toolset = openToolset({
    services,
    refuse: createAccessCheck(settings, options),
    disabledAgents: () => switches.disabled(),
    report,
    isReadOnly,
    tracesReads: isServing, // a read from a shell creates no file
    excludedFolders: () => excludedFolders,
  });
  return {
    log,
    services,
    toolset,
    deviceFolder,
    switches,
    close: () => closeVault(search, log),
  };
}

/** Gives access to this device. The device has the name that its owner gave it, or else `generatedName`. */
async function openDevice(
  { node, env }: ProgramHost,
  vault: string,
  deviceFolder: string,
  generatedName: string,
): Promise<DeviceAccess> {
  const name = (await readChosenDeviceName(node, deviceFolder, env)) ?? generatedName;
  return createFolderDevice(node, vault, { program: 'Savepoint', name: () => name });
}

async function closeVault(search: SearchService, log: Log): Promise<void> {
  await search.close();
  await log.close();
}

type PluginSettings = ReturnType<typeof openPluginSettings>;

/**
 * Creates a check that refuses writing calls if the connection is read-only or the settings forbid them. The settings restrict
 * AI apps, not a user in a shell.
 */
function createAccessCheck(
  settings: PluginSettings,
  { isReadOnly, isServing }: VaultOptions,
): ToolHost<Services>['refuse'] {
  return async (tool, client = '') => {
    if (tool.access === 'read' || tool.isRelay) return undefined;
    if (isReadOnly) return READ_ONLY;
    return isServing ? clientRefusal(await settings.clientPolicy(), client, tool) : undefined;
  };
}

/** The toolsets that the settings of the vault enable or disable for every client. */
export class AgentSwitches {
  readonly #settings: PluginSettings;
  #values: Record<string, boolean> = {};

  private constructor(settings: PluginSettings) {
    this.#settings = settings;
  }

  static async read(settings: PluginSettings): Promise<AgentSwitches> {
    const switches = new AgentSwitches(settings);
    await switches.refresh();
    return switches;
  }

  enabled(): string[] {
    return this.#namesOf(true);
  }

  disabled(): string[] {
    return this.#namesOf(false);
  }

  /** Reads the settings again, because the user may have changed them in the app. */
  async refresh(): Promise<void> {
    this.#values = await this.#settings.agentSwitches();
  }

  #namesOf(value: boolean): string[] {
    return Object.keys(this.#values).filter((name) => this.#values[name] === value);
  }
}
