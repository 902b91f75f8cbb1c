import type { ProjectFolder } from '../../platform/device-access.js';
import type { NodeModules } from '../modules.js';
import { openRegularFile } from '../open-regular-file.js';
import { realPath } from '../real-path.js';

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
  const relative = path.relative(folder, await realPath(node, file));
  const parts = relative.split(path.sep);
  const isInside = relative !== '' && parts[0] !== '..' && !path.isAbsolute(relative);
  return isInside ? parts.join('/') : undefined;
}
