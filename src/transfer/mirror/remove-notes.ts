import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import type { Removal } from '../../storage/index.js';
import { mirrorFolder } from './mirror-notes.js';
import { readMirrorFile } from './mirror-text.js';
import { TASKS_NOTE, withoutTasks, workspaceOfTasks } from './task-note.js';

/** Removes unedited notes of items that are removed for good, and lines of tasks. */
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
      else if (name.endsWith('.md')) await removeFrom(files, path, removed);
    }
}

async function removeFrom(files: Files, path: VaultPath, ids: ReadonlySet<string>): Promise<void> {
  const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
  const content = textOf(await files.read(path));
  if (path.endsWith(`/${TASKS_NOTE}.md`) || workspaceOfTasks(content) !== undefined) {
    const change = (bytes: Uint8Array | undefined) =>
      Promise.resolve(new TextEncoder().encode(withoutTasks(textOf(bytes), ids)));
    if (withoutTasks(content, ids) !== content) await files.update(path, change);
    return;
  }
  // without reading properties, so that one which the user has added counts as an edit
  const nothing = () => undefined;
  const note = await readMirrorFile(content, nothing, nothing);
  if (note?.kind === 'untouched' && ids.has(note.id)) await files.remove(path);
}
