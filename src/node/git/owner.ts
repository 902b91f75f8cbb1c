import type { NodeModules } from '../modules.js';
import { configValues, readUserConfigs } from './config.js';

/**
 * Applies git's rule for the owners of repositories: returns true if the files belong to this user,
 * or the user has listed the checked-out folder `root` as `safe.directory`.
 */
export async function isTrusted(
  node: NodeModules,
  root: string,
  places: readonly string[],
): Promise<boolean> {
  const uid = node.process.getuid?.();
  if (uid === undefined) return true; // a system without user ids
  const owners = await Promise.all(places.map(async (place) => (await node.fs.stat(place)).uid));
  return owners.every((owner) => owner === uid) || (await isListed(node, root));
}

async function isListed(node: NodeModules, root: string): Promise<boolean> {
  let folders: string[] = [];
  for (const config of await readUserConfigs(node))
    for (const value of configValues(config, 'safe', 'directory'))
      folders = value === '' ? [] : [...folders, value]; // an empty value resets the list
  return folders.some(
    (folder) =>
      folder === '*' ||
      folder === root ||
      (folder.endsWith('/*') && root.startsWith(folder.slice(0, -1))),
  );
}
