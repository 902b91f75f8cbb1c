import type { VaultPath } from '../../model/paths.js';
import { readIfPossible, type Files } from '../../platform/files.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { isSegmentName, LANES } from '../format/lanes.js';
import { lineHash } from '../format/line-hash.js';
import { parseSegment, toUtf8 } from '../format/segment.js';
import type { Removal } from './due-lines.js';

/** Larger files are not read: nothing that Savepoint writes is as large. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The repository holds all that was ever committed, compressed. */
const REPOSITORY = '.git';

/**
 * Returns the files that still hold what was removed: copies that sync services, editors and the
 * trash keep below the data folder, in folders next to it with a similar name, and in the vault's
 * hidden folders, as well as notes that the user has edited. Changes nothing.
 */
export async function remainingFiles(
  { files, root, scheduler }: { files: Files; root: VaultPath; scheduler: Scheduler },
  removals: readonly Pick<Removal, 'hashes' | 'isIn'>[],
): Promise<VaultPath[]> {
  const found: VaultPath[] = [];
  const folders = [root, ...(await hiddenFolders(files)), ...(await similarFolders(files, root))];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const { name, kind, isLink } of await files.list(folder)) {
      const path = `${folder}/${name}`;
      if (isLink) continue;
      if (kind === 'folder') folders.push(path);
      else if (kind === 'file' && (await isHolder(files, root, path, removals))) found.push(path);
      await scheduler.yieldIfDue();
    }
  return found.sort();
}

async function hiddenFolders(files: Files): Promise<VaultPath[]> {
  return (await files.list('')).flatMap(({ name, kind, isLink }) =>
    kind === 'folder' && !isLink && name.startsWith('.') && name !== REPOSITORY ? name : [],
  );
}

/** Returns the folders next to the data folder that may be copies of it. */
async function similarFolders(files: Files, root: VaultPath): Promise<VaultPath[]> {
  const parent = root.slice(0, Math.max(0, root.lastIndexOf('/')));
  return (await files.list(parent))
    .filter(({ kind, isLink }) => kind === 'folder' && !isLink)
    .map(({ name }) => (parent === '' ? name : `${parent}/${name}`))
    .filter((path) => path !== root && hasSimilarName(path, root));
}

/** Returns true if a path begins like that of the data folder, in any letter case. */
export function hasSimilarName(path: VaultPath, root: VaultPath): boolean {
  return path.toLowerCase().startsWith(root.toLowerCase());
}

async function isHolder(
  files: Files,
  root: VaultPath,
  path: VaultPath,
  removals: readonly Pick<Removal, 'hashes' | 'isIn'>[],
): Promise<boolean> {
  const size = (await files.stat(path))?.size ?? 0;
  const raw = size > 0 && size <= MAX_BYTES ? await readIfPossible(files, path) : undefined;
  if (!raw) return false;
  const bytes = toUtf8(raw);
  const hashes = parseSegment(bytes).lines.map(({ from, to }) =>
    lineHash(bytes.subarray(from, to)),
  );
  if (hashes.some((hash) => removals.some((removal) => removal.hashes.has(hash)))) return true;
  // other lines of the log may contain the same words, which the user has kept
  const isOfLog = LANES.some((lane) => path.startsWith(`${root}/${lane}/`));
  if (isOfLog && isSegmentName(path.slice(path.lastIndexOf('/') + 1))) return false;
  const text = new TextDecoder().decode(bytes);
  return removals.some(({ isIn }) => isIn(text));
}
