import {
  diskError,
  joinPath,
  parentOf,
  nameOf,
  type Medium,
  type MediumStat,
  type Times,
} from './medium';

type Modules = { readonly fs: typeof import('node:fs'); readonly path: typeof import('node:path') };

const isMissing = (error: unknown) =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * A vault in a real folder, which it watches, so changes by other programs arrive after a moment.
 */
export function folderMedium(folder: string, { fs, path: paths }: Modules): Medium {
  const basePath = paths.resolve(folder);
  const disk = fs.promises;

  const onDisk = (path: string) => {
    const full = paths.join(basePath, path);
    if (full !== basePath && !full.startsWith(basePath + paths.sep))
      throw diskError('EACCES', 'open', path);
    return full;
  };

  async function setTimes(path: string, times?: Times): Promise<void> {
    if (times?.mtime === undefined) return;
    const seconds = times.mtime / 1000;
    await disk.utimes(onDisk(path), seconds, seconds);
  }

  return {
    basePath,
    async stat(path): Promise<MediumStat | null> {
      try {
        const stats = await disk.stat(onDisk(path));
        const isFolder = stats.isDirectory();
        return {
          type: isFolder ? 'folder' : 'file',
          ctime: Math.round(stats.birthtimeMs),
          mtime: Math.round(stats.mtimeMs),
          size: isFolder ? 0 : stats.size,
          version: `${stats.ino}:${stats.mtimeMs}:${stats.size}`,
        };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    list: async (path) => disk.readdir(onDisk(path)),
    async hasExactCase(path) {
      const names = await disk.readdir(onDisk(parentOf(path)));
      return names.includes(nameOf(path));
    },
    read: async (path) => disk.readFile(onDisk(path)),
    async write(path, bytes, times) {
      await disk.writeFile(onDisk(path), bytes);
      await setTimes(path, times);
    },
    async append(path, bytes, times) {
      await disk.appendFile(onDisk(path), bytes);
      await setTimes(path, times);
    },
    async mkdir(path) {
      await disk.mkdir(onDisk(path), { recursive: true });
    },
    remove: async (path) => disk.unlink(onDisk(path)),
    rmdir: async (path, isRecursive) =>
      isRecursive ? disk.rm(onDisk(path), { recursive: true }) : disk.rmdir(onDisk(path)),
    rename: async (from, to) => disk.rename(onDisk(from), onDisk(to)),
    watch: (onChange) => watchTree(fs, basePath, (parts) => onChange(parts.reduce(joinPath, ''))),
  };
}

/**
 * Watches a folder and everything below it. Node 20 has no reliable recursive watching on Linux, so
 * each folder gets its own watcher. A new folder is reported with its contents.
 */
function watchTree(
  fs: Modules['fs'],
  basePath: string,
  onChange: (parts: string[]) => void,
): () => void {
  const watchers = new Map<string, import('node:fs').FSWatcher>();

  function add(parts: string[]): void {
    const folder = [basePath, ...parts].join('/');
    if (watchers.has(folder)) return;
    let names: string[];
    try {
      if (!fs.statSync(folder).isDirectory()) return;
      const watcher = fs.watch(folder, (_kind, name) => {
        if (name === null) return;
        onChange([...parts, name]);
        add([...parts, name]);
      });
      watcher.on('error', () => close(folder));
      watchers.set(folder, watcher);
      names = fs.readdirSync(folder);
    } catch (error) {
      if (isMissing(error)) return close(folder);
      throw error;
    }
    for (const name of names) {
      onChange([...parts, name]);
      add([...parts, name]);
    }
  }

  function close(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  add([]);
  return () => [...watchers.keys()].forEach(close);
}
