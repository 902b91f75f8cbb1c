import type { NodeModules } from './modules.js';

/**
 * Identifies a folder, even after renaming, by its inode and, because inodes are soon used again,
 * its time of creation. Undefined if there is no folder; empty if the disk stores no such time.
 */
export async function folderIdentity(
  { fs }: NodeModules,
  folder: string,
): Promise<string | undefined> {
  const info = await fs.stat(folder, { bigint: true }).catch(() => undefined);
  return info && (info.birthtimeNs ? `${info.ino} ${info.birthtimeNs}` : '');
}

/** Returns the time of creation in an identity, in nanoseconds; the empty text if it has none. */
export function creationIn(identity = ''): string {
  return identity.split(' ')[1] ?? '';
}

/** Compares only the times of creation: some disks give their folders new inodes when connected. */
export function isSameIdentity(one: string, other: string): boolean {
  const [created, createdBefore] = [creationIn(one), creationIn(other)];
  return created === '' || createdBefore === '' || created === createdBefore;
}
