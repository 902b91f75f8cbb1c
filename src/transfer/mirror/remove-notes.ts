import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import { mirrorFolder } from './mirror-notes.js';
import { markedId } from './mirror-text.js';
import { listedTasks } from './task-list.js';

/** Removes the notes of states and records and those that list them as tasks, even edited ones. */
export async function removeNotes(
  files: Files,
  dataFolder: VaultPath,
  ids: readonly string[],
): Promise<void> {
  const removed = new Set(ids);
  const folders = [mirrorFolder(dataFolder)];
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
  const id = markedId(content);
  return id !== undefined && [id, ...listedTasks(content)].some((each) => ids.has(each));
}
