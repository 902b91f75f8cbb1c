import type { NodeModules } from './modules.js';

/** Returns an absolute path without links, as far as it exists. */
export async function realPath(node: NodeModules, path: string): Promise<string> {
  const real = await node.fs.realpath(path).catch(() => undefined);
  const parent = node.path.dirname(path);
  if (real !== undefined || parent === path) return real ?? path;
  return node.path.join(await realPath(node, parent), node.path.basename(path));
}

/** Returns the real path of a folder; undefined if there is none, or this user cannot reach it. */
export async function realFolder(node: NodeModules, path: string): Promise<string | undefined> {
  const real = await node.fs.realpath(path).catch(() => undefined);
  return real !== undefined && (await isFolder(node, real)) ? real : undefined;
}

/** Returns true if there is a folder at a path, or at the end of a link there. */
export async function isFolder({ fs }: Pick<NodeModules, 'fs'>, path: string): Promise<boolean> {
  return (await fs.stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Like `isFolder`, for a regular file. */
export async function isFile({ fs }: Pick<NodeModules, 'fs'>, path: string): Promise<boolean> {
  return (await fs.stat(path).catch(() => undefined))?.isFile() === true;
}

/** Returns the bytes of the file at a path; undefined if there is none. */
export async function fileSize({ fs }: Pick<NodeModules, 'fs'>, path: string) {
  return (await fs.stat(path).catch(() => undefined))?.size;
}

/** Returns true if anything is at a path. */
export async function exists({ fs }: Pick<NodeModules, 'fs'>, path: string): Promise<boolean> {
  return (await fs.stat(path).catch(() => undefined)) !== undefined;
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
