import type { Services } from '../agents/services.js';
import { creationIn, folderIdentity } from '../node/folder-identity.js';
import { Refusal } from '../model/refusal.js';
import { writtenHashes } from '../node/capture/session-files.js';
import { createDeviceStoreFile } from '../node/device-store-file.js';
import { createForgetStoreFile, removeDerived } from '../node/forget-store-file.js';
import { FolderCache } from '../node/ports/folder-cache.js';
import { FolderCopies, type FolderCopiesOptions } from '../node/ports/folder-copies.js';
import { createFolderFiles } from '../node/ports/folder-files.js';
import { createNodeClock, createNodeRandom } from '../node/ports/host-ports.js';
import { createPluginSettings, type PluginSettings } from '../node/ports/plugin-settings.js';
import {
  createFolderIdentities,
  openStateFolder,
  readDeviceName,
  vaultStateFolder,
} from '../node/ports/state-folder.js';
import { createFolderWatch } from '../node/ports/watch-folder.js';
import {
  createLog,
  DEFAULT_TRACE_LIMITS,
  FOLDER_CACHED_LANES,
  type Copies,
} from '../storage/index.js';
import { createReport, type Report } from './output.js';
import { stateFolderOf, type ProgramHost } from './program.js';
import { requireVault, type CreateOption } from './vault-folder.js';

const NEWER_VERSION =
  'This vault contains data from a newer version of Savepoint. The data is safe; update this program to see it.';

export interface VaultLogOptions {
  readonly vault: string;
  /** Why no vault is known. Each access then fails with this reason. */
  readonly problem?: string | undefined;
  /** The state folder; by default SAVEPOINT_STATE or the system's. */
  readonly state?: string | undefined;
  readonly isReadOnly: boolean;
  /** True to use a folder that is not a vault; undefined if the command has no such option. */
  readonly create?: CreateOption;
  /** By default, for people, on standard error. */
  readonly report?: Report;
}

/** The log of a vault, with what it is made of. */
export interface OpenVaultLog extends Pick<
  Services,
  'log' | 'files' | 'dataFolder' | 'clock' | 'random'
> {
  readonly settings: PluginSettings;
  readonly copies: Copies;
  readonly places: FolderCopiesOptions;
  /** The generated name of this device. */
  readonly deviceName: string;
}

export async function placesOf(
  program: Pick<ProgramHost, 'node' | 'env' | 'platform'>,
  options: Pick<VaultLogOptions, 'vault' | 'state'>,
): Promise<FolderCopiesOptions> {
  const { node } = program;
  const vault = await node.fs.realpath(options.vault).catch(() => node.path.resolve(options.vault));
  const stateFolder = stateFolderOf(program, options.state);
  return { vault, stateFolder, deviceFolder: vaultStateFolder(node, stateFolder, vault) };
}

/**
 * Opens the log without search and tools, which load slowly. While the folder is no vault, each
 * access fails with the reason. `clearIndexes` is called when something is removed for good.
 */
export async function openVaultLog(
  program: ProgramHost,
  options: VaultLogOptions,
  clearIndexes?: () => Promise<unknown>,
): Promise<OpenVaultLog> {
  const { node, platform } = program;
  const { isReadOnly, create, report = createReport(program) } = options;
  const places = await placesOf(program, options);
  const { vault: folder, stateFolder, deviceFolder } = places;
  await openStateFolder(node, stateFolder, folder);
  const settings = createPluginSettings(node, folder);
  const { dataFolder } = await settings.read();
  const files = createFolderFiles(node, folder, async () => {
    if (options.problem !== undefined) throw new Refusal(options.problem);
    await requireVault(program, node.path.resolve(options.vault), create);
  });
  const clock = createNodeClock(node.timers);
  const random = createNodeRandom(node.crypto);
  const copies = new FolderCopies(node, places);
  // another vault may be at the path, whose lines these writers have not written
  const created = creationIn(await folderIdentity(node, folder));
  const deviceName = await readDeviceName(node, stateFolder, platform).catch(() => platform);
  const log = createLog({
    files,
    root: dataFolder,
    clock,
    random,
    warn: report,
    identities: createFolderIdentities(node, node.path.join(deviceFolder, 'writers', created)),
    copies,
    cache: new FolderCache(node, node.path.join(deviceFolder, 'read')),
    cachedLanes: FOLDER_CACHED_LANES,
    forgetStore: createForgetStoreFile(node, deviceFolder),
    deviceStore: createDeviceStoreFile(node, places),
    keptHashes: () => writtenHashes(node, stateFolder),
    async onDestroy(removals) {
      await clearIndexes?.();
      await removeDerived(node, places, removals);
      const { removeNotes } = await import('../transfer/mirror/remove-notes.js');
      await removeNotes(files, dataFolder, removals);
    },
    watch: createFolderWatch(node, folder, dataFolder),
    onNewerVersion: () => report(NEWER_VERSION),
    ...(!isReadOnly && { traceLimits: DEFAULT_TRACE_LIMITS }),
    app: `savepoint/${program.version}`,
    device: deviceName,
  });
  return { log, files, dataFolder, settings, clock, random, copies, places, deviceName };
}
