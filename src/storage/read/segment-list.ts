import type { VaultPath } from '../../model/paths.js';
import type { Clock } from '../../platform/clock.js';
import {
  COARSEST_STEP_MS,
  type FileInfo,
  type Files,
  type FolderEntry,
} from '../../platform/files.js';
import { allEnded } from '../../platform/parallel.js';
import { isPlaceholderName, isSegmentName } from '../format/lanes.js';

export interface SegmentListOptions {
  readonly files: Files;
  /** The data folder, which no link may lead out of. */
  readonly root: VaultPath;
  /** The lane's folder. */
  readonly folder: VaultPath;
  /** Without it, every update lists every folder. */
  readonly clock: Pick<Clock, 'now'> | undefined;
}

interface ListedFolder {
  /** Metadata from about the time of the listing; undefined if not asked for, or if no folder. */
  readonly info: FileInfo | undefined;
  /** Time at which that modification time was first seen. */
  readonly seenAt: number;
  /** Time at which the listing began. */
  readonly listedAt: number;
  readonly segments: Set<VaultPath>;
  readonly unreadable: readonly VaultPath[];
  /** A link's target can change while the folder does not. */
  readonly hasLinks: boolean;
  /** True after this process created a file in the folder, which should change its time. */
  isExtended: boolean;
}

type Listing = Pick<ListedFolder, 'segments' | 'unreadable' | 'hasLinks'>;

/** Ten times exFAT's step, the coarsest below a second; further changes within it do not show. */
const FINE_SETTLE_MS = 100;
/** Interval at which the next folder in turn is listed even if it seems to be unchanged. */
const RELIST_INTERVAL_MS = 30_000;
/** The same for the lane's folder and the newest one, until folder times have proved to work. */
const UNPROVEN_RELIST_INTERVAL_MS = 1000;

/** Lists one lane's segments; lists a folder again only if its modification time has changed. */
export class SegmentList {
  readonly #options: SegmentListOptions;
  readonly #known: Set<VaultPath>;
  readonly #folders = new Map<VaultPath, ListedFolder>();
  /** Folders to list regardless of their modification time. */
  readonly #invalid = new Set<VaultPath>();
  readonly #changed = new Set<VaultPath>();
  #relisted = new Set<VaultPath>();
  #relistedAt = 0;
  /** False if folders have no times, or if one changed while its time did not. */
  #areTimesUsable: boolean;
  /** True after a folder and its time were seen to change together. */
  #areTimesProven = false;

  constructor(options: SegmentListOptions) {
    this.#options = options;
    this.#known = new Set([options.folder]);
    this.#areTimesUsable = options.clock !== undefined;
  }

  /** Lists folders that may have changed: known ones all at once, then those found in them. */
  async update(): Promise<void> {
    this.#invalidateNext();
    const updated = new Set<VaultPath>();
    for (
      let next = [...this.#known];
      next.length > 0;
      next = [...this.#known].filter((folder) => !updated.has(folder))
    ) {
      await allEnded(next.map((folder) => this.#updateFolder(folder)));
      for (const folder of next) updated.add(folder);
    }
  }

  has(path: VaultPath): boolean {
    return this.#folders.get(parentOf(path))?.segments.has(path) === true;
  }

  /** Paths that look like segments but cannot be read, such as files not downloaded yet. */
  unreadable(): VaultPath[] {
    return [...this.#folders.values()].flatMap(({ unreadable }) => unreadable);
  }

  /** Returns, once, the added or removed paths and the folders that were listed again. */
  takeChanges(): { changed: VaultPath[]; relisted: ReadonlySet<VaultPath> } {
    const changed = [...this.#changed];
    const relisted = this.#relisted;
    this.#changed.clear();
    this.#relisted = new Set();
    return { changed, relisted };
  }

  /** Makes the next update list the folder of a path. */
  invalidate(path: VaultPath): void {
    const folder = parentOf(path);
    if (this.#known.has(folder)) this.#invalid.add(folder);
  }

  /** Adds a segment that this process has created. */
  add(path: VaultPath): void {
    const parent = parentOf(path);
    const folder = this.#folders.get(parent) ?? unlistedFolder();
    this.#known.add(parent);
    this.#folders.set(parent, folder);
    if (!folder.segments.has(path)) folder.isExtended = true;
    folder.segments.add(path);
  }

  /** Invalidates the next folder when it is time, because modification times may be unreliable. */
  #invalidateNext(): void {
    const now = this.#options.clock?.now();
    if (!this.#areTimesUsable || now === undefined || this.#folders.size === 0) return;
    const folders = [...this.#folders];
    if (!this.#areTimesProven) {
      const [newest] = maxBy(folders, ([, { info }]) => info?.mtime ?? 0);
      for (const path of [this.#options.folder, newest]) {
        const age = Math.abs(now - (this.#folders.get(path)?.listedAt ?? now));
        if (age >= UNPROVEN_RELIST_INTERVAL_MS) this.#invalid.add(path);
      }
    }
    if (Math.abs(now - this.#relistedAt) < RELIST_INTERVAL_MS) return;
    this.#relistedAt = now;
    this.#invalid.add(maxBy(folders, ([, { listedAt }]) => -listedAt)[0]);
  }

  async #updateFolder(path: VaultPath): Promise<void> {
    const { files } = this.#options;
    const before = this.#folders.get(path);
    const startedAt = this.#now();
    // A folder that is always listed need not wait for its modification time.
    const isListedAnyway = !before || !isTrustworthy(before) || !this.#areTimesUsable;
    const [info, early] = await allEnded([
      this.#areTimesUsable ? files.stat(path) : Promise.resolve(undefined),
      isListedAnyway ? this.#list(path) : Promise.resolve(undefined),
    ]);
    if (info?.kind === 'folder' && !(info.mtime > 0)) this.#areTimesUsable = false;
    const now = this.#now();
    const isSame =
      before !== undefined && isSameFolder(before.info, info) && now >= before.listedAt;
    const isTrusted = isSame && isTrustworthy(before) && this.#areTimesUsable;
    if (isTrusted && !this.#invalid.has(path)) return;
    this.#invalid.delete(path);
    const listed = early ?? (await this.#listAgain(path));
    const seenAt = isSame ? before.seenAt : now;
    const listedAt = early ? startedAt : now;
    this.#folders.set(path, { ...listed, info, seenAt, listedAt, isExtended: false });
    this.#relisted.add(path);
    const hasChanged = this.#compare(before?.segments ?? new Set(), listed.segments);
    if (!before?.info || !(hasChanged || before.isExtended)) return;
    if (!isSame) this.#areTimesProven = true;
    else if (isTrusted && isSameFolder(info, await files.stat(path))) this.#areTimesUsable = false;
  }

  /** Lists a folder that must be listed the next time if this fails. */
  async #listAgain(path: VaultPath): Promise<Listing> {
    try {
      return await this.#list(path);
    } catch (error) {
      this.#invalid.add(path);
      throw error;
    }
  }

  #now(): number {
    return this.#options.clock?.now() ?? 0;
  }

  /** Returns true if any segment was added or removed. */
  #compare(before: ReadonlySet<VaultPath>, after: ReadonlySet<VaultPath>): boolean {
    let hasChanged = false;
    const note = (path: VaultPath) => {
      hasChanged = true;
      this.#changed.add(path);
    };
    for (const path of before) if (!after.has(path)) note(path);
    for (const path of after) if (!before.has(path)) note(path);
    return hasChanged;
  }

  async #list(folder: VaultPath): Promise<Listing> {
    const entries = await this.#options.files.list(folder);
    const segments = new Set<VaultPath>();
    const unreadable: VaultPath[] = [];
    for (const entry of entries) {
      const { name, kind } = entry;
      const path = `${folder}/${name}`;
      const isUsable = entry.isLink ? await this.#isLinkUsable(path, entry) : isPlain(entry);
      if (!isUsable) unreadable.push(path);
      else if (kind === 'folder') this.#known.add(path);
      else if (isSegmentName(name)) segments.add(path);
      else if (isPlaceholderName(name)) unreadable.push(path);
    }
    return { segments, unreadable, hasLinks: entries.some(({ isLink }) => isLink) };
  }

  /** Returns false for a link to a folder (perhaps a cycle), to a non-file, or out of `root`. */
  async #isLinkUsable(path: VaultPath, entry: FolderEntry): Promise<boolean> {
    const { files, root } = this.#options;
    if (entry.kind === 'folder') return false;
    return isPlain(entry) && (!isSegmentName(entry.name) || (await files.isInside(path, root)));
  }
}

/** Returns false for an entry that has the name of a segment but is neither a file nor a folder. */
function isPlain({ name, kind }: FolderEntry): boolean {
  return kind !== 'other' || !isSegmentName(name);
}

function unlistedFolder(): ListedFolder {
  return {
    info: undefined,
    seenAt: 0,
    listedAt: 0,
    segments: new Set(),
    unreadable: [],
    hasLinks: false,
    isExtended: false,
  };
}

/** Yields the segments in a folder and in those below it. */
export async function* segmentsBelow(
  files: Pick<Files, 'list'>,
  folder: VaultPath,
): AsyncGenerator<VaultPath> {
  for (const { name, kind, isLink } of await files.list(folder)) {
    const path = `${folder}/${name}`;
    if (isLink) continue;
    if (kind === 'folder') yield* segmentsBelow(files, path);
    else if (kind === 'file' && isSegmentName(name)) yield path;
  }
}

function isSameFolder(before: FileInfo | undefined, now: FileInfo | undefined): boolean {
  return (
    before?.kind === 'folder' &&
    now?.kind === 'folder' &&
    before.mtime === now.mtime &&
    before.fileId === now.fileId
  );
}

/** Returns true if any later change must show in the folder's time, by this device's clock. */
function isTrustworthy({ info, seenAt, listedAt, hasLinks }: ListedFolder): boolean {
  const settleMs = (info?.mtime ?? 0) % 1000 === 0 ? COARSEST_STEP_MS : FINE_SETTLE_MS;
  return listedAt - seenAt >= settleMs && !hasLinks;
}

function parentOf(path: VaultPath): VaultPath {
  return path.slice(0, path.lastIndexOf('/'));
}

function maxBy<T>(items: readonly T[], rank: (item: T) => number): T {
  return items.reduce((best, item) => (rank(item) > rank(best) ? item : best));
}
