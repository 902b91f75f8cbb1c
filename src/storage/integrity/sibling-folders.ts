import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { Files, FolderEntry } from '../../platform/files.js';
import type { Scheduler } from '../../platform/scheduler.js';
import {
  isPlaceholderName,
  isRetirable,
  isSegmentName,
  LANES,
  namedSegment,
} from '../format/lanes.js';
import { vaultIdsIn } from '../data-folder/vault-identity.js';
import { hasSimilarName } from '../forget/remaining-files.js';
import { isLacking, readLogLines, type LogContents } from '../log-lines.js';
import { knowsSegment } from '../read/writer-index.js';
import { retirementsIn } from './retirements.js';

/** A folder next to the data folder that has segments, as that has under another name. */
export interface SiblingFolder {
  readonly path: VaultPath;
  /** Number of its events that the data folder neither has nor has had removed. */
  readonly events: number;
  /** Its files that may have more: nothing can be read from them at present. */
  readonly waiting: readonly VaultPath[];
}

/** The name of a month's folder, or of a copy of it. */
const MONTH = /^\d{4}-\d\d/;

/** Returns the folders next to the data folder that have segments. Skips hidden ones and links. */
export async function findSiblings(
  files: Pick<Files, 'list'>,
  root: VaultPath,
): Promise<VaultPath[]> {
  const parent = root.slice(0, Math.max(0, root.lastIndexOf('/')));
  const found: VaultPath[] = [];
  for (const path of await foldersIn(files, parent, (name) => !name.startsWith('.')))
    if (path !== root && (await hasSegments(files, path))) found.push(path);
  return found.sort();
}

/**
 * Compares the folders next to the data folder with what is in it. Leaves out other vaults' ones,
 * such as an export to import, unless the data folder is empty or they are called like it.
 */
export async function compareSiblings(
  files: Files,
  root: VaultPath,
  own: LogContents,
  scheduler: Scheduler,
): Promise<SiblingFolder[]> {
  const compared: SiblingFolder[] = [];
  const paths = await findSiblings(files, root);
  const retired = retirementsIn(paths.length > 0 ? own.lines : []);
  const ids = new Set(idsIn(own));
  for (const path of paths) {
    const contents = await readLogLines(files, path, scheduler);
    const isOurs = ids.size === 0 || idsIn(contents).some((id) => ids.has(id));
    if (!isOurs && !hasSimilarName(path, root)) continue;
    const { lines, unreadable } = contents;
    const added = lines.filter(
      ({ event, lane }) =>
        isLacking(own, event) && !(isRetirable(lane) && retired.retiredAt(event) !== undefined),
    );
    const waiting = unreadable.filter((file) => {
      const named = namedSegment(file);
      return named && !knowsSegment(own.writers, named);
    });
    compared.push({ path, events: added.length, waiting });
  }
  return compared;
}

function idsIn({ lines }: LogContents): readonly string[] {
  return vaultIdsIn(lines.map(({ event }) => event));
}

async function hasSegments(files: Pick<Files, 'list'>, folder: VaultPath): Promise<boolean> {
  const isLane = (name: string) => LANES.some((lane) => lane === name);
  const isSegment = ({ name }: FolderEntry) =>
    (isSegmentName(name) || isPlaceholderName(name)) && namedSegment(name) !== undefined;
  for (const lane of await foldersIn(files, folder, isLane))
    for (const month of await foldersIn(files, lane, (name) => MONTH.test(name)))
      if ((await entriesOf(files, month)).some(isSegment)) return true;
  return false;
}

async function foldersIn(
  files: Pick<Files, 'list'>,
  folder: VaultPath,
  isWanted: (name: string) => boolean,
): Promise<VaultPath[]> {
  const entries = await entriesOf(files, folder);
  return entries
    .filter(({ name, kind, isLink }) => kind === 'folder' && !isLink && isWanted(name))
    .map(({ name }) => (folder === '' ? name : `${folder}/${name}`));
}

/** Returns the entries of a folder; none of one that cannot be read, which need not be ours. */
function entriesOf(files: Pick<Files, 'list'>, folder: VaultPath): Promise<FolderEntry[]> {
  return files.list(folder).catch((error: unknown) => {
    if (error instanceof Refusal) return [];
    throw error;
  });
}
