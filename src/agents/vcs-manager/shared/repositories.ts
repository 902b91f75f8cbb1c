import { readVaultPath, type VaultPath } from '../../../model/paths.js';
import { Refusal } from '../../../model/refusal.js';
import type { Workspace } from '../../../model/workspace.js';
import type { GitRepository, RepositoryFolder } from '../../../platform/device-access.js';
import type { Services } from '../../services.js';

const NOT_HERE =
  'This device cannot read git repositories. Use Obsidian on a computer, or the command line.';

/**
 * Opens the repository that contains the root folder of a workspace, to which its paths are
 * relative. Throws a `Refusal` if there is none that may and can be read.
 */
export async function openWorkspaceRepository(
  services: Pick<Services, 'device'>,
  workspace: Workspace,
) {
  const folder = rootFolderOf(workspace);
  return { repository: await openFolder(services, { vault: folder }), folder };
}

export function openFolder(
  { device }: Pick<Services, 'device'>,
  place: RepositoryFolder,
): Promise<GitRepository> {
  if (!device.openRepository) throw new Refusal(NOT_HERE);
  return device.openRepository(place);
}

export function rootFolderOf({ name, rootFolder }: Workspace): VaultPath {
  const read = readVaultPath(rootFolder);
  if ('path' in read) return read.path;
  throw new Refusal(
    `The root folder of the workspace "${name}" ${read.problem}. Change it with updateWorkspace.`,
  );
}
