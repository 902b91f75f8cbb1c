import { Refusal } from '../../model/refusal.js';
import type { NodeModules } from '../modules.js';

type Stats = Awaited<ReturnType<NodeModules['fs']['lstat']>>;
type Modules = Pick<NodeModules, 'fs' | 'process'>;

/**
 * Creates the folder with mode 0700 if it does not exist. Throws a `Refusal` if it belongs to
 * another user, is a link, or others may read or enter it.
 */
export async function createPrivateFolder(node: Modules, folder: string): Promise<void> {
  await node.fs.mkdir(folder, { recursive: true, mode: 0o700 });
  await assertPrivate(node, folder);
}

/**
 * Returns the stats of a file or folder. Throws a `Refusal` unless it belongs to this user alone.
 * On Windows only links are refused, because there the system itself keeps other users out of a
 * user's folders.
 */
export async function assertPrivate({ fs, process }: Modules, path: string): Promise<Stats> {
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

/**
 * Reason not to trust a file or folder: it is a link, belongs to another user, or others have any
 * access to it.
 */
export type Exposure = 'link' | 'foreign' | 'open';

/**
 * Returns undefined for a file or folder of this user alone. `info` comes from lstat. On Windows
 * only links are reported.
 */
export function exposureOf(
  process: Modules['process'],
  info: { isSymbolicLink(): boolean; readonly uid: number; readonly mode: number },
): Exposure | undefined {
  if (info.isSymbolicLink()) return 'link';
  const uid = process.getuid?.(); // missing on Windows
  if (uid === undefined) return undefined;
  if (info.uid !== uid) return 'foreign';
  return (info.mode & 0o077) === 0 ? undefined : 'open';
}
