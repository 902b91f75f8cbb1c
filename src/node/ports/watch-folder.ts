import { isHidden, type VaultPath } from '../../model/paths.js';
import type { Watch } from '../../storage/change-feed.js';
import type { NodeModules } from '../modules.js';

/** So often somebody must look where watching is not possible. */
const POLL_MS = 1500;

/** Every so many of these looks is made all the same: of what another machine writes to a network folder, no system tells. */
const BLIND_EVERY = 10;

/** Which files of a folder are of interest, by the ends of their names, and which folders in it are not. */
interface Interest {
  readonly ending: string;
  readonly isSkipped: (folder: VaultPath) => boolean;
}

const SEGMENTS: Interest = { ending: '.jsonl', isSkipped: () => false };

/** The notes of a vault; what is hidden is none. */
export const NOTES: Interest = { ending: '.md', isSkipped: isHidden };

/**
 * The port Watch over the folder `root` of a vault on disk (an absolute path), and all folders in it: the data folder, unless other
 * files are of interest. Keeps no process alive.
 */
export function createFolderWatch(
  node: Pick<NodeModules, 'fs' | 'path' | 'timers'>,
  vault: string,
  root: VaultPath,
  interest = SEGMENTS,
): Watch {
  return { start: (changed) => watchFolders(node, vault, root, interest, changed) };
}

type Changed = Parameters<Watch['start']>[0];

function watchFolders(
  { fs, path, timers }: Pick<NodeModules, 'fs' | 'path' | 'timers'>,
  vault: string,
  root: VaultPath,
  { ending, isSkipped }: Interest,
  changed: Changed,
) {
  const inside = (folder: VaultPath, name: string) => (folder === '' ? name : `${folder}/${name}`);
  /** By vault path, the folders that are watched: which folder that was, and how to stop. */
  const watched = new Map<
    VaultPath,
    { readonly identity: string; readonly stop: AbortController }
  >();
  let isOver = false;
  let isBlind = true;
  let ticks = 0;
  let refreshing: Promise<void> | undefined;

  /** Watches the folders that are there now, and no others. */
  function refresh(): void {
    refreshing ??= followAll().finally(() => (refreshing = undefined));
  }

  async function followAll(): Promise<void> {
    const there = await foldersIn(root);
    for (const folder of [...watched.keys()]) if (!there.has(folder)) unfollow(folder);
    for (const [folder, identity] of there) {
      if (watched.get(folder)?.identity === identity || isOver) continue;
      unfollow(folder);
      void follow(folder, identity);
    }
    isBlind = watched.size === 0 || watched.size < there.size;
  }

  /** The folder and those in it, each with what tells it from another that was made in its place. */
  async function foldersIn(
    folder: VaultPath,
    found = new Map<VaultPath, string>(),
  ): Promise<Map<VaultPath, string>> {
    const onDisk = path.join(vault, folder);
    const info = await fs.stat(onDisk).catch(() => undefined);
    if (!info?.isDirectory()) return found;
    found.set(folder, `${info.ino} ${info.birthtimeMs}`);
    const entries = await fs.readdir(onDisk, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const inner = inside(folder, entry.name);
      if (entry.isDirectory() && !isSkipped(inner)) await foldersIn(inner, found);
    }
    return found;
  }

  async function follow(folder: VaultPath, identity: string): Promise<void> {
    const stop = new AbortController();
    watched.set(folder, { identity, stop });
    try {
      const events = fs.watch(path.join(vault, folder), { persistent: false, signal: stop.signal });
      changed(); // something may have come before
      for await (const { filename } of events) {
        const name = filename ?? '';
        if (name.toLowerCase().endsWith(ending)) changed(inside(folder, name));
        else refresh();
      }
    } catch {
      if (!stop.signal.aborted) watched.delete(folder); // it cannot be watched, or no longer: looking at it from time to time must do
    }
  }

  function unfollow(folder: VaultPath): void {
    watched.get(folder)?.stop.abort();
    watched.delete(folder);
  }

  const poll = timers.setInterval(() => {
    if (!isBlind && ++ticks % BLIND_EVERY !== 0) return;
    changed();
    refresh();
  }, POLL_MS);
  poll.unref();
  refresh();
  return () => {
    isOver = true;
    timers.clearInterval(poll);
    for (const folder of [...watched.keys()]) unfollow(folder);
  };
}
