import { compareStamps, type Json, type Stamp } from '../../model/event.js';
import { firstIndex } from '../../model/sorted/first-index.js';
import { runToEnd } from '../../platform/run-sliced.js';
import type { LineRange } from './read-events.js';

/** The location of an on-demand event, with its owner and stamp. */
export interface EventLocation extends LineRange, Stamp {
  /** The id that the event belongs to: a trace to its workspace, a message to its conversation. */
  readonly owner: Json | undefined;
  /** Of a version of a session: identifies the session (`sessionKey`). */
  readonly session?: string;
}

/**
 * An immutable list of locations, earliest first, without repetitions. Later events extend the same
 * `entries` array, so lists that share it begin with the same entries, without any comparison.
 */
export interface EventList {
  /** Only the first `count` entries belong to the list. */
  readonly entries: readonly EventLocation[];
  readonly count: number;
}

/** Builds the lists of one owner as its events arrive. */
export class GrowingEventList {
  #entries: EventLocation[];
  #list: EventList;
  #added: EventLocation[] = [];

  /** `entries` must be sorted and without repetitions. The list takes the array over. */
  constructor(entries: EventLocation[]) {
    this.#entries = entries;
    this.#list = { entries, count: entries.length };
  }

  /** Adds entries in any order; those that the list has already are ignored. */
  add(more: readonly EventLocation[]): void {
    for (const entry of more) this.#added.push(entry);
  }

  /** Returns the list with all added entries; the same object as before if none was new. */
  snapshot(): EventList {
    if (this.#added.length === 0) return this.#list;
    const late = sortedUnique(this.#added);
    this.#added = [];
    const entries = this.#entries;
    const from = firstIndex(entries.length, (at) => compareStamps(entries[at]!, late[0]!) >= 0);
    if (from === entries.length) {
      for (const entry of late) entries.push(entry);
    } else {
      const tail = runToEnd(mergeSteps(entries.slice(from), late, compareStamps));
      if (from + tail.length === entries.length) return this.#list; // all of them were there
      this.#entries = entries.slice(0, from).concat(tail);
    }
    this.#list = { entries: this.#entries, count: this.#entries.length };
    return this.#list;
  }
}

/** Returns the entries newest first, reusing an earlier result if the list continues it. */
export function entriesNewestFirst(
  { entries, count }: EventList,
  before?: { readonly list: EventList; readonly entries: readonly EventLocation[] },
): readonly EventLocation[] {
  const isContinued =
    before !== undefined && before.list.entries === entries && before.list.count <= count;
  const newest = entries.slice(isContinued ? before.list.count : 0, count).reverse();
  return isContinued ? newest.concat(before.entries) : newest;
}

/** Remembers the last result of `entriesNewestFirst` for each owner. */
export class NewestFirst {
  readonly #known = new Map<
    string,
    { readonly list: EventList; readonly entries: readonly EventLocation[] }
  >();

  /** Returns the result for a list; `isNew` is false if it is that of the last call. */
  of(owner: string, list: EventList): { entries: readonly EventLocation[]; isNew: boolean } {
    const known = this.#known.get(owner);
    if (known?.list === list) return { entries: known.entries, isNew: false };
    const entries = entriesNewestFirst(list, known);
    this.#known.set(owner, { list, entries });
    return { entries, isNew: true };
  }
}

type Compare = (a: EventLocation, b: EventLocation) => number;

export function sortedUnique(
  entries: readonly EventLocation[],
  compare: Compare = compareStamps,
): EventLocation[] {
  const sorted = [...entries].sort(compare);
  return sorted.filter((entry, at) => at === 0 || compare(sorted[at - 1]!, entry) < 0);
}

const MERGE_BATCH_SIZE = 1024;

/** Merges two sorted lists; of equal entries it takes that of the first. Pauses now and then. */
export function* mergeSteps(
  one: readonly EventLocation[],
  other: readonly EventLocation[],
  compare: Compare,
): Generator<undefined, EventLocation[]> {
  const all: EventLocation[] = [];
  let at = 0;
  let atOther = 0;
  while (at < one.length && atOther < other.length) {
    const order = compare(one[at]!, other[atOther]!);
    all.push(order <= 0 ? one[at]! : other[atOther]!);
    if (order <= 0) at++;
    if (order >= 0) atOther++;
    if (all.length % MERGE_BATCH_SIZE === 0) yield;
  }
  return all.concat(one.slice(at), other.slice(atOther));
}
