import { changedStates, eachState, type Shown } from '../model/find.js';
import type { Memory, Entity } from '../model/memory.js';
import type { Json } from '../model/event.js';
import type { State } from '../model/state.js';
import type { Trace } from '../model/trace.js';
import { stateDocument, traceDocument } from '../search/memory-documents.js';
import type { SearchDocument } from '../search/documents.js';
import { embedSteps } from '../search/meaning/meaning.js';
import type { MeaningSource } from '../search/meaning/meaning-source.js';
import type { Clock } from '../storage/clock.js';
import type { Log, TraceEntry } from '../storage/log.js';
import type { Pause } from '../storage/pause.js';
import type { KeptIndex } from './kept-index.js';
import type { Progress } from './note-index.js';
import { inSlices } from './slices.js';

export interface MemoryIndexOptions {
  readonly log: Log;
  readonly open: () => Promise<KeptIndex>;
  readonly meaning: MeaningSource | undefined;
  /** So many vectors are kept at most; the newest have theirs first. */
  readonly mostVectors: number;
  readonly pause: Pause | undefined;
  readonly clock: Clock;
}

/** What a workspace remembers, as far as it is in the index. */
export interface MemoryView {
  readonly kept: KeptIndex;
  /** By their keys in the index. */
  readonly states: ReadonlyMap<string, Shown<State>>;
  readonly traces: ReadonlyMap<string, TraceEntry>;
  /** How many calls are not in the index yet, the oldest of all. */
  readonly left: number;
}

/** The states and calls of every workspace in a search index. */
export interface MemoryIndex {
  /** Takes in what is new in a workspace: all its states, and its newest calls before older ones. */
  readonly catchUp: (workspaceId: string) => Promise<MemoryView>;
  /** How much of a workspace is in the index; takes in nothing. */
  readonly progress: (workspaceId: string) => Promise<Progress>;
  /** The bytes that are kept of it. */
  readonly size: () => Promise<number>;
  /** Forgets everything and drops what is kept; begins again with the next `catchUp`. Answers how many bytes were kept. */
  readonly clear: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** So many calls are taken in before whoever searches gets an answer. */
const CALLS_AT_ONCE = 2000;
const READ_AT_ONCE = 200;
/** Two calls that far apart are no neighbours: what stands between them are searches. */
const NEIGHBOURHOOD = 3;
const KEPT_SOON_MS = 5000;
const MORE_SOON_MS = 50;
/** What looks for things holds the same words as what it looks for. */
const LEFT_OUT = 'searchManager';

interface Calls {
  /** Latest first, as the log has them. */
  readonly entries: readonly TraceEntry[];
  /** By their keys in the index. */
  readonly traces: Map<string, TraceEntry>;
  /** The keys, latest first. */
  readonly order: readonly string[];
  /** Whether each is in the index, or left out of it. */
  readonly isAllIn: boolean;
}

export function createMemoryIndex({ log, open, meaning, mostVectors, pause, clock }: MemoryIndexOptions): MemoryIndex {
  let opening: Promise<KeptIndex> | undefined;
  /** Calls that are left out, by their keys. */
  let leftOut = new Set<string>();
  /** By workspace, the keys in the index. */
  const indexed = new Map<string, Set<string>>();
  /** The states of each workspace as they were last taken in, and of which memory that was. */
  const taken = new Map<string, { memory: Memory; states: ReadonlyMap<string, Shown<State>> }>();
  /** The calls of each workspace as they were last taken in. */
  const listed = new Map<string, Calls>();
  let asIndexed = new WeakMap<Entity, string>();
  let isChanged = false;
  let cancelKeep: (() => void) | undefined;
  const goingOn = new Map<string, () => void>();
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  async function rest(): Promise<void> {
    while (pause?.isDue()) await pause.take();
  }

  async function openNow(): Promise<KeptIndex> {
    const kept = await open();
    leftOut = new Set(readLeftOut(kept.beside));
    const keys = kept.index.keys();
    // Their vectors were of another table: taken in anew, they have new ones.
    if (meaning && kept.vectors.keys().length === 0) for (const key of keys) kept.index.remove(key);
    else for (const key of keys) keysOf(workspaceOf(key)).add(key);
    return kept;
  }

  function keysOf(workspaceId: string): Set<string> {
    const held = indexed.get(workspaceId) ?? new Set();
    indexed.set(workspaceId, held);
    return held;
  }

  async function catchUp(workspaceId: string): Promise<MemoryView> {
    const kept = await (opening ??= openNow());
    const states = await takeInStates(kept, workspaceId);
    const { traces, left } = await takeInTraces(kept, workspaceId);
    for (const steps = kept.index.mergeSteps(); !steps.next().done;) await rest();
    if (isChanged) cancelKeep ??= clock.after(KEPT_SOON_MS, () => void inTurn(keep));
    if (left > 0) goOn(workspaceId);
    return { kept, states, traces, left };
  }

  /** Takes in older calls, too, when whoever searched has the answer. */
  function goOn(workspaceId: string): void {
    if (isClosed || goingOn.has(workspaceId)) return;
    const cancel = clock.after(MORE_SOON_MS, () => {
      goingOn.delete(workspaceId);
      inTurn(() => catchUp(workspaceId)).catch(() => undefined); // whoever searches next hears of it
    });
    goingOn.set(workspaceId, cancel);
  }

  async function takeInStates(kept: KeptIndex, workspaceId: string): Promise<ReadonlyMap<string, Shown<State>>> {
    const memory = await log.memory();
    const before = taken.get(workspaceId);
    if (before?.memory === memory) return before.states;
    const states = new Map(before?.states);
    const keys = keysOf(workspaceId);
    const put = async (shown: Shown<State>) => {
      const key = stateKey(shown.item);
      states.set(key, shown);
      if (asIndexed.get(shown.entity) === shown.shownName) return;
      await take(kept, { ...stateDocument(shown.item, shown.shownName), key });
      asIndexed.set(shown.entity, shown.shownName);
      keys.add(key);
    };
    if (before) {
      for (const [id, shown] of changedStates(before.memory, memory, workspaceId)) {
        if (pause?.isDue()) await rest();
        states.delete(keyOfState(workspaceId, id));
        if (shown && !shown.item.isArchived) await put(shown);
        else forget(kept, keys, keyOfState(workspaceId, id));
      }
    } else {
      for (const shown of eachState(memory, workspaceId)) {
        if (pause?.isDue()) await rest();
        if (!shown.item.isArchived) await put(shown);
      }
      for (const key of keys) if (isStateKey(key) && !states.has(key)) forget(kept, keys, key);
    }
    taken.set(workspaceId, { memory, states });
    return states;
  }

  /** Puts a document into the index, with what it means. */
  async function take({ index, vectors }: KeptIndex, document: SearchDocument): Promise<void> {
    if (!index.put(document)) return;
    isChanged = true;
    vectors.remove(document.key);
    if (!meaning || vectors.size() >= mostVectors) return;
    await rest();
    vectors.put(document.key, await inSlices(embedSteps(meaning.open(), document), pause));
  }

  function forget({ index, vectors }: KeptIndex, keys: Set<string>, key: string): void {
    if (!keys.has(key)) return;
    index.remove(key);
    vectors.remove(key);
    keys.delete(key);
    isChanged = true;
  }

  async function takeInTraces(kept: KeptIndex, workspaceId: string): Promise<{ traces: ReadonlyMap<string, TraceEntry>; left: number }> {
    const keys = keysOf(workspaceId);
    const { calls, fresh } = listCalls(kept, keys, workspaceId, await log.traceEntries(workspaceId));
    const { traces, order } = calls;
    const missing = range(0, fresh - 1).filter((at) => !keys.has(order[at]!) && !leftOut.has(order[at]!));
    for (let from = 0; from < Math.min(missing.length, CALLS_AT_ONCE); from += READ_AT_ONCE) {
      await takeInSome(kept, keys, missing.slice(from, Math.min(from + READ_AT_ONCE, CALLS_AT_ONCE)), order, traces);
    }
    const left = Math.max(0, missing.length - CALLS_AT_ONCE);
    listed.set(workspaceId, { ...calls, isAllIn: left === 0 });
    return { traces, left };
  }

  /** The calls of a workspace, and how many of the latest may not be in the index: usually they are those of the last time and some more. */
  function listCalls(
    kept: KeptIndex,
    keys: Set<string>,
    workspaceId: string,
    entries: readonly TraceEntry[],
  ): { calls: Calls; fresh: number } {
    const before = listed.get(workspaceId);
    const added = entries.length - (before?.entries.length ?? 0);
    listed.delete(workspaceId); // until all went well
    if (before && added >= 0 && before.entries.every((entry, at) => entry === entries[at + added])) {
      const latest = entries.slice(0, added).map((entry) => [traceKey(workspaceId, entry), entry] as const);
      for (const [key, entry] of latest) before.traces.set(key, entry);
      const order = [...latest.map(([key]) => key), ...before.order];
      return { calls: { ...before, entries, order }, fresh: before.isAllIn ? added : order.length };
    }
    const traces = new Map(entries.map((entry) => [traceKey(workspaceId, entry), entry]));
    for (const key of keys) if (!isStateKey(key) && !traces.has(key)) forget(kept, keys, key);
    for (const key of leftOut) if (workspaceOf(key) === workspaceId && !traces.has(key)) leftOut.delete(key);
    return { calls: { entries, traces, order: [...traces.keys()], isAllIn: false }, fresh: traces.size };
  }

  /** Takes in some calls, and those beside them anew: each is found by what was done just before and after it, too. */
  async function takeInSome(
    kept: KeptIndex,
    keys: Set<string>,
    places: readonly number[],
    order: readonly string[],
    traces: ReadonlyMap<string, TraceEntry>,
  ): Promise<void> {
    const near = new Set(places.flatMap((place) => range(place - NEIGHBOURHOOD, place + NEIGHBOURHOOD)));
    const read = [...near].filter((place) => order[place] !== undefined).sort((a, b) => a - b);
    const found = await readEach(read.map((place) => traces.get(order[place]!)!));
    const told = read.flatMap((place, at) => {
      const trace = found[at];
      if (trace && trace.agent !== LEFT_OUT) return [{ place, trace }];
      leftOut.add(order[place]!);
      return [];
    });
    const isNew = new Set(places);
    const beside = (at: number, to: number) => {
      const other = told[to];
      return other && Math.abs(other.place - told[at]!.place) <= NEIGHBOURHOOD ? other : undefined;
    };
    for (const [at, { place, trace }] of told.entries()) {
      await rest();
      const [after, before] = [beside(at, at - 1), beside(at, at + 1)];
      const isBesideNew = [after, before].some((other) => other && isNew.has(other.place));
      const key = order[place]!;
      if (!isNew.has(place) && !(isBesideNew && keys.has(key))) continue;
      await take(kept, traceDocument(key, trace, before?.trace, after?.trace));
      keys.add(key);
    }
    isChanged = true; // calls that are left out are remembered, too
  }

  /** One for each entry; undefined where it cannot be read. */
  async function readEach(entries: readonly TraceEntry[]): Promise<(Trace | undefined)[]> {
    const all = await log.readTraces(entries);
    if (all.length === entries.length) return all;
    return Promise.all(entries.map(async (entry) => (await log.readTraces([entry]))[0]));
  }

  async function keep(): Promise<void> {
    cancelKeep?.();
    cancelKeep = undefined;
    const kept = await opening;
    if (!kept || !isChanged) return;
    isChanged = false;
    await kept.keep([...leftOut]);
  }

  async function progress(workspaceId: string): Promise<Progress> {
    await (opening ??= openNow());
    const memory = await log.memory();
    let total = 0;
    for (const { item } of eachState(memory, workspaceId)) {
      if (!item.isArchived) total++;
      await rest();
    }
    total += (await log.traceEntries(workspaceId)).length;
    const passed = [...leftOut].filter((key) => workspaceOf(key) === workspaceId).length;
    return { done: Math.min(total, (indexed.get(workspaceId)?.size ?? 0) + passed), total };
  }

  async function clear(): Promise<number> {
    const held = await (opening ??= openNow());
    const size = held.size();
    opening = Promise.resolve(await held.renew());
    for (const cancel of goingOn.values()) cancel();
    for (const known of [goingOn, leftOut, indexed, taken, listed]) known.clear();
    asIndexed = new WeakMap();
    cancelKeep?.();
    cancelKeep = undefined;
    isChanged = false;
    return size;
  }

  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = last.then(task);
    last = run.catch(() => undefined); // whoever asked for it hears of it
    return run;
  }

  return {
    catchUp: (workspaceId) => inTurn(() => catchUp(workspaceId)),
    progress: (workspaceId) => inTurn(() => progress(workspaceId)),
    size: async () => (await (opening ??= openNow())).size(),
    clear: () => inTurn(clear),
    async close() {
      isClosed = true;
      for (const cancel of goingOn.values()) cancel();
      cancelKeep?.();
      await inTurn(keep);
    },
  };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

const STATE_MARK = 'state';
const TRACE_MARK = 'trace';

function stateKey({ workspaceId, id }: State): string {
  return keyOfState(workspaceId, id);
}

function keyOfState(workspaceId: string, id: string): string {
  return `${workspaceId}/${STATE_MARK}/${id}`;
}

function traceKey(workspaceId: string, { path, from }: TraceEntry): string {
  return `${workspaceId}/${TRACE_MARK}/${path}/${from}`;
}

/** Tells the keys of a workspace's states, or of its calls. */
export function isMemoryOf(type: typeof STATE_MARK | typeof TRACE_MARK, workspaceId: string): (key: string) => boolean {
  const start = `${workspaceId}/${type}/`;
  return (key) => key.startsWith(start);
}

function workspaceOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

function isStateKey(key: string): boolean {
  return key.startsWith(`/${STATE_MARK}/`, key.indexOf('/'));
}

function readLeftOut(beside: Json): string[] {
  return Array.isArray(beside) ? beside.filter((key) => typeof key === 'string') : [];
}
