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
import { createFolderBlobs } from '../node/ports/folder-blobs.js';
import { createFolderCache } from '../node/ports/folder-cache.js';
import { createFolderFiles } from '../node/ports/folder-files.js';
import { createNodeClock, createNodeRandom } from '../node/ports/host-ports.js';
import { openPluginSettings } from '../node/ports/plugin-settings.js';
import {
  createFolderCopies,
  createFolderIdentities,
  defaultStateFolder,
  readDeviceName,
  vaultStateFolder,
} from '../node/ports/state-folder.js';
import { createFolderWatch, NOTE_FILTER } from '../node/ports/watch-folder.js';
import { createEmbedderSource } from '../search/vectors/embedder-source.js';
import { DEFAULT_TRACE_LIMITS } from '../storage/integrity/retention.js';
import { createLog, type Log } from '../storage/log.js';
import { FOLDER_CACHED_LANES } from '../storage/read/cache.js';
import type { ToolHost, Toolset } from '../toolkit/toolset.js';
import { createReport, type Report } from './output.js';
import type { ProgramHost } from './program.js';

const NEWER_VERSION =
  'This vault contains data from a newer version of Savepoint. The data is safe; update this program to see it.';

const READ_ONLY =
  'This connection is read-only. The user can allow writing by starting Savepoint without --read-only.';

/** Milliseconds that a search waits for the index of words and for the index of meanings. */
type SearchWait = Parameters<typeof createSearchService>[0]['maxWaitMs'];

export interface VaultOptions {
  readonly vault: string;
  /** The state folder; by default SAVEPOINT_STATE or the system's. */
  readonly state: string | undefined;
  readonly isReadOnly: boolean;
  /** True if the vault stays open for AI apps. It then follows changes by other programs, and the settings restrict its callers. */
  readonly isServing: boolean;
  readonly searchWait: SearchWait;
  readonly report: Report;
}

/** Returns options for a single command. Notes that are not indexed within the wait are indexed by the next command. */
export function singleCommand(
  program: ProgramHost,
  { vault, state }: Pick<VaultOptions, 'vault' | 'state'>,
): VaultOptions {
  return {
    vault,
    state,
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

/** Opens a vault. A vault that does not exist is reported by the first call, and used once it exists. */
export async function openVault(program: ProgramHost, options: VaultOptions): Promise<OpenVault> {
  const { node } = program;
  const { isReadOnly, isServing, report } = options;
  const folder = await node.fs
    .realpath(options.vault)
    .catch(() => node.path.resolve(options.vault));
  const stateFolder = node.path.resolve(
    options.state ??
      program.env['SAVEPOINT_STATE'] ??
      defaultStateFolder(node, program.env, program.platform),
  );
  const deviceFolder = vaultStateFolder(node, stateFolder, folder);
  const settings = openPluginSettings(node, folder);
  const dataFolder = await settings.dataFolder();
  const files = createFolderFiles(node, folder);
  const clock = createNodeClock(node.timers);
  const random = createNodeRandom(node.crypto);
  const log = createLog({
    files,
    root: dataFolder,
    clock,
    random,
    warn: report,
    identities: createFolderIdentities(node, node.path.join(deviceFolder, 'writers')),
    copies: createFolderCopies(node, node.path.join(deviceFolder, 'written')),
    cache: createFolderCache(node, node.path.join(deviceFolder, 'read')),
    cachedLanes: FOLDER_CACHED_LANES,
    watch: createFolderWatch(node, folder, dataFolder),
    onNewerVersion: () => report(NEWER_VERSION),
    ...(!isReadOnly && { traceLimits: DEFAULT_TRACE_LIMITS }),
    app: `savepoint/${program.version}`,
    device: await readDeviceName(node, stateFolder, program.platform).catch(() => program.platform),
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
  const services: Services = { log, files, dataFolder, clock, random, search };
  const excludedFolders = await settings.excludedFolders();
  const switches = await AgentSwitches.read(settings);
  const toolset = openToolset({
    services,
    refuse: createAccessCheck(settings, options),
    disabledAgents: () => switches.disabled(),
    report,
    isReadOnly,
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

async function closeVault(search: SearchService, log: Log): Promise<void> {
  await search.close();
  await log.close();
}

type PluginSettings = ReturnType<typeof openPluginSettings>;

/**
 * Creates a check that refuses writing calls that the connection or the settings do not allow. The settings do not restrict a
 * user in a shell.
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
