import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { DeviceAccess } from '../../platform/device-access.js';
import type { NodeModules } from '../modules.js';
import { keepGitHead } from '../git/git-head.js';
import { createDeviceFiles } from './device-files.js';
import { relativePath } from './project-folder.js';

/** Returns the port DeviceAccess over a vault's folder on disk. `vault` is an absolute path. */
export function createFolderDevice(
  node: NodeModules,
  vault: string,
  identity: Pick<DeviceAccess, 'program' | 'name' | 'readSessions'>,
): DeviceAccess {
  const { fs, path } = node;
  let realVault: Promise<string> | undefined;
  const heads = new Map<VaultPath, ReturnType<typeof keepGitHead>>();
  const locate = async (folder: VaultPath): Promise<string> => {
    realVault ??= fs.realpath(vault).catch(() => vault);
    if (folder === '') return realVault;
    // A link to a folder outside the vault leads to the repository around that folder.
    const real = await fs.realpath(path.join(vault, folder)).catch(() => realVault);
    return real ?? vault;
  };
  return {
    ...identity,
    ...createDeviceFiles(node, vault),
    async locateInVault(file) {
      realVault ??= fs.realpath(vault).catch(() => vault);
      return path.isAbsolute(file) ? relativePath(node, await realVault, file) : undefined;
    },
    async openRepository(place) {
      const folder = 'vault' in place ? path.join(vault, place.vault) : place.project;
      const shown = 'vault' in place ? place.vault || '/' : path.basename(place.project);
      const real = await fs.realpath(folder).catch(() => undefined);
      if (real === undefined) throw new Refusal(`The folder "${shown}" does not exist. Create it.`);
      return (await import('../git/open-repository.js')).openRepository(node, real, shown);
    },
    gitHead(folder) {
      const read = heads.get(folder) ?? keepGitHead(node, () => locate(folder));
      heads.set(folder, read);
      return read();
    },
  };
}
