import type { VaultPath } from '../../model/paths.js';
import type { NodeModules } from '../modules.js';

/**
 * Attempts to resolve a path that exists but could not be resolved, because another program may
 * have created it in between.
 */
const MAX_ATTEMPTS = 3;

/**
 * Returns true if `path`, with its symbolic links resolved, is inside `folder` (or inside the
 * vault, if `folder` does not exist). `folder` may be a link itself. Both are vault paths. If
 * `path` does not exist, its closest existing parent is checked. A dangling link counts as outside,
 * because its target may appear anywhere.
 */
export async function isInside(
  { fs, path: paths }: Pick<NodeModules, 'fs' | 'path'>,
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
