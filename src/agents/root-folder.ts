import { isHidden, isWithin, readVaultPath, type VaultPath } from '../model/paths.js';
import { clip, Refusal } from '../model/refusal.js';
import type { Services } from './services.js';

/** The folder of a workspace as a vault path. Throws a `Refusal` for one that is not the person's own ground. */
export async function readRootFolder(typed: string, { files, dataFolder }: Services): Promise<VaultPath> {
  const refuse = (problem: string) => new Refusal(`rootFolder "${clip(typed)}" ${problem}.`);
  const read = readVaultPath(typed.trim());
  if ('problem' in read) throw refuse(read.problem);
  if (isHidden(read.path))
    throw refuse('is in a hidden folder, where Obsidian keeps its settings; choose a visible one, such as "Projects/Alpha"');
  if (isWithin(read.path, dataFolder)) throw refuse('is in the folder where Savepoint keeps its data; choose one with notes');
  if (!(await files.isInside(read.path))) throw refuse('leads outside the vault through a link; choose a folder inside the vault');
  return read.path;
}

/** A vault path as a workspace shows it. */
export function shownFolder(path: VaultPath): string {
  return path === '' ? '/' : path;
}
