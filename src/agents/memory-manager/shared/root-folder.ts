import { hiddenCharacterProblem } from '../../../model/names.js';
import { isHidden, isWithin, readVaultPath, type VaultPath } from '../../../model/paths.js';
import { clip } from '../../../model/refusal.js';
import { findExistingPath, windowsNameProblem } from '../../../platform/safe-file-names.js';
import type { Fail, Failures } from '../../../toolkit/define-tool.js';
import type { Services } from '../../services.js';

const advice = 'Choose another folder in the vault, such as "Projects/Alpha".';

export const rootFolderFailures = {
  folderInvalid: { error: 'rootFolder "{folder}" {problem}.', advice },
  folderHidden: {
    error:
      'rootFolder "{folder}" is in a hidden folder, such as the one with Obsidian\'s settings.',
    advice,
  },
  folderInDataFolder: {
    error: 'rootFolder "{folder}" is in Savepoint\'s data folder.',
    advice,
  },
  folderOutsideVault: {
    error: 'rootFolder "{folder}" leads outside the vault through a symbolic link.',
    advice,
  },
} as const satisfies Failures;

/**
 * Returns a root folder as a vault path. Fails the call if it is hidden, in the data folder or
 * outside the vault, or new with invisible characters or a name that is invalid on Windows.
 */
export async function resolveRootFolder(
  typed: string,
  { files, dataFolder }: Services,
  fail: Fail<typeof rootFolderFailures>,
): Promise<VaultPath> {
  const folder = clip(typed);
  const read = readVaultPath(typed);
  if ('problem' in read) return fail('folderInvalid', { folder, problem: read.problem });
  if (isHidden(read.path)) fail('folderHidden', { folder });
  const existing = await findExistingPath(files, read.path);
  const path = existing ?? read.path.normalize('NFC');
  if (isWithin(path, dataFolder)) fail('folderInDataFolder', { folder });
  if (!(await files.isInside(path))) fail('folderOutsideVault', { folder });
  const problem = existing === undefined ? await newFolderProblem(files, path) : undefined;
  if (problem !== undefined) fail('folderInvalid', { folder, problem });
  return path;
}

/** Returns the problem with a folder that does not exist yet, as a predicate. */
async function newFolderProblem(
  files: Services['files'],
  path: VaultPath,
): Promise<string | undefined> {
  const hidden = hiddenCharacterProblem(path);
  if (hidden !== undefined) return hidden;
  const parts = path.split('/');
  for (const [at, part] of parts.entries()) {
    const problem = windowsNameProblem(part);
    const isNew = problem !== undefined && !(await files.stat(parts.slice(0, at + 1).join('/')));
    if (isNew) return `contains "${clip(part, 40)}", which ${problem}`;
  }
  return undefined;
}

/** Returns a vault path as workspaces show it, with `/` for the vault itself. */
export function displayFolder(path: VaultPath): string {
  return path === '' ? '/' : path;
}
