import type { FolderEntry } from '../../platform/files.js';
import { errorCode, type NodeModules } from '../modules.js';
import { kindOf } from './regular-file.js';
import { isMissing } from '../system-errors.js';

type DirectoryEntries = Awaited<ReturnType<typeof readEntries>>;

/** Attempts to list a folder in which entries disappear. */
const MAX_ATTEMPTS = 5;

/** Resolves links. The order is arbitrary. Throws the system's error if there is no such folder. */
export async function listFolder(node: NodeModules, folder: string): Promise<FolderEntry[]> {
  const entries = await readEntries(node, folder);
  const isLink = (entry: DirectoryEntries[number]) => entry.isSymbolicLink();
  const linked = entries
    .filter(isLink)
    .map(({ name }) => resolveLink(node, node.path.join(folder, name), name));
  const plain = entries
    .filter((entry) => !isLink(entry))
    .map((entry): FolderEntry => ({ name: entry.name, kind: kindOf(entry) }));
  return [...plain, ...(await Promise.all(linked)).flat()];
}

async function readEntries({ fs }: NodeModules, folder: string) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fs.readdir(folder, { withFileTypes: true });
    } catch (error) {
      // On disks that list no types, Node looks up each entry, and fails if one has disappeared.
      const mayExist = errorCode(error) === 'ENOENT' && attempt < MAX_ATTEMPTS;
      if (!mayExist || !(await fs.stat(folder)).isDirectory()) throw error;
    }
  }
}

/** Returns the entry of a link; empty if it has disappeared. */
async function resolveLink(
  { fs }: NodeModules,
  file: string,
  name: string,
): Promise<FolderEntry[]> {
  const own = await fs.lstat(file).catch((error: unknown) => errorCode(error));
  if (own === 'ENOENT') return [];
  // Windows lists other things as links too, such as files of OneDrive.
  if (typeof own === 'object' && !own.isSymbolicLink()) return [{ name, kind: kindOf(own) }];
  const kind = await fs.stat(file).then(kindOf, (error: unknown) => {
    const leadsNowhere = isMissing(error) || errorCode(error) === 'ELOOP';
    return leadsNowhere ? 'other' : 'file'; // if there may be a file, reading it reports the error
  });
  return [{ name, kind, isLink: true }];
}
