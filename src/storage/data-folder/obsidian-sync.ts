/** Entries of a vault's root that other sync services create. */
export const OTHER_SYNC_ENTRIES = ['.git', '.stfolder', '.dropbox', '.sync', '.nextcloudsync.log'];

/** Folders of other sync services, in the path of a vault. */
const OTHER_SYNC_FOLDERS =
  /[\\/](?:Mobile Documents|CloudStorage|(?:Dropbox|OneDrive|Google ?Drive|Nextcloud|ownCloud|pCloud|Seafile|Syncthing)(?:[ -][^\\/]*)?)[\\/]/i;

const OTHER_SYNC_PLUGINS = ['obsidian-livesync', 'obsidian-git', 'remotely-save', 'syncthing'];

/** Signs of how a vault is synced. */
export interface VaultSync {
  /** The id of the remote vault to which Obsidian Sync is connected. */
  readonly vaultId: unknown;
  /** The optional types of files that Obsidian Sync includes on this device. */
  readonly allowTypes: Iterable<unknown> | undefined;
  /** The vault's absolute path; empty if it is unknown. */
  readonly path: string;
  /** Names of entries in the vault's root. */
  readonly names: readonly string[];
  /** The ids of the enabled community plugins. */
  readonly plugins: readonly string[];
}

/** Returns true if only Obsidian Sync is in use, with "Sync all other types" off on this device. */
export function isLeftOutBySync({ vaultId, allowTypes, path, names, plugins }: VaultSync): boolean {
  if (typeof vaultId !== 'string' || vaultId === '' || !allowTypes) return false;
  if ([...allowTypes].includes('unsupported')) return false;
  const hasOther =
    OTHER_SYNC_FOLDERS.test(`${path}/`) ||
    names.some((name) => OTHER_SYNC_ENTRIES.includes(name)) ||
    plugins.some((id) => OTHER_SYNC_PLUGINS.includes(id));
  return !hasOther;
}
