import type { VaultPath } from '../../../model/paths.js';
import { readLinks } from '../../../search/index.js';
import type { Services } from '../../services.js';
import { openVaultNotes } from '../../shared/readable-notes.js';
import { addToList } from '../../../platform/lists.js';

export interface Backlink {
  readonly path: VaultPath;
  /** Line of the first link, from 1. */
  readonly line: number;
}

/** Reads which notes link to which files. Leaves out excluded ones and those too large to index. */
export async function readNoteGraph(
  services: Pick<Services, 'search'>,
  signal: AbortSignal | undefined,
) {
  const vault = openVaultNotes(services, signal);
  const targets = await vault.targets();
  const backlinks = new Map<VaultPath, Backlink[]>();
  for await (const { path, folder, text } of vault.texts(await vault.notes())) {
    const linked = new Set<VaultPath>();
    for (const link of readLinks(text)) {
      const target = link && targets.resolve(link.target, folder);
      if (!link) await vault.checkpoint();
      if (!link || target === undefined || target === path || linked.has(target)) continue;
      linked.add(target);
      addToList(backlinks, target, { path, line: link.line });
    }
  }
  return {
    hasFile: targets.hasFile,
    /** Returns the notes that link to a file, in the order of the vault's list. */
    backlinks: (path: VaultPath): readonly Backlink[] => backlinks.get(path) ?? [],
  };
}
