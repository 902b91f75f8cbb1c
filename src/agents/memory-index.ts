import { eachState, type Shown } from '../model/find.js';
import type { Memory, Entity } from '../model/memory.js';
import type { Json } from '../model/event.js';
import type { State } from '../model/state.js';
import type { Trace } from '../model/trace.js';
import { stateDocument, traceDocument } from '../search/memory-documents.js';
import type { Clock } from '../storage/clock.js';
import type { Log, TraceEntry } from '../storage/log.js';
import type { Pause } from '../storage/pause.js';
import type { KeptIndex } from './kept-index.js';

export interface MemoryIndexOptions {
  readonly log: Log;
  readonly open: () => Promise<KeptIndex>;
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

export function createMemoryIndex({ log, open, pause, clock }: MemoryIndexOptions): MemoryIndex {
  let opening: Promise<KeptIndex> | undefined;
  /** Calls that are left out, by their keys. */
  let leftOut = new Set<string>();
  /** By workspace, the keys in the index. */
  const indexed = new Map<string, Set<string>>();
  /** The states of each workspace as they were last taken in, and of which memory that was. */
  const taken = new Map<string, { memory: Memory; states: ReadonlyMap<string, Shown<State>> }>();
  const asIndexed = new WeakMap<Entity, string>();
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
    for (const key of kept.index.keys()) keysOf(workspaceOf(key)).add(key);
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

  async function takeInStates({ index }: KeptIndex, workspaceId: string): Promise<ReadonlyMap<string, Shown<State>>> {
    const memory = await log.memory();
    const before = taken.get(workspaceId);
    if (before?.memory === memory) return before.states;
    const states = new Map<string, Shown<State>>();
    for (const shown of eachState(memory, workspaceId)) {
      if (!shown.item.isArchived) states.set(stateKey(shown.item), shown);
      await rest();
    }
    const keys = keysOf(workspaceId);
    for (const key of keys) if (isStateKey(key) && !states.has(key)) forget(index, keys, key);
    for (const [key, { item, entity, shownName }] of states) {
      if (asIndexed.get(entity) === shownName) continue;
      if (index.put({ ...stateDocument(item, shownName), key })) isChanged = true;
      asIndexed.set(entity, shownName);
      keys.add(key);
      await rest();
    }
    taken.set(workspaceId, { memory, states });
    return states;
  }

  function forget(index: KeptIndex['index'], keys: Set<string>, key: string): void {
    index.remove(key);
    keys.delete(key);
    isChanged = true;
  }

  async function takeInTraces({ index }: KeptIndex, workspaceId: string): Promise<{ traces: Map<string, TraceEntry>; left: number }> {
    const entries = await log.traceEntries(workspaceId);
    const traces = new Map(entries.map((entry) => [traceKey(workspaceId, entry), entry]));
    const keys = keysOf(workspaceId);
    for (const key of keys) if (!isStateKey(key) && !traces.has(key)) forget(index, keys, key);
    for (const key of leftOut) if (workspaceOf(key) === workspaceId && !traces.has(key)) leftOut.delete(key);
    const order = [...traces.keys()];
    const missing = order.flatMap((key, at) => (keys.has(key) || leftOut.has(key) ? [] : [at]));
    for (let from = 0; from < Math.min(missing.length, CALLS_AT_ONCE); from += READ_AT_ONCE) {
      await takeInSome(index, keys, missing.slice(from, Math.min(from + READ_AT_ONCE, CALLS_AT_ONCE)), order, traces);
    }
    return { traces, left: Math.max(0, missing.length - CALLS_AT_ONCE) };
  }

  /** Takes in some calls, and those beside them anew: each is found by what was done just before and after it, too. */
  async function takeInSome(
    index: KeptIndex['index'],
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
      if (index.put(traceDocument(key, trace, before?.trace, after?.trace))) isChanged = true;
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

  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = last.then(task);
    last = run.catch(() => undefined); // whoever asked for it hears of it
    return run;
  }

  return {
    catchUp: (workspaceId) => inTurn(() => catchUp(workspaceId)),
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
  return `${workspaceId}/${STATE_MARK}/${id}`;
}

function traceKey(workspaceId: string, { path, from }: TraceEntry): string {
  return `${workspaceId}/${TRACE_MARK}/${path}/${from}`;
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
