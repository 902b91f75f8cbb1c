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
  node: NodeModules,
  vault: string,
  path: VaultPath,
  folder: VaultPath,
): Promise<boolean> {
  const { fs, path: paths } = node;
  const real = await fs.realpath(paths.join(vault, folder)).catch(() => fs.realpath(vault));
  const prefix = real.endsWith(paths.sep) ? real : real + paths.sep;
  const target = await followLinks(node, paths.join(vault, path));
  return target === real || target?.startsWith(prefix) === true;
}

/**
 * Returns an absolute path with links followed, as far as it exists; undefined for a dangling link.
 */
export async function followLinks(
  { fs, path: paths }: NodeModules,
  path: string,
): Promise<string | undefined> {
  let at = path;
  for (let attempt = 1; ; attempt++) {
    const target = await fs.realpath(at).catch(() => undefined);
    if (target !== undefined) return paths.join(target, paths.relative(at, path));
    const entry = await fs.lstat(at).catch(() => undefined);
    if (entry?.isSymbolicLink() || attempt === MAX_ATTEMPTS) return undefined;
    if (entry) continue;
    const parent = paths.dirname(at);
    if (parent === at) return undefined;
    at = parent;
    attempt = 0;
  }
}
