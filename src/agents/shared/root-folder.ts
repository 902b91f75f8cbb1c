import { isHidden, isWithin, readVaultPath, type VaultPath } from '../../model/paths.js';
import { clip } from '../../model/refusal.js';
import type { FailureText } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';

const advice = 'Choose a folder of your own in the vault, such as "Projects/Alpha".';

/** Why a folder cannot be a workspace's. */
export const rootFolderFailures = {
  folderNoPath: { error: 'rootFolder "{folder}" {problem}.', advice },
  folderHidden: {
    error: 'rootFolder "{folder}" is in a hidden folder, where Obsidian keeps its settings.',
    advice,
  },
  folderOfData: {
    error: 'rootFolder "{folder}" is in the folder where Savepoint keeps its data.',
    advice,
  },
  folderOutside: { error: 'rootFolder "{folder}" leads outside the vault through a link.', advice },
} as const satisfies Record<string, FailureText>;

type Fail = (failure: keyof typeof rootFolderFailures, values: Record<string, string>) => never;

/** The folder of a workspace as a vault path; the call fails for one that is not the person's own ground. */
export async function readRootFolder(
  typed: string,
  { files, dataFolder }: Services,
  fail: Fail,
): Promise<VaultPath> {
  const folder = clip(typed);
  const read = readVaultPath(typed.trim());
  if ('problem' in read) return fail('folderNoPath', { folder, problem: read.problem });
  if (isHidden(read.path)) fail('folderHidden', { folder });
  if (isWithin(read.path, dataFolder)) fail('folderOfData', { folder });
  if (!(await files.isInside(read.path))) fail('folderOutside', { folder });
  return read.path;
}

/** A vault path as a workspace shows it. */
export function shownFolder(path: VaultPath): string {
  return path === '' ? '/' : path;
}
