import type { NodeModules } from './modules.js';

/**
 * Returns what tells a folder from every other one on its disk, also after it was renamed: its
 * inode and the time of its creation. Returns undefined if there is no such folder, and the empty
 * text if the disk stores no such time. The inode of a deleted folder is soon used again.
 */
export async function folderIdentity(
  { fs }: Pick<NodeModules, 'fs'>,
  folder: string,
): Promise<string | undefined> {
  const info = await fs.stat(folder, { bigint: true }).catch(() => undefined);
  return info && (info.birthtimeNs ? `${info.ino} ${info.birthtimeNs}` : '');
}

/** Returns the time of creation in an identity, in nanoseconds; the empty text if it has none. */
export function creationIn(identity = ''): string {
  return identity.split(' ')[1] ?? '';
}

/**
 * Returns false if a folder is another one than before, by the time of its creation: some disks
 * give their folders new inodes whenever they are connected.
 */
export function isSameFolder(one: string, other: string): boolean {
  const [created, createdBefore] = [creationIn(one), creationIn(other)];
  return created === '' || createdBefore === '' || created === createdBefore;
}
