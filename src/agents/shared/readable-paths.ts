import { isHidden, isWithin, type VaultPath } from '../../model/paths.js';
import { clip } from '../../model/refusal.js';
import { resolveVaultPath } from '../../platform/safe-file-names.js';
import type { Fail, Failures } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';

export const pathFailures = {
  pathInvalid: {
    error: 'path "{path}" {problem}.',
    advice: 'Pass a file in the vault, such as "Projects/Plan.md".',
  },
  excluded: {
    error: '"{path}" is in an excluded folder, which Savepoint does not read.',
    advice: 'Choose a file in another folder.',
  },
} as const satisfies Failures;

/** Returns a check for vault paths that agents may see: neither hidden nor excluded by the user. */
export async function createPathFilter({
  search,
}: Pick<Services, 'search'>): Promise<(path: VaultPath) => boolean> {
  const skipped = await search.access.skippedFolders();
  return (path) => !isHidden(path) && !skipped.some((folder) => isWithin(path, folder));
}

/** Returns a path as spelled on disk. Fails the call if agents may not see it. */
export async function resolveReadablePath(
  services: Pick<Services, 'files' | 'search'>,
  typed: string,
  fail: Fail<typeof pathFailures>,
): Promise<VaultPath> {
  const read = await resolveVaultPath(services.files, typed);
  if ('problem' in read) return fail('pathInvalid', { path: clip(typed), problem: read.problem });
  const isReadable = await createPathFilter(services);
  return isReadable(read.path) ? read.path : fail('excluded', { path: clip(read.path) });
}
