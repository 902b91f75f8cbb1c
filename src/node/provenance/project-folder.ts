import type { ProjectFolder } from '../../platform/device-access.js';
import type { NodeModules } from '../modules.js';
import { openRegularFile } from '../open-regular-file.js';

/** `folder` is an absolute and real path. Links out of it are not followed. */
export function createProjectFolder(node: NodeModules, folder: string): ProjectFolder {
  const { path } = node;
  return {
    locate: async (typed) => relativePath(node, folder, path.resolve(folder, typed)),
    async openFile(file) {
      const inside = await relativePath(node, folder, path.join(folder, file));
      return inside === undefined ? undefined : openRegularFile(node, path.join(folder, inside));
    },
  };
}

/**
 * Returns the path of a file in `folder`, a real path, with `/` between its parts; undefined for
 * the folder itself or a file outside. Links are resolved as far as the path exists.
 */
export async function relativePath(
  node: NodeModules,
  folder: string,
  file: string,
): Promise<string | undefined> {
  const { path } = node;
  const relative = path.relative(folder, await resolveExisting(node, file));
  const parts = relative.split(path.sep);
  const isInside = relative !== '' && parts[0] !== '..' && !path.isAbsolute(relative);
  return isInside ? parts.join('/') : undefined;
}

/** Returns the real path of a file, or of its closest existing parent with the rest of the path. */
async function resolveExisting({ fs, path }: NodeModules, file: string): Promise<string> {
  const missing: string[] = [];
  for (let at = file; ; at = path.dirname(at)) {
    const real = await fs.realpath(at).catch(() => undefined);
    if (real !== undefined) return path.join(real, ...missing);
    if (path.dirname(at) === at) return file;
    missing.unshift(path.basename(at));
  }
}
