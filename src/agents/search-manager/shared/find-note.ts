import { isNote } from '../../../indexing/notes/note-source.js';
import { isHidden, isWithin, joinPath, type VaultPath } from '../../../model/paths.js';
import { findName } from '../../../platform/safe-file-names.js';
import type { Services } from '../../services.js';

/** A note to search. `path` is undefined if there is none; `problem` completes "the path …". */
type FoundNote =
  | { readonly path: undefined }
  | { readonly path: VaultPath; readonly read: () => Promise<string | undefined> }
  | { readonly problem: string };

/** Finds a Markdown file that is not hidden, excluded or behind a folder link. Ignores case. */
export async function findNote(
  { files, search }: Pick<Services, 'files' | 'search'>,
  typed: VaultPath,
): Promise<FoundNote> {
  const skipped = await search.access.skippedFolders();
  const problemOf = (path: VaultPath) => {
    if (isHidden(path)) return 'is hidden';
    if (skipped.some((folder) => isWithin(path, folder))) return 'is in an excluded folder';
    return isNote(path) ? undefined : 'is no Markdown note';
  };
  const problem = problemOf(typed);
  if (problem !== undefined) return { problem };
  let path: VaultPath = '';
  const parts = typed.split('/');
  for (const [at, part] of parts.entries()) {
    const entries = await files.list(path);
    const found = findName(
      entries.map(({ name }) => name),
      part,
    );
    const entry = entries.find(({ name }) => name === found);
    const isLast = at === parts.length - 1;
    if (entry?.kind !== (isLast ? 'file' : 'folder')) return { path: undefined };
    if (!isLast && entry.isLink) return { problem: 'is behind a link' };
    path = joinPath(path, entry.name);
  }
  const actualProblem = problemOf(path);
  if (actualProblem !== undefined) return { problem: actualProblem };
  return { path, read: () => search.access.source.read(path) };
}
