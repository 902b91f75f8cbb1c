import { compareStamps } from '../../model/event.js';
import type { TraceEntry, TraceList } from '../../storage/index.js';
import { hashCalls, positionOf, type CallRun } from './call-runs.js';
import { parseTraceKey } from './memory-keys.js';
import { NEIGHBOUR_DISTANCE } from './neighbour-calls.js';

/** States of calls. A stale call is in the index, but a neighbour has changed: index it again. */
const MISSING = 0;
const INDEXED = 1;
const SKIPPED = 2;
const STALE = 3;
/** If one call of a run changes, the whole run is indexed again. */
const MAX_RUN_LENGTH = 1024;

/** Calls of one workspace, and which of them are indexed. Position 0 is the earliest call. */
export class CallList {
  readonly #persistedRuns: readonly CallRun[];
  /** Cached runs, by position divided by `MAX_RUN_LENGTH`; undefined once a call has changed. */
  readonly #runs: (CallRun | undefined)[] = [];
  #list: TraceList = { entries: [], count: 0 };
  #states = new Uint8Array(MAX_RUN_LENGTH);
  #byPath = new Map<string, TraceEntry[]>();
  #missing = 0;
  /** No call after this position is missing. */
  #lastMissing = -1;
  #isNew = true;

  /** @param persistedRuns Runs of the list that was in use when the index was last persisted. */
  constructor(persistedRuns: readonly CallRun[]) {
    this.#persistedRuns = persistedRuns;
  }

  get count(): number {
    return this.#list.count;
  }

  /** Calls that are still to be processed. */
  get missing(): number {
    return this.#missing;
  }

  /** Replaces the list; neighbours of deleted calls become stale. Returns deleted indexed calls. */
  update(list: TraceList): TraceEntry[] {
    const before = this.#list;
    this.#list = list;
    const hasGrown = before.entries === list.entries && before.count <= list.count;
    if (!this.#isNew && !hasGrown) return this.#replace(before);
    if (before.count < list.count) this.#append(before.count);
    if (this.#isNew) this.#restore();
    this.#isNew = false;
    return [];
  }

  /** True if the latest missing one is a session, whose text is long. */
  get hasSessions(): boolean {
    const [latest] = this.latestMissing(1);
    return latest !== undefined && this.entryAt(latest).session !== undefined;
  }

  entryAt(position: number): TraceEntry {
    return this.#list.entries[position]!;
  }

  /** Returns the call that begins at a byte offset of a file. */
  find(path: string, from: number): TraceEntry | undefined {
    return this.#byPath.get(path)?.find((entry) => entry.from === from);
  }

  isMissing(position: number): boolean {
    return isOpen(this.#states[position]!);
  }

  /** Returns the positions of the latest missing calls, ascending. */
  latestMissing(limit: number): number[] {
    const positions: number[] = [];
    const count = Math.min(limit, this.#missing);
    for (let position = this.#lastMissing; positions.length < count; position--)
      if (this.isMissing(position)) positions.push(position);
    this.#lastMissing = positions[0] ?? -1;
    return positions.reverse();
  }

  markProcessed(position: number, isIndexed: boolean): void {
    const state = isIndexed ? INDEXED : SKIPPED;
    const before = this.#states[position]!;
    this.#states[position] = state;
    this.#missing += Number(isOpen(state)) - Number(isOpen(before));
    this.#runs[Math.floor(position / MAX_RUN_LENGTH)] = undefined;
  }

  /** Returns the runs to persist; from them, the next list knows which calls are indexed. */
  runs(): CallRun[] {
    const runs: CallRun[] = [];
    for (let at = 0; at * MAX_RUN_LENGTH < this.#list.count; at++) {
      const run = this.#runAt(at);
      this.#runs[at] = run;
      if (run) runs.push(run);
    }
    return runs;
  }

  /** Appends the calls from a position on, as missing. */
  #append(from: number): void {
    const { entries, count } = this.#list;
    this.#reserve(count);
    let path = '';
    let sameFile: TraceEntry[] = [];
    for (let position = from; position < count; position++) {
      const entry = entries[position]!;
      if (entry.path !== path || position === from) {
        path = entry.path;
        sameFile = this.#byPath.get(path) ?? [];
        this.#byPath.set(path, sameFile);
      }
      sameFile.push(entry);
    }
    this.#missing += count - from;
    this.#lastMissing = count - 1;
  }

  #reserve(count: number): void {
    if (count <= this.#states.length) return;
    const larger = new Uint8Array(Math.max(count, this.#states.length * 2));
    larger.set(this.#states);
    this.#states = larger;
  }

  /** Marks the calls of each unchanged persisted run as processed. */
  #restore(): void {
    const { entries, count } = this.#list;
    const changed: number[] = [];
    let next = 0;
    for (const run of this.#persistedRuns) {
      const from = positionOf(this.#list, run.first, next);
      const to = from + run.count;
      if (from < next || to > count || hashCalls(entries, from, to) !== run.hash) {
        changed.push(from);
        continue;
      }
      if (from > next) changed.push(next, from);
      this.#states.fill(INDEXED, from, to);
      for (const offset of run.skipped)
        if (offset < run.count) this.#states[from + offset] = SKIPPED;
      if (from % MAX_RUN_LENGTH === 0 && run.count <= MAX_RUN_LENGTH)
        this.#runs[from / MAX_RUN_LENGTH] = run;
      next = to;
    }
    this.#invalidateAround(changed);
    this.#countMissing();
  }

  /** Takes over the states of calls in both lists. Returns the indexed calls that were deleted. */
  #replace(before: TraceList): TraceEntry[] {
    const old = before.entries;
    const now = this.#list.entries;
    const from = firstDifference(before, this.#list);
    const oldStates = this.#states;
    const removed: TraceEntry[] = [];
    const changed: number[] = [];
    this.#byPath = new Map();
    this.#states = new Uint8Array(Math.max(MAX_RUN_LENGTH, this.#list.count));
    this.#append(0);
    this.#states.set(oldStates.subarray(0, from));
    for (let at = from, position = from; at < before.count;) {
      const [entry, next, state] = [old[at]!, now[position]!, oldStates[at]!];
      const order = position < this.#list.count ? compareStamps(entry, next) : -1;
      const isSame = order === 0 && entry.path === next.path && entry.from === next.from;
      if (isSame) this.#states[position] = state;
      else changed.push(position);
      const isInIndex = state === INDEXED || state === STALE;
      if (!isSame && order <= 0 && isInIndex) removed.push(entry);
      if (order <= 0) at++;
      if (order >= 0) position++;
    }
    this.#runs.length = Math.min(this.#runs.length, Math.floor(from / MAX_RUN_LENGTH));
    this.#invalidateAround(changed);
    this.#countMissing();
    return removed;
  }

  /** Marks the neighbours of changed calls as stale, so that they are indexed again. */
  #invalidateAround(positions: readonly number[]): void {
    for (const position of new Set(positions)) {
      const end = Math.min(this.#list.count, position + NEIGHBOUR_DISTANCE);
      for (let other = Math.max(0, position - NEIGHBOUR_DISTANCE); other < end; other++) {
        if (this.#states[other] === INDEXED) this.#states[other] = STALE;
        this.#runs[Math.floor(other / MAX_RUN_LENGTH)] = undefined;
      }
    }
  }

  #countMissing(): void {
    this.#missing = 0;
    this.#lastMissing = -1;
    for (let position = 0; position < this.#list.count; position++) {
      if (!this.isMissing(position)) continue;
      this.#missing++;
      this.#lastMissing = position;
    }
  }

  /** Returns the processed calls at the end of a block; undefined if its last call is missing. */
  #runAt(block: number): CallRun | undefined {
    const start = block * MAX_RUN_LENGTH;
    const to = Math.min(this.#list.count, start + MAX_RUN_LENGTH);
    const known = this.#runs[block];
    if (known?.count === to - start) return known;
    let from = to;
    while (from > start && !this.isMissing(from - 1)) from--;
    if (from === to) return undefined;
    const { h, w, n, c } = this.entryAt(from);
    const skipped: number[] = [];
    for (let position = from; position < to; position++)
      if (this.#states[position] === SKIPPED) skipped.push(position - from);
    const hash = hashCalls(this.#list.entries, from, to);
    return { first: { h, w, n, c }, count: to - from, skipped, hash };
  }
}

export type CallsByKey = Pick<ReadonlyMap<string, TraceEntry>, 'get' | 'has' | 'size'>;

/** Returns the calls of a workspace by their keys in the index. */
export function callsByKey(workspaceId: string, calls: CallList): CallsByKey {
  const get = (key: string) => {
    const place = parseTraceKey(workspaceId, key);
    return place && calls.find(place.path, place.from);
  };
  return { get, has: (key) => get(key) !== undefined, size: calls.count };
}

function firstDifference(before: TraceList, after: TraceList): number {
  let at = 0;
  while (at < before.count && at < after.count && before.entries[at] === after.entries[at]) at++;
  return at;
}

function isOpen(state: number): boolean {
  return state === MISSING || state === STALE;
}
