import { compareStamps, type Json, type Stamp } from '../model/event.js';
import type { VaultPath } from '../model/paths.js';
import type { PlacedKind } from './lanes.js';
import type { PlacedRange } from './reader.js';
import type { HeldLine } from './segment.js';

/** Where an event stands that is read on demand, and what of it is needed to find it. */
export interface PlacedEntry extends PlacedRange, Stamp {
  /** What it belongs to: a trace to its workspace, a message to its conversation. */
  readonly owner: Json | undefined;
}

/** Where the events of one kind stand, by the file that holds them. */
export interface Places {
  /** Takes in what a file holds, or what has come to it; answers whether anything is there that was not, or the other way round. */
  place(path: VaultPath, lines: readonly HeldLine[], isWhole: boolean): boolean;
  /** Those of one owner, latest first, each once though two files may hold it. */
  of(owner: string): PlacedEntry[];
}

export function createPlaces({ t, field }: PlacedKind): Places {
  const files = new Map<VaultPath, PlacedEntry[]>();
  return {
    place(path, lines, isWhole) {
      const before = files.get(path) ?? [];
      const placed = lines.flatMap(({ event, from, to }): PlacedEntry[] => {
        if (event.v !== 1 || event.t !== t) return [];
        const { w, n, c, h, d } = event;
        return [{ owner: d[field], path, from, to, w, n, c, h }];
      });
      if (isWhole && placed.length === 0) files.delete(path);
      else if (isWhole || before.length === 0) files.set(path, placed);
      else before.push(...placed);
      return placed.length > 0 || before.length > 0;
    },
    of(owner) {
      const runs = [...files.values()]
        .map((entries) => entries.filter((entry) => entry.owner === owner))
        .filter(({ length }) => length > 0);
      const found = oneAfterAnother(runs) ?? runs.flat().sort(latestFirst);
      return found.filter((entry, at, all) => at === 0 || entry.h !== all[at - 1]!.h || latestFirst(entry, all[at - 1]!) !== 0);
    },
  };
}

function latestFirst(a: PlacedEntry, b: PlacedEntry): number {
  return compareStamps(b, a);
}

/** The entries of all files, latest first, where each file's own rise and no two files overlap: as one device leaves them. */
function oneAfterAnother(runs: readonly PlacedEntry[][]): PlacedEntry[] | undefined {
  if (!runs.every((run) => run.every((entry, at) => at === 0 || latestFirst(run[at - 1]!, entry) >= 0))) return undefined;
  const sorted = [...runs].sort((a, b) => latestFirst(a[0]!, b[0]!));
  if (!sorted.every((run, at) => at === 0 || latestFirst(sorted[at - 1]![0]!, run.at(-1)!) <= 0)) return undefined;
  return sorted.flatMap((run) => run.reverse());
}
