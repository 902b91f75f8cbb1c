import { Refusal } from '../../model/refusal.js';
import type { NodeModules } from '../modules.js';

type Stats = Awaited<ReturnType<NodeModules['fs']['lstat']>>;

/** Throws a `Refusal` if the folder is another user's, a link, or open to others. */
export async function createPrivateFolder(node: NodeModules, folder: string): Promise<void> {
  await node.fs.mkdir(folder, { recursive: true, mode: 0o700 });
  await assertPrivate(node, folder);
}

/**
 * Returns the stats of a file or folder. Throws a `Refusal` unless it belongs to this user alone;
 * on Windows only for links, because the system keeps other users out of a user's folders.
 */
export async function assertPrivate({ fs, process }: NodeModules, path: string): Promise<Stats> {
  const info = await fs.lstat(path);
  switch (exposureOf(process, info)) {
    case 'link':
      throw new Refusal(`"${path}" is a link, so it is not trusted. Remove it, and try again.`);
    case 'foreign':
      throw new Refusal(
        `"${path}" belongs to another user of this machine, so it is not trusted. Remove it, or set SAVEPOINT_STATE to a folder of your own.`,
      );
    case 'open':
      throw new Refusal(
        `Others may read or enter "${path}", so it is not trusted. Restrict it to yourself (chmod go-rwx), and try again.`,
      );
    case undefined:
      return info;
  }
}

/** Reason not to trust a file or folder: a link, another user's, or open to others in any way. */
export type Exposure = 'link' | 'foreign' | 'open';

/** Returns undefined if it is private, or on Windows if it is no link. `info` is from lstat. */
export function exposureOf(
  process: NodeModules['process'],
  info: { isSymbolicLink(): boolean; readonly uid: number; readonly mode: number },
): Exposure | undefined {
  if (info.isSymbolicLink()) return 'link';
  const uid = process.getuid?.(); // missing on Windows
  if (uid === undefined) return undefined;
  if (info.uid !== uid) return 'foreign';
  return (info.mode & 0o077) === 0 ? undefined : 'open';
}
