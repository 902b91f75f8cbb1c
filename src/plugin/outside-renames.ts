import { readDigest, type FileAccess } from '../agents/shared/file-digests.js';
import { stampTime, type JsonObject } from '../model/event.js';
import { allWorkspaces, eachState } from '../model/lookup.js';
import type { Memory } from '../model/memory.js';
import { isAtOrIn, moveEvents } from '../model/moves/path-moves.js';
import { fileNameOf, toVaultPath, type VaultPath } from '../model/paths.js';
import { allRecords } from '../model/records/lookup-record.js';
import { recordedDigest, type FileDigest } from '../model/states/provenance.js';
import type { Scheduler } from '../platform/scheduler.js';

export interface Rename {
  readonly from: VaultPath;
  readonly to: VaultPath;
}

/** The vault as the app lists it, without reading the disk. */
export interface VaultList {
  /** Files whose paths may be recorded. */
  readonly files: readonly { readonly path: VaultPath; readonly size: number }[];
  /** True if a file or folder is at the path. */
  has(path: VaultPath): boolean;
  /** True if nothing may be recorded about the path. */
  isExcluded(path: VaultPath): boolean;
}

interface Search {
  readonly memory: Memory;
  readonly list: VaultList;
  readonly access: FileAccess;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly scheduler: Scheduler;
}

/** Limit for one search. */
const MAX_HASHED_FILES = 20;
/** For this long, a file that another device has named may still be on its way to this one. */
const ARRIVAL_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** How memory names a path. Times are ISO texts. */
interface Mentions {
  /** First time at which it was named; `''` if that is unknown. */
  readonly first: string;
  /** The content that was last recorded. */
  readonly last?: Content | undefined;
}

interface Content {
  readonly digest: FileDigest;
  readonly time: string;
  readonly device: string | undefined;
}

interface MissingFile extends Content {
  readonly path: VaultPath;
  /** Files of the same size that memory did not know then. */
  readonly candidates: readonly VaultPath[];
}

/**
 * Returns the renames outside the app of notes and folders that memory names: what is missing is
 * where exactly one file has its content. Reads nothing from the disk if nothing is missing.
 */
export async function findOutsideRenames(search: Search): Promise<Rename[]> {
  const mentions = await collectMentions(search);
  const missing = findMissing(search, mentions);
  const digests = new Map<VaultPath, string | undefined>();
  const taken = new Set<VaultPath>();
  const renames: (Rename & { readonly time: string })[] = [];
  for (const { path, digest, time, candidates } of missing) {
    const unread = candidates.filter((each) => !digests.has(each));
    if (digests.size + unread.length > MAX_HASHED_FILES) continue;
    for (const candidate of unread) {
      await search.scheduler.yieldNow();
      digests.set(candidate, (await readDigest(search.access, candidate))?.sha256);
    }
    const same = candidates.filter(
      (each) => !taken.has(each) && digests.get(each) === digest.sha256,
    );
    const [to] = same;
    if (to === undefined || same.length > 1) continue;
    taken.add(to);
    renames.push({ from: path, to, time });
  }
  return withFolders(search, mentions, renames);
}

async function collectMentions({ memory, scheduler }: Search): Promise<Map<VaultPath, Mentions>> {
  const found = new Map<VaultPath, Mentions>();
  const add = (typed: string, time: string, content?: Content) => {
    const path = toVaultPath(typed);
    if (path === undefined || path === '') return;
    const { first = time, last } = found.get(path) ?? {};
    const isLater = content && (!last || content.time > last.time);
    found.set(path, { first: time < first ? time : first, last: isLater ? content : last });
  };
  const addFiles = (paths: readonly string[], files: JsonObject, time: string, device?: string) => {
    for (const path of paths) {
      const digest = recordedDigest(files, path);
      if (digest === null) continue; // there was no file then
      add(path, time, digest && { digest, time, device });
    }
  };
  for (const { item } of allWorkspaces(memory)) {
    for (const path of [item.rootFolder, ...item.keyFiles]) add(path, '');
    for (const { files, createdAt, savedBy } of allRecords(memory, item.id))
      addFiles(Object.keys(files), files, createdAt, savedBy?.device);
    for (const { item: state } of eachState(memory, item.id)) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      const { activeFiles, files = {}, origin, createdAt, savedBy } = state;
      addFiles(activeFiles, files, origin?.at ?? createdAt, savedBy?.device);
    }
  }
  return found;
}

/** Returns missing files: first those whose name exists elsewhere, then the rest in daily turns. */
function findMissing(
  { memory, list, access, now }: Search,
  mentions: ReadonlyMap<VaultPath, Mentions>,
): MissingFile[] {
  const own = access.device.name();
  const hidden = moveEvents(memory).filter(({ d }) => d['to'] === undefined);
  // what has gone into an excluded folder stays gone
  const isHidden = (path: VaultPath, { time }: Content) =>
    hidden.some((at) => stampTime(at) >= time && isAtOrIn(path, at.d['from'] as VaultPath));
  const missing = [...mentions].flatMap(([path, { last }]) =>
    last &&
    last.digest.size > 0 &&
    !list.isExcluded(path) &&
    !list.has(path) &&
    !isHidden(path, last)
      ? [{ path, ...last }]
      : [],
  );
  const found = missing.flatMap((each): MissingFile[] => {
    const { digest, time, device } = each;
    if (device !== own && now - Date.parse(time) < ARRIVAL_MS) return [];
    const candidates = list.files
      .filter(({ path, size }) => size === digest.size && !isKnownAt(mentions.get(path), time))
      .map(({ path }) => path);
    return candidates.length > 0 ? [{ ...each, candidates }] : [];
  });
  const hasName = ({ path, candidates }: MissingFile) =>
    candidates.some((each) => fileNameOf(each) === fileNameOf(path));
  const others = found.filter((each) => !hasName(each));
  const turn = Math.floor(now / DAY_MS) % (others.length || 1);
  return [...found.filter(hasName), ...others.slice(turn), ...others.slice(0, turn)];
}

function isKnownAt(mentions: Mentions | undefined, time: string): boolean {
  return mentions !== undefined && mentions.first <= time;
}

/** Replaces the renames of notes by those of their folders, where a whole folder has gone. */
function withFolders(
  { list }: Search,
  mentions: ReadonlyMap<VaultPath, Mentions>,
  renames: readonly (Rename & { readonly time: string })[],
): Rename[] {
  const known = [...mentions];
  const isRenamed = ({ from, to }: Rename, time: string) => {
    if (list.has(from) || list.isExcluded(from) || !list.has(to)) return false;
    if (known.some(([path, each]) => isAtOrIn(path, to) && isKnownAt(each, time))) return false;
    const inside = known.filter(([path]) => isAtOrIn(path, from));
    const present = inside.filter(([path]) => list.has(to + path.slice(from.length)));
    return present.length * 2 > inside.length;
  };
  const result: Rename[] = [];
  for (const { from, to, time } of renames) {
    const outer = result.find((each) => isAtOrIn(from, each.from));
    const path = outer ? outer.to + from.slice(outer.from.length) : from;
    if (path === to) continue;
    const folder = outer ? undefined : folderPairs(from, to).find((pair) => isRenamed(pair, time));
    result.push(folder ?? { from: path, to });
  }
  return result;
}

/** Returns the folders, outermost first, whose rename would explain that of a file. */
function folderPairs(from: VaultPath, to: VaultPath): Rename[] {
  const pairs: Rename[] = [];
  let [left, right] = [from, to];
  while (left !== '' && fileNameOf(left) === fileNameOf(right)) {
    [left, right] = [parentOf(left), parentOf(right)];
    if (left !== '' && right !== '') pairs.unshift({ from: left, to: right });
  }
  return pairs;
}

function parentOf(path: VaultPath): VaultPath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
