import type { NodeModules } from './modules.js';

/** Returns an absolute path without links, as far as it exists. */
export async function realPath(node: NodeModules, path: string): Promise<string> {
  const real = await node.fs.realpath(path).catch(() => undefined);
  const parent = node.path.dirname(path);
  if (real !== undefined || parent === path) return real ?? path;
  return node.path.join(await realPath(node, parent), node.path.basename(path));
}

/** Returns true if both paths lead to the same folder, which does not have to exist. */
export async function isSameFolder(
  node: NodeModules,
  one: string,
  other: string,
): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((folder) => realPath(node, node.path.resolve(folder))),
  );
  return a === b;
}
