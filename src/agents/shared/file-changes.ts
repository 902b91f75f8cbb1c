import { readVaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';

export interface FileChange {
  readonly path: string;
  /** `outside`: no path of this vault, so nobody looked. */
  readonly change: 'modified' | 'missing' | 'outside';
}

/** Which of these files were modified after `since` (milliseconds since 1970), are not there, or are not of this vault. */
export async function changedAmong(
  files: Files,
  paths: readonly string[],
  since: number,
): Promise<FileChange[]> {
  const changes = await Promise.all(paths.map((path) => changeOf(files, path, since)));
  return paths.flatMap((path, at) => (changes[at] ? [{ path, change: changes[at] }] : []));
}

export async function missingAmong(files: Files, paths: readonly string[]): Promise<string[]> {
  const changes = await changedAmong(files, paths, Infinity);
  return changes.filter(({ change }) => change === 'missing').map(({ path }) => path);
}

async function changeOf(
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
