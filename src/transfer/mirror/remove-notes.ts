import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import type { Removal } from '../../storage/index.js';
import { mirrorFolder } from './mirror-notes.js';
import { readMirrorFile } from './mirror-text.js';
import { listedTasks } from './task-list.js';

/**
 * Removes the notes of items that are removed for good, and those that list them as tasks. A note
 * that is not as the mirror wrote it stays, since it holds what the user has typed.
 */
export async function removeNotes(
  files: Files,
  dataFolder: VaultPath,
  removals: readonly Pick<Removal, 'ids'>[],
): Promise<void> {
  const removed = new Set(removals.flatMap(({ ids }) => ids));
  const folders = removed.size > 0 ? [mirrorFolder(dataFolder)] : [];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const { name, kind, isLink } of await files.list(folder)) {
      const path = `${folder}/${name}`;
      if (isLink) continue;
      if (kind === 'folder') folders.push(path);
      else if (name.endsWith('.md') && (await isNoteOf(files, path, removed)))
        await files.remove(path);
    }
}

async function isNoteOf(files: Files, path: VaultPath, ids: ReadonlySet<string>): Promise<boolean> {
  const bytes = await files.read(path);
  if (bytes === undefined) return false;
  const content = new TextDecoder().decode(bytes);
  // without reading properties, so that one which the user has added counts as an edit
  const nothing = () => undefined;
  const note = await readMirrorFile(content, nothing, nothing);
  if (note?.kind !== 'untouched' || note.ticked.length > 0) return false;
  return [note.id, ...listedTasks(content)].some((id) => ids.has(id));
}
