import { Refusal } from '../../model/refusal.js';
import type { NodeModules } from '../modules.js';

type Stats = Awaited<ReturnType<NodeModules['fs']['lstat']>>;
type Modules = Pick<NodeModules, 'fs' | 'os'>;

let uidHeld: number | undefined;

/** The user that this process runs as; negative on Windows. Asked of the system once, for it reads a file for that. */
function ownUid(os: Modules['os']): number {
  uidHeld ??= os.userInfo().uid;
  return uidHeld;
}

/** Makes the folder, for this user alone. Throws a `Refusal` where it belongs to another, is a link, or others may enter it. */
export async function makeOwnFolder(node: Modules, folder: string): Promise<void> {
  await node.fs.mkdir(folder, { recursive: true, mode: 0o700 });
  await checkIsOwn(node, folder);
}

/** What is known of a file or folder. Throws a `Refusal` where it is not this user's alone. Windows keeps a user's folders to the user by itself. */
export async function checkIsOwn({ fs, os }: Modules, path: string): Promise<Stats> {
  const info = await fs.lstat(path);
  const uid = ownUid(os);
  if (info.isSymbolicLink())
    throw new Refusal(`"${path}" is a link, so it is not trusted. Remove it, and try again.`);
  if (uid < 0) return info;
  if (info.uid !== uid)
    throw new Refusal(
      `"${path}" belongs to another user of this machine, so it is not trusted. Remove it, or set SAVEPOINT_STATE to a folder of your own.`,
    );
  if ((info.mode & 0o077) !== 0)
    throw new Refusal(
      `Others may read or enter "${path}", so it is not trusted. Make it yours alone (chmod go-rwx), and try again.`,
    );
  return info;
}
