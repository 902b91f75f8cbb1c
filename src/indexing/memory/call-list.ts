import { compareStamps, type Json } from '../../model/event.js';
import type { TraceEntry, TraceList } from '../../storage/log.js';
import { APART } from './neighbour-calls.js';

/** The calls of one workspace, and which of them are in the index. A call's place is its place in the list, the earliest is 0. */
export interface CallList {
  /** Takes over a newer list. Answers the calls of the index that are not in it any more; those beside them are missing then. */
  readonly update: (list: TraceList) => TraceEntry[];
  readonly count: () => number;
  readonly entryAt: (place: number) => TraceEntry;
  /** The call that begins there in a file. */
  readonly find: (path: string, from: number) => TraceEntry | undefined;
  /** How many are still to be taken in. */
  readonly missing: () => number;
  /** The latest of these, at most `most`, by their places, ascending. */
  readonly latestMissing: (most: number) => number[];
  readonly isMissing: (place: number) => boolean;
  /** It is in the index now, or is left out of it. */
  readonly take: (place: number, isIn: boolean) => void;
  /** What to keep, so that another list knows what is in the index. */
  readonly runs: () => CallRun[];
}

/** Calls that follow one another, all of them taken in: where the first stands in the order of the log, how many they are, which of them are left out, and a hash of all. */
export interface CallRun {
  readonly first: Pick<TraceEntry, 'h' | 'w' | 'n' | 'c'>;
  readonly count: number;
  readonly passed: readonly number[];
  readonly hash: number;
}

/** A call may be in the index and yet be missing: one beside it has gone, so that it must be taken in anew. */
const [MISSING, HELD, PASSED, ANEW] = [0, 1, 2, 3];
/** So many calls are in a run at most: where one of them is another when it is read again, all are taken in anew. */
const RUN = 1024;

/** `kept`: the runs of the list that was before it. */
export function createCallList(kept: readonly CallRun[]): CallList {
  let list: TraceList = { entries: [], count: 0 };
  let marks = new Uint8Array(RUN);
  let byPath = new Map<string, TraceEntry[]>();
  let missing = 0;
  /** No call after it is missing. */
  let lastMissing = -1;
  /** By their places, what was told of runs before. */
  const known: (CallRun | undefined)[] = [];
  let isFirst = true;

  /** Adds calls to the end; they are missing. */
  function append(from: number): void {
    const { entries, count } = list;
    if (count > marks.length) marks = grown(marks, Math.max(count, marks.length * 2));
    let [path, own] = ['', [] as TraceEntry[]];
    for (let place = from; place < count; place++) {
      const entry = entries[place]!;
      if (entry.path !== path || place === from) {
        path = entry.path;
        own = byPath.get(path) ?? [];
        byPath.set(path, own);
      }
      own.push(entry);
    }
    missing += count - from;
    lastMissing = count - 1;
  }

  function mark(place: number, value: number): void {
    const before = marks[place]!;
    marks[place] = value;
    missing += Number(isOpen(value)) - Number(isOpen(before));
    known[Math.floor(place / RUN)] = undefined;
    if (isOpen(value) && place > lastMissing) lastMissing = place;
  }

  function takeOver(runs: readonly CallRun[]): void {
    let next = 0;
    const changed: number[] = [];
    for (const run of runs) {
      const from = placeOf(list, run.first, next);
      const to = from + run.count;
      if (from < next || to > list.count || hashOf(list.entries, from, to) !== run.hash) {
        changed.push(from);
        continue;
      }
      if (from > next) changed.push(next, from);
      marks.fill(HELD, from, to);
      for (const offset of run.passed) if (offset < run.count) marks[from + offset] = PASSED;
      if (from % RUN === 0 && run.count <= RUN) known[from / RUN] = run;
      next = to;
    }
    renewAround(changed);
    countAll();
  }

  /** What is beside these places is taken in anew, and with it what is beside that. */
  function renewAround(places: readonly number[]): void {
    for (const place of new Set(places)) {
      for (
        let other = Math.max(0, place - APART);
        other < Math.min(list.count, place + APART);
        other++
      ) {
        if (marks[other] === HELD) marks[other] = ANEW;
        known[Math.floor(other / RUN)] = undefined;
      }
    }
  }

  function countAll(): void {
    [missing, lastMissing] = [0, -1];
    for (let place = 0; place < list.count; place++) {
      if (!isOpen(marks[place]!)) continue;
      missing++;
      lastMissing = place;
    }
  }

  /** Goes through both lists from where they differ. */
  function replace(before: TraceList): TraceEntry[] {
    const [old, now] = [before.entries, list.entries];
    let from = 0;
    while (from < before.count && from < list.count && old[from] === now[from]) from++;
    const oldMarks = marks;
    const gone: TraceEntry[] = [];
    const changed: number[] = [];
    byPath = new Map();
    marks = new Uint8Array(Math.max(RUN, list.count));
    append(0);
    marks.set(oldMarks.subarray(0, from));
    for (let [at, place] = [from, from]; at < before.count;) {
      const order = place < list.count ? compareStamps(old[at]!, now[place]!) : -1;
      const isSame =
        order === 0 && old[at]!.path === now[place]!.path && old[at]!.from === now[place]!.from;
      if (isSame) marks[place] = oldMarks[at]!;
      else changed.push(place);
      if (!isSame && order <= 0 && isIn(oldMarks[at]!)) gone.push(old[at]!);
      if (order <= 0) at++;
      if (order >= 0) place++;
    }
    known.length = Math.min(known.length, Math.floor(from / RUN));
    renewAround(changed);
    countAll();
    return gone;
  }

  return {
    update(next) {
      const before = list;
      list = next;
      if (isFirst || (before.entries === next.entries && before.count <= next.count)) {
        if (before.count < next.count) append(before.count);
        if (isFirst) takeOver(kept);
        isFirst = false;
        return [];
      }
      return replace(before);
    },
    count: () => list.count,
    entryAt: (place) => list.entries[place]!,
    find: (path, from) => byPath.get(path)?.find((entry) => entry.from === from),
    missing: () => missing,
    latestMissing(most) {
      const places: number[] = [];
      for (let place = lastMissing; places.length < Math.min(most, missing); place--)
        if (isOpen(marks[place]!)) places.push(place);
      lastMissing = places[0] ?? -1;
      return places.reverse();
    },
    isMissing: (place) => isOpen(marks[place]!),
    take: (place, isNowIn) => mark(place, isNowIn ? HELD : PASSED),
    runs() {
      const all: CallRun[] = [];
      for (let at = 0; at * RUN < list.count; at++) {
        const [from, to] = [at * RUN, Math.min(list.count, (at + 1) * RUN)];
        const run = known[at]?.count === to - from ? known[at] : runOf(list, marks, from, to);
        if (run) all.push((known[at] = run));
      }
      return all;
    },
  };
}

function isOpen(value: number): boolean {
  return value === MISSING || value === ANEW;
}

function isIn(value: number): boolean {
  return value === HELD || value === ANEW;
}

function grown(marks: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(marks);
  return larger;
}

/** The latest calls of a stretch, as far as all of them are taken in. */
function runOf(
  { entries }: TraceList,
  marks: Uint8Array,
  start: number,
  to: number,
): CallRun | undefined {
  let from = to;
  while (from > start && !isOpen(marks[from - 1]!)) from--;
  if (from === to) return undefined;
  const { h, w, n, c } = entries[from]!;
  const passed: number[] = [];
  for (let place = from; place < to; place++)
    if (marks[place] === PASSED) passed.push(place - from);
  return { first: { h, w, n, c }, count: to - from, passed, hash: hashOf(entries, from, to) };
}

/** The place of a call in the list, or where it would stand; first it is looked for at `guess`. */
function placeOf({ entries, count }: TraceList, first: CallRun['first'], guess: number): number {
  if (guess < count && compareStamps(entries[guess]!, first) === 0) return guess;
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareStamps(entries[middle]!, first) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 32 bits over what tells calls apart, and where they stand. */
function hashOf(entries: readonly TraceEntry[], from: number, to: number): number {
  let hash = 0;
  let path = '';
  for (let place = from; place < to; place++) {
    const entry = entries[place]!;
    hash = Math.imul(hash ^ entry.n, 0x9e3779b1) ^ entry.from;
    hash = hashedText(hash ^ (hash >>> 15), entry.c);
    if (entry.path !== path) hash = hashedText(hash, entry.path);
    path = entry.path;
  }
  return hash >>> 0;
}

function hashedText(seed: number, text: string): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca77);
  return hash ^ (hash >>> 13);
}

export function runToJson({ first: { h, w, n, c }, count, passed, hash }: CallRun): Json {
  return [h, w, n, c, count, hash, passed.length > 0 ? [...passed] : 0];
}

/** Undefined where it is no run. */
export function runOfJson(value: Json): CallRun | undefined {
  if (!Array.isArray(value)) return undefined;
  const [h, w, n, c, count, hash, passed] = value;
  if (
    typeof h !== 'string' ||
    typeof w !== 'string' ||
    typeof n !== 'number' ||
    typeof c !== 'string'
  )
    return undefined;
  if (typeof count !== 'number' || typeof hash !== 'number') return undefined;
  const offsets = Array.isArray(passed)
    ? passed.filter((offset) => typeof offset === 'number')
    : [];
  return { first: { h, w, n, c }, count, hash, passed: offsets };
}
