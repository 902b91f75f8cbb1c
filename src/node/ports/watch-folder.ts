import { isHidden, joinPath, type VaultPath } from '../../model/paths.js';
import type { FileWatch } from '../../storage/index.js';
import type { NodeModules } from '../modules.js';

type OnChange = Parameters<FileWatch['start']>[0];

export const POLL_INTERVAL_MS = 1500;

/** Every n-th poll runs anyway: other machines' changes in network folders are not reported. */
const FORCED_POLL_EVERY = 10;

/** Selects the files to watch by the end of their names, and the folders to skip. */
interface WatchFilter {
  readonly ending: string;
  readonly isSkipped: (folder: VaultPath) => boolean;
}

const SEGMENT_FILTER: WatchFilter = { ending: '.jsonl', isSkipped: () => false };

/** Selects the notes of a vault, except those in hidden folders. */
export const NOTE_FILTER: WatchFilter = { ending: '.md', isSkipped: isHidden };

/**
 * Returns the port FileWatch over the folder `root` of `vault` (an absolute path) and those in it;
 * for segments of the log by default. It does not keep the process alive.
 */
export function createFolderWatch(
  node: NodeModules,
  vault: string,
  root: VaultPath,
  filter = SEGMENT_FILTER,
): FileWatch {
  return {
    start(changed) {
      const watcher = new FolderWatcher(node, vault, root, filter, changed);
      return () => watcher.close();
    },
  };
}

interface WatchedFolder {
  /** Differs between a folder and another one created later under the same name. */
  readonly identity: string;
  readonly abort: AbortController;
}

/** Watches folders with one system watcher each. Also polls, often if one cannot be watched. */
class FolderWatcher {
  readonly #node: NodeModules;
  readonly #vault: string;
  readonly #root: VaultPath;
  readonly #filter: WatchFilter;
  readonly #changed: OnChange;
  readonly #poll: ReturnType<NodeModules['timers']['setInterval']>;
  readonly #watched = new Map<VaultPath, WatchedFolder>();
  #isClosed = false;
  #mustPoll = true;
  #ticks = 0;
  #isRefreshing = false;

  constructor(
    node: NodeModules,
    vault: string,
    root: VaultPath,
    filter: WatchFilter,
    changed: OnChange,
  ) {
    this.#node = node;
    this.#vault = vault;
    this.#root = root;
    this.#filter = filter;
    this.#changed = changed;
    this.#poll = node.timers.setInterval(() => this.#onTick(), POLL_INTERVAL_MS).unref();
    this.#refresh();
  }

  close(): void {
    this.#isClosed = true;
    this.#node.timers.clearInterval(this.#poll);
    for (const folder of [...this.#watched.keys()]) this.#unwatch(folder);
  }

  #onTick(): void {
    this.#ticks++;
    if (!this.#mustPoll && this.#ticks % FORCED_POLL_EVERY !== 0) return;
    this.#changed();
    this.#refresh();
  }

  /** Watches the folders that exist now, and no others. */
  #refresh(): void {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    void this.#watchAll().finally(() => {
      this.#isRefreshing = false;
    });
  }

  async #watchAll(): Promise<void> {
    const existing = await this.#findFolders(this.#root);
    for (const folder of [...this.#watched.keys()])
      if (!existing.has(folder)) this.#unwatch(folder);
    for (const [folder, identity] of existing) {
      if (this.#watched.get(folder)?.identity === identity || this.#isClosed) continue;
      this.#unwatch(folder);
      void this.#watch(folder, identity);
    }
    this.#mustPoll = this.#watched.size === 0 || this.#watched.size < existing.size;
  }

  async #findFolders(
    folder: VaultPath,
    found = new Map<VaultPath, string>(),
  ): Promise<Map<VaultPath, string>> {
    const { fs, path } = this.#node;
    const onDisk = path.join(this.#vault, folder);
    const info = await fs.stat(onDisk).catch(() => undefined);
    if (!info?.isDirectory()) return found;
    found.set(folder, `${info.ino} ${info.birthtimeMs}`);
    const entries = await fs.readdir(onDisk, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const inner = joinPath(folder, entry.name);
      if (entry.isDirectory() && !this.#filter.isSkipped(inner))
        await this.#findFolders(inner, found);
    }
    return found;
  }

  async #watch(folder: VaultPath, identity: string): Promise<void> {
    const { fs, path } = this.#node;
    const abort = new AbortController();
    this.#watched.set(folder, { identity, abort });
    try {
      const options = { persistent: false, signal: abort.signal };
      const events = fs.watch(path.join(this.#vault, folder), options);
      this.#changed(); // something may have changed before the watcher started
      for await (const { filename } of events) {
        const name = filename ?? '';
        if (name.toLowerCase().endsWith(this.#filter.ending)) this.#changed(joinPath(folder, name));
        else this.#refresh();
      }
    } catch {
      // The folder cannot be watched (any more), so polling takes over.
      if (!abort.signal.aborted) this.#watched.delete(folder);
    }
  }

  #unwatch(folder: VaultPath): void {
    this.#watched.get(folder)?.abort.abort();
    this.#watched.delete(folder);
  }
}
