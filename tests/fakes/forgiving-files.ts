import type { Files } from '../../src/platform/files.js';

/**
 * Wraps files as a volume of macOS or Windows would: a file is found in any letter case. On macOS,
 * names are listed with decomposed accents, and found in any composition. `inner` must be written
 * through this port only.
 */
export function createForgivingFiles(inner: Files, system: 'macOS' | 'Windows' = 'macOS'): Files {
  const spell = (name: string) => (system === 'macOS' ? name.normalize('NFD') : name);
  const key = (name: string) => spell(name).toLowerCase();

  /** Returns the path as it is on disk; parts that do not exist are decomposed. */
  async function onDisk(path: string): Promise<string> {
    let found = '';
    for (const part of path === '' ? [] : path.split('/')) {
      const entries = await inner.list(found);
      const name = entries.find((entry) => key(entry.name) === key(part))?.name;
      found = `${found}${found && '/'}${name ?? spell(part)}`;
    }
    return found;
  }
  return {
    list: async (folder) => inner.list(await onDisk(folder)),
    stat: async (path) => inner.stat(await onDisk(path)),
    read: async (path, ...rest) => inner.read(await onDisk(path), ...rest),
    append: async (path, ...rest) => inner.append(await onDisk(path), ...rest),
    update: async (path, change) => inner.update(await onDisk(path), change),
    remove: async (path) => inner.remove(await onDisk(path)),
    createFolder: async (path) => inner.createFolder(await onDisk(path)),
    isInside: async (path, folder) =>
      inner.isInside(await onDisk(path), folder === undefined ? undefined : await onDisk(folder)),
  };
}
