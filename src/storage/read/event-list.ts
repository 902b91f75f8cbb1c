import { compareStamps, type Json, type Stamp } from '../../model/event.js';
import type { PlacedRange } from './reader.js';

/** Where an event stands that is read on demand, and what of it is needed to find it. */
export interface PlacedEntry extends PlacedRange, Stamp {
  /** What it belongs to: a trace to its workspace, a message to its conversation. */
  readonly owner: Json | undefined;
}

/**
 * Entries in order, the earliest first and each once, as they stood at one time. What comes after the last of them is added to the same
 * `entries`: two lists that share these begin with the same ones, and nobody need compare them.
 */
export interface PlacedList {
  /** Beyond `count` may stand what has come since. */
  readonly entries: readonly PlacedEntry[];
  readonly count: number;
}

/** A list that others are told of as it grows. */
export interface GrowingList {
  /** The list with what was added until now; the same object where nothing was. */
  readonly now: () => PlacedList;
  /** Entries in any order, which may be there already. */
  readonly add: (more: readonly PlacedEntry[]) => void;
}

/** `first`: in order, and each once. They are handed over. */
export function createGrowingList(first: PlacedEntry[]): GrowingList {
  let entries = first;
  let list: PlacedList = { entries, count: entries.length };
  let added: PlacedEntry[] = [];
  return {
    add(more) {
      for (const entry of more) added.push(entry);
    },
    now() {
      if (added.length === 0) return list;
      const late = inOrder(added);
      added = [];
      const from = firstNotBefore(entries, late[0]!);
      if (from === entries.length) for (const entry of late) entries.push(entry);
      else {
        const merged = joined(entries.slice(from), late);
        if (from + merged.length === entries.length) return list; // all of them were there
        entries = entries.slice(0, from).concat(merged);
      }
      return (list = { entries, count: entries.length });
    },
  };
}

/** The latest first; what `before` has is taken from there, where it begins with the same entries. */
export function latestFirst(
  { entries, count }: PlacedList,
  before?: { readonly list: PlacedList; readonly entries: readonly PlacedEntry[] },
): readonly PlacedEntry[] {
  const isMore =
    before !== undefined && before.list.entries === entries && before.list.count <= count;
  const latest = entries.slice(isMore ? before.list.count : 0, count).reverse();
  return isMore ? latest.concat(before.entries) : latest;
}

function inOrder(entries: readonly PlacedEntry[]): PlacedEntry[] {
  const sorted = [...entries].sort(compareStamps);
  return sorted.filter((entry, at) => at === 0 || compareStamps(sorted[at - 1]!, entry) < 0);
}

/** The place of the first entry that does not stand before one. */
function firstNotBefore(entries: readonly PlacedEntry[], wanted: PlacedEntry): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareStamps(entries[middle]!, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entries of both in order; of equal ones that of the first. */
function joined(one: readonly PlacedEntry[], other: readonly PlacedEntry[]): PlacedEntry[] {
  const all: PlacedEntry[] = [];
  for (let [at, atOther] = [0, 0]; at < one.length || atOther < other.length;) {
    const order =
      at === one.length
        ? 1
        : atOther === other.length
          ? -1
          : compareStamps(one[at]!, other[atOther]!);
    all.push(order <= 0 ? one[at]! : other[atOther]!);
    if (order <= 0) at++;
    if (order >= 0) atOther++;
  }
  return all;
}
