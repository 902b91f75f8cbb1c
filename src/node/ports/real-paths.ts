import type { VaultPath } from '../../model/paths.js';
import type { NodeModules } from '../modules.js';

/** Attempts at an existing path that did not resolve: another program may have just created it. */
const MAX_ATTEMPTS = 3;

/**
 * Returns true if `path`, with links resolved, is inside `folder` (or the vault, if `folder` does
 * not exist), which may be a link itself. For a missing `path`, its closest existing parent counts.
 * A dangling link is outside, because its target may appear anywhere.
 */
export async function isInside(
  { fs, path: paths }: NodeModules,
  vault: string,
  path: VaultPath,
  folder: VaultPath,
): Promise<boolean> {
  const real = await fs.realpath(paths.join(vault, folder)).catch(() => fs.realpath(vault));
  const prefix = real.endsWith(paths.sep) ? real : real + paths.sep;
  let at = path;
  for (let attempt = 1; ; attempt++) {
    const onDisk = paths.join(vault, at);
    const target = await fs.realpath(onDisk).catch(() => undefined);
    if (target !== undefined) return target === real || target.startsWith(prefix);
    const entry = await fs.lstat(onDisk).catch(() => undefined);
    if (!entry) {
      at = paths.posix.dirname(at);
      attempt = 0;
    } else if (entry.isSymbolicLink() || attempt === MAX_ATTEMPTS) return false;
  }
}
