import { changedStates, eachState, type Shown } from '../model/find.js';
import type { Memory, Entity } from '../model/memory.js';
import { compareText, type Json } from '../model/event.js';
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

/** What of the log is searched. */
export type MemoryLog = Pick<Log, 'memory' | 'traceEntries' | 'readTraces'>;

export interface MemoryIndexOptions {
  readonly log: MemoryLog;
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
const CALLS_AT_ONCE = 1000;
/** So many states are told what they mean before whoever searches gets an answer; by their words all are found. */
const STATES_AT_ONCE = 500;
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
  /** Those that are to be taken in, the latest last: how many calls are older than each, which does not change when others come. */
  readonly missing: number[];
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
  /** States that can be found by their words, but not by what they mean yet, by their keys; the newest come last. */
  const unembedded = new Map<string, Shown<State>>();
  let isChanged = false;
  let cancelKeep: (() => void) | undefined;
  let merging: Promise<void> | undefined;
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
    await embedStates(kept);
    const { traces, left } = await takeInTraces(kept, workspaceId);
    if (isChanged) cancelKeep ??= clock.after(KEPT_SOON_MS, keepSoon);
    if (left > 0 || unembedded.size > 0) goOn(workspaceId);
    return { kept, states, traces, left };
  }

  /** Takes in older calls, too, and what is left to be embedded, when whoever searched has the answer. */
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
      await takeWords(kept, documentOf(shown));
      if (isLackingMeaning(kept, key)) unembedded.set(key, shown);
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
      const all: Shown<State>[] = [];
      for (const shown of eachState(memory, workspaceId)) {
        if (pause?.isDue()) await rest();
        if (!shown.item.isArchived) all.push(shown);
      }
      for (const shown of all.sort((a, b) => compareText(a.item.createdAt, b.item.createdAt))) {
        if (pause?.isDue()) await rest();
        await put(shown);
      }
      for (const key of keys) if (isStateKey(key) && !states.has(key)) forget(kept, keys, key);
    }
    taken.set(workspaceId, { memory, states });
    return states;
  }

  async function takeWords({ index, vectors }: KeptIndex, document: SearchDocument): Promise<void> {
    if (!(await inSlices(index.putSteps(document), pause))) return;
    isChanged = true;
    vectors.remove(document.key);
  }

  function isLackingMeaning({ vectors }: KeptIndex, key: string): boolean {
    return meaning !== undefined && !vectors.has(key) && vectors.size() < mostVectors;
  }

  async function embed(kept: KeptIndex, document: SearchDocument): Promise<void> {
    if (!meaning || !isLackingMeaning(kept, document.key)) return;
    await rest();
    kept.vectors.put(document.key, await inSlices(embedSteps(meaning.open(), document), pause));
    isChanged = true;
  }

  /** Gives the newest states their vectors: all that were just written, but some at a time of a memory that was not known before. */
  async function embedStates(kept: KeptIndex): Promise<void> {
    for (const [key, shown] of [...unembedded].slice(-STATES_AT_ONCE).reverse()) {
      await embed(kept, documentOf(shown));
      unembedded.delete(key);
    }
  }

  function forget({ index, vectors }: KeptIndex, keys: Set<string>, key: string): void {
    if (!keys.has(key)) return;
    index.remove(key);
    vectors.remove(key);
    keys.delete(key);
    unembedded.delete(key);
    isChanged = true;
  }

  async function takeInTraces(kept: KeptIndex, workspaceId: string): Promise<{ traces: ReadonlyMap<string, TraceEntry>; left: number }> {
    const keys = keysOf(workspaceId);
    const calls = listCalls(kept, keys, workspaceId, await log.traceEntries(workspaceId));
    const { traces, order, missing } = calls;
    for (let taken = 0; taken < CALLS_AT_ONCE && missing.length > 0; taken += READ_AT_ONCE) {
      const places = missing.splice(-READ_AT_ONCE).map((age) => order.length - 1 - age);
      await takeInSome(kept, keys, places.reverse(), order, traces);
    }
    listed.set(workspaceId, calls);
    return { traces, left: missing.length };
  }

  /** The calls of a workspace: usually they are those of the last time and some more. */
  function listCalls(kept: KeptIndex, keys: Set<string>, workspaceId: string, entries: readonly TraceEntry[]): Calls {
    const before = listed.get(workspaceId);
    if (before?.entries === entries) return before;
    const added = entries.length - (before?.entries.length ?? 0);
    listed.delete(workspaceId); // until all went well
    if (before && added >= 0 && before.entries.every((entry, at) => entry === entries[at + added])) {
      if (added === 0) return before;
      const latest = entries.slice(0, added).map((entry) => [traceKey(workspaceId, entry), entry] as const);
      for (const [key, entry] of latest) before.traces.set(key, entry);
      const order = [...latest.map(([key]) => key), ...before.order];
      const missing = [...before.missing, ...lackingAges(order, added, keys)];
      return { ...before, entries, order, missing };
    }
    const traces = new Map(entries.map((entry) => [traceKey(workspaceId, entry), entry]));
    for (const key of keys) if (!isStateKey(key) && !traces.has(key)) forget(kept, keys, key);
    for (const key of leftOut) if (workspaceOf(key) === workspaceId && !traces.has(key)) leftOut.delete(key);
    const order = [...traces.keys()];
    return { entries, traces, order, missing: lackingAges(order, order.length, keys) };
  }

  /** Which of the latest `count` calls are neither in the index nor left out of it, the latest last. */
  function lackingAges(order: readonly string[], count: number, keys: ReadonlySet<string>): number[] {
    const ages: number[] = [];
    for (let place = count - 1; place >= 0; place--) {
      if (!keys.has(order[place]!) && !leftOut.has(order[place]!)) ages.push(order.length - 1 - place);
    }
    return ages;
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
      const document = traceDocument(key, trace, before?.trace, after?.trace);
      await takeWords(kept, document);
      await embed(kept, document);
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

  /** Puts small segments together, while what is asked for goes on; one merge at a time. */
  function merge(): Promise<void> {
    merging ??= (async () => {
      const kept = await opening;
      for (const steps = kept?.index.mergeSteps(); steps && !steps.next().done;) await rest();
    })().finally(() => (merging = undefined));
    return merging;
  }

  /** What fails now is tried again after the next search that takes something in, and at the end, where somebody hears of it. */
  function keepSoon(): void {
    cancelKeep = undefined;
    merge()
      .then(() => inTurn(keep))
      .catch(() => undefined);
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
    for (const known of [goingOn, leftOut, indexed, taken, listed, unembedded]) known.clear();
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
      await merge().finally(() => inTurn(keep));
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

function documentOf({ item, shownName }: Shown<State>): SearchDocument {
  return { ...stateDocument(item, shownName), key: stateKey(item) };
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
