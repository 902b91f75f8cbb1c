import { isWithin, type VaultPath } from '../../../model/paths.js';
import { Refusal } from '../../../model/refusal.js';
import { isNote } from '../../../indexing/notes/note-source.js';
import { createLinkTargets, readLinks } from '../../../search/index.js';
import type { Services } from '../../services.js';
import { addToList } from '../../../platform/lists.js';

const READ_BATCH_SIZE = 16;

export interface Backlink {
  readonly path: VaultPath;
  /** Line of the first link, from 1. */
  readonly line: number;
}

/** Reads which notes link to which files. Leaves out excluded ones and those too large to index. */
export async function readNoteGraph(
  { search }: Pick<Services, 'search'>,
  signal: AbortSignal | undefined,
) {
  const { source, scheduler, skippedFolders, maxNoteBytes } = search.access;
  const checkpoint = async () => {
    await scheduler.yieldIfDue();
    if (signal?.aborted) throw new Refusal('The call was cancelled. Nothing was changed.');
  };
  const { files, notes } = await source.list(() => false);
  const skipped = await skippedFolders();
  const targets = createLinkTargets();
  for (const file of files) {
    targets.add(file);
    await checkpoint();
  }
  const backlinks = new Map<VaultPath, Backlink[]>();
  const readable = notes.filter(
    ({ path, size }) =>
      isNote(path) && size <= maxNoteBytes && !skipped.some((folder) => isWithin(path, folder)),
  );
  for (let from = 0; from < readable.length; from += READ_BATCH_SIZE) {
    const batch = readable.slice(from, from + READ_BATCH_SIZE);
    const texts = await Promise.all(batch.map(({ path }) => source.read(path)));
    for (const [at, { path }] of batch.entries()) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const linked = new Set<VaultPath>();
      await checkpoint();
      for (const link of readLinks(texts[at] ?? '')) {
        const target = link && targets.resolve(link.target, folder);
        if (!link) await checkpoint();
        if (!link || target === undefined || target === path || linked.has(target)) continue;
        linked.add(target);
        addToList(backlinks, target, { path, line: link.line });
      }
    }
  }
  return {
    hasFile: targets.hasFile,
    /** Returns the notes that link to a file, in the order of the vault's list. */
    backlinks: (path: VaultPath): readonly Backlink[] => backlinks.get(path) ?? [],
  };
}
