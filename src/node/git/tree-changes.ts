import { compareText } from '../../model/event.js';
import type { TreeChange } from '../../platform/device-access.js';
import type { GitObjects } from './git-objects.js';
import { FOLDER_TYPE, isSameFile, type FileOnDisk, type TreeFile } from './working-tree.js';

type Objects = Pick<GitObjects, 'readTree'>;

/** Returns the files in a folder of a commit by path. `oid` is the folder's; undefined for none. */
export async function filesInTree(
  objects: Objects,
  oid: string | undefined,
  prefix = '',
  files = new Map<string, TreeFile>(),
): Promise<Map<string, TreeFile>> {
  if (oid === undefined) return files;
  for (const entry of await objects.readTree(oid)) {
    const path = prefix + entry.name;
    if (entry.mode === FOLDER_TYPE) await filesInTree(objects, entry.oid, `${path}/`, files);
    else files.set(path, entry);
  }
  return files;
}

/** Yields the files that differ between two folders, unordered. Reads only folders that differ. */
export async function* treeChanges(
  objects: Objects,
  before: string | undefined,
  after: string | undefined,
  prefix = '',
): AsyncGenerator<TreeChange> {
  if (before === after) return;
  const entriesOf = async (oid: string | undefined) =>
    new Map(
      (oid === undefined ? [] : await objects.readTree(oid)).map((entry) => [entry.name, entry]),
    );
  const [old, current] = [await entriesOf(before), await entriesOf(after)];
  for (const name of new Set([...old.keys(), ...current.keys()])) {
    const [one, other] = [old.get(name), current.get(name)];
    if (one?.oid === other?.oid && one?.mode === other?.mode) continue;
    const path = prefix + name;
    const folderOf = (entry: TreeFile | undefined) =>
      entry?.mode === FOLDER_TYPE ? entry.oid : undefined;
    yield* treeChanges(objects, folderOf(one), folderOf(other), `${path}/`);
    const change = changeOf(isFile(one) ? one : undefined, isFile(other) ? other : undefined);
    if (change) yield { path, change };
  }
}

function isFile(entry: TreeFile | undefined): entry is TreeFile {
  return entry !== undefined && entry.mode !== FOLDER_TYPE;
}

function changeOf(
  before: TreeFile | undefined,
  after: TreeFile | undefined,
): TreeChange['change'] | undefined {
  if (before && after) return 'changed';
  if (before) return 'removed';
  return after && 'added';
}

/** Returns how a file differs between a commit and the disk; undefined if it does not. */
export function changeOnDisk(
  before: TreeFile | undefined,
  onDisk: FileOnDisk | undefined,
): TreeChange['change'] | undefined {
  if (!before) return onDisk && 'added';
  if (!onDisk) return 'removed';
  return isSameFile(before, onDisk) ? undefined : 'changed';
}

export function sortedByPath(changes: readonly TreeChange[]): TreeChange[] {
  return [...changes].sort((a, b) => compareText(a.path, b.path));
}
