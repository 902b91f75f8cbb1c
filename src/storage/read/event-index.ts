import { compareStamps, type Json } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import type { PlacedKind } from '../format/lanes.js';
import type { Pause } from '../../platform/scheduler.js';
import {
  createGrowingList,
  type GrowingList,
  type PlacedEntry,
  type PlacedList,
} from './event-list.js';
import type { HeldLine } from '../format/segment.js';

/** Where the events of one kind stand, by the file that holds them. */
export interface Places {
  /** Takes in what a file holds, or what has come to it; answers whether anything is there that was not, or the other way round. */
  place(path: VaultPath, lines: readonly HeldLine[], isWhole: boolean): boolean;
  /** Those of one owner that `isHeld` lets stand, latest first, each once though two files may hold it. */
  of(owner: string, options?: PlacesOptions): Promise<PlacedEntry[]>;
  /** The same as a list, earliest first, that is kept and grows with what comes. */
  listOf(owner: string, options?: PlacesOptions): Promise<PlacedList>;
  /** `isHeld` answers otherwise than before. */
  forgetLists(): void;
}

interface PlacesOptions {
  readonly isHeld?: (entry: PlacedEntry) => boolean;
  readonly pause?: Pause | undefined;
}

export function createPlaces({ t, field }: PlacedKind): Places {
  const files = new Map<VaultPath, PlacedEntry[]>();
  /** By owner. Those that are still being made are not among them. */
  let lists = new Map<
    Json | undefined,
    { readonly list: GrowingList; readonly isHeld: (entry: PlacedEntry) => boolean }
  >();
  let changes = 0;
  const forgetLists = () => {
    lists = new Map();
    changes++;
  };
  const noteMore = (more: readonly PlacedEntry[]) => {
    changes += more.length;
    for (const entry of more) {
      const known = lists.get(entry.owner);
      if (known?.isHeld(entry)) known.list.add([entry]);
    }
  };
  const places: Places = {
    place(path, lines, isWhole) {
      const before = files.get(path) ?? [];
      const placed = lines.flatMap(({ event, from, to }): PlacedEntry[] => {
        if (event.v !== 1 || event.t !== t) return [];
        const { w, n, c, h, d } = event;
        return [{ owner: d[field], path, from, to, w, n, c, h }];
      });
      const isSomething = placed.length > 0 || before.length > 0;
      if (before.length === 0) {
        if (placed.length > 0) files.set(path, placed);
        noteMore(placed);
      } else if (!isWhole || before.every((entry, at) => isSame(entry, placed[at]))) {
        const more = isWhole ? placed.slice(before.length) : placed;
        for (const entry of more) before.push(entry);
        noteMore(more);
      } else {
        if (placed.length > 0) files.set(path, placed);
        else files.delete(path);
        forgetLists();
      }
      return isSomething;
    },
    async of(owner, { isHeld = () => true, pause } = {}) {
      let runs: PlacedEntry[][] = [];
      for (const entries of [...files.values()]) {
        while (pause?.isDue()) await pause.take();
        const run = entries.filter((entry) => entry.owner === owner && isHeld(entry)).reverse();
        if (run.length > 0) runs.push(isInOrder(run) ? run : inOrder(run));
      }
      runs.sort(([a], [b]) => latestFirst(a!, b!));
      while (runs.length > 1) {
        const merged: PlacedEntry[][] = [];
        for (let at = 0; at < runs.length; at += 2)
          merged.push(await merge(runs[at]!, runs[at + 1] ?? [], pause));
        runs = merged;
      }
      return runs[0] ?? [];
    },
    async listOf(owner, options = {}) {
      const known = lists.get(owner);
      if (known) return known.list.now();
      const before = changes;
      const list = createGrowingList((await places.of(owner, options)).reverse());
      // Where something has changed meanwhile, the next who asks has it made anew.
      if (changes === before) lists.set(owner, { list, isHeld: options.isHeld ?? (() => true) });
      return list.now();
    },
    forgetLists,
  };
  return places;
}

/** Whether they say the same of one file. */
function isSame(one: PlacedEntry, other: PlacedEntry | undefined): boolean {
  return (
    other !== undefined &&
    one.from === other.from &&
    one.to === other.to &&
    one.owner === other.owner &&
    compareStamps(one, other) === 0
  );
}

function latestFirst(a: PlacedEntry, b: PlacedEntry): number {
  return compareStamps(b, a);
}

/** Latest first and each once, as one device leaves them. */
function isInOrder(run: readonly PlacedEntry[]): boolean {
  return run.every((entry, at) => at === 0 || latestFirst(run[at - 1]!, entry) < 0);
}

function inOrder(run: PlacedEntry[]): PlacedEntry[] {
  return run
    .sort(latestFirst)
    .filter((entry, at, all) => at === 0 || latestFirst(all[at - 1]!, entry) < 0);
}

/** So many entries are merged between two looks at the clock. */
const AT_ONCE = 1024;

/** The entries of both, each once, in order as both are. */
async function merge(
  a: PlacedEntry[],
  b: PlacedEntry[],
  pause: Pause | undefined,
): Promise<PlacedEntry[]> {
  while (pause?.isDue()) await pause.take();
  if (b.length === 0 || latestFirst(a.at(-1)!, b[0]!) < 0) return a.concat(b); // nearly always: no two devices were at work at the same time
  const merged: PlacedEntry[] = [];
  let [fromA, fromB] = [0, 0];
  while (fromA < a.length && fromB < b.length) {
    const order = latestFirst(a[fromA]!, b[fromB]!);
    merged.push(order <= 0 ? a[fromA]! : b[fromB]!);
    if (order <= 0) fromA++;
    if (order >= 0) fromB++;
    if (merged.length % AT_ONCE === 0) while (pause?.isDue()) await pause.take();
  }
  return merged.concat(a.slice(fromA), b.slice(fromB));
}
