import { readVaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';

export interface FileChange {
  readonly path: string;
  /** `outside`: not a path in this vault, so not checked. */
  readonly change: 'modified' | 'missing' | 'outside';
}

/** Returns the files that were modified after `since` (milliseconds since 1970), do not exist, or are outside the vault. */
export async function findChangedFiles(
  files: Files,
  paths: readonly string[],
  since: number,
): Promise<FileChange[]> {
  const changes = await Promise.all(paths.map((path) => findChange(files, path, since)));
  return paths.flatMap((path, at) => (changes[at] ? [{ path, change: changes[at] }] : []));
}

export async function findMissingFiles(files: Files, paths: readonly string[]): Promise<string[]> {
  const changes = await findChangedFiles(files, paths, Infinity);
  return changes.filter(({ change }) => change === 'missing').map(({ path }) => path);
}

async function findChange(
  files: Files,
  path: string,
  since: number,
): Promise<FileChange['change'] | undefined> {
  const read = readVaultPath(path);
  if ('problem' in read) return 'outside';
  const info = await files.stat(read.path);
  if (!info) return 'missing';
  return info.kind === 'file' && info.mtime > since ? 'modified' : undefined;
}
