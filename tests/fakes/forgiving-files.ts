import type { Files } from '../../src/platform/files.js';

/**
 * Wraps files as a volume of macOS would: names are listed with decomposed accents, and a file is
 * found in any letter case and composition. `inner` must be created through this port only.
 */
export function createForgivingFiles(inner: Files): Files {
  /** Returns the path as it is on disk; parts that do not exist are decomposed. */
  async function onDisk(path: string): Promise<string> {
    let found = '';
    for (const part of path === '' ? [] : path.split('/')) {
      const entries = await inner.list(found);
      const name = entries.find((entry) => key(entry.name) === key(part))?.name;
      found = `${found}${found && '/'}${name ?? part.normalize('NFD')}`;
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

function key(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
