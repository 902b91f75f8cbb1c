import { eachState, type Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { EmbedderSource } from '../../search/vectors/embedder-source.js';
import type { Clock } from '../../platform/clock.js';
import type { Log, TraceEntry } from '../../storage/log.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { createCallIntake } from './call-indexer.js';
import type { CallList } from './call-list.js';
import type { KeptIndex } from '../persistent-index.js';
import { isStateKey, placeOfTrace, workspaceOf } from './memory-keys.js';
import { createMemoryWriter } from './memory-writer.js';
import type { Progress } from '../notes/note-index.js';
import { createStateIntake } from './state-indexer.js';
import { heldIn, readTallies, takenIn, talliesToJson, type Tally } from './index-coverage.js';

export { isMemoryOf } from './memory-keys.js';

/** What of the log is searched. */
export type MemoryLog = Pick<Log, 'memory' | 'traceList' | 'readTraces'>;

export interface MemoryIndexOptions {
  readonly log: MemoryLog;
  readonly open: () => Promise<KeptIndex>;
  readonly meaning: EmbedderSource | undefined;
  /** So many vectors are kept at most; the newest have theirs first. */
  readonly mostVectors: number;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
}

/** What a workspace remembers, as far as it is in the index. */
export interface MemoryView {
  readonly kept: KeptIndex;
  /** By their keys in the index. */
  readonly states: ReadonlyMap<string, Named<State>>;
  readonly traces: Pick<ReadonlyMap<string, TraceEntry>, 'get' | 'has' | 'size'>;
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

/** So many calls are taken in between two merges while there are more. */
const CALLS_BETWEEN_MERGES = 10_000;
const KEPT_SOON_MS = 5000;
const MORE_SOON_MS = 50;

export function createMemoryIndex({
  log,
  open,
  meaning,
  mostVectors,
  scheduler,
  clock,
}: MemoryIndexOptions): MemoryIndex {
  let opening: Promise<KeptIndex> | undefined;
  /** By workspace, what was kept of it in the index; nobody looks at it any more once the workspace is taken in. */
  let tallies: ReadonlyMap<string, Tally> = new Map();
  const writer = createMemoryWriter({ meaning, mostVectors, scheduler });
  const states = createStateIntake({ log, writer, scheduler });
  const calls = createCallIntake({
    log,
    writer,
    scheduler,
    runsOf: (workspaceId) => tallies.get(workspaceId)?.runs ?? [],
  });
  /** Workspaces of which nothing is in the index but what is in the log. */
  const swept = new Set<string>();
  let cancelKeep: (() => void) | undefined;
  let merging: Promise<void> | undefined;
  /** How many calls were taken in when the last merge began. */
  let mergedAt = 0;
  const goingOn = new Map<string, () => void>();
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  async function openNow(): Promise<KeptIndex> {
    const kept = await open();
    const known = readTallies(kept.beside);
    // Vectors of another table, or an index of which is not known what is in it: taken in anew, all is as it should be.
    if (!known || (meaning && kept.vectors.size() === 0))
      for (const key of kept.index.keys()) kept.index.remove(key);
    else tallies = known;
    return kept;
  }

  async function catchUp(workspaceId: string): Promise<MemoryView> {
    const kept = await (opening ??= openNow());
    const shown = await states.takeIn(kept, workspaceId);
    await states.embed(kept);
    const list = await calls.takeIn(kept, workspaceId);
    const left = list.missing();
    if (left === 0) await sweep(kept, workspaceId);
    if (writer.isChanged()) cancelKeep ??= clock.after(KEPT_SOON_MS, keepSoon);
    if (left > 0 || states.isLackingMeaning()) goOn(workspaceId);
    return { kept, states: shown, traces: viewOf(workspaceId, list), left };
  }

  /** Takes in older calls, too, and what is left to be embedded, when whoever searched has the answer. */
  function goOn(workspaceId: string): void {
    if (isClosed || goingOn.has(workspaceId)) return;
    const stop = new AbortController();
    const cancel = clock.after(MORE_SOON_MS, () => {
      // Beside what is taken in a merge has too few turns, and each look into the index takes longer the more parts it has.
      const isMergeDue = merging !== undefined || calls.taken() >= mergedAt + CALLS_BETWEEN_MERGES;
      const merged = isMergeDue ? merge().catch(() => undefined) : Promise.resolve();
      const more = merged.then(() => {
        if (stop.signal.aborted) return undefined;
        goingOn.delete(workspaceId);
        return inTurn(() => catchUp(workspaceId));
      });
      more.catch(() => undefined); // whoever searches next hears of it
    });
    goingOn.set(workspaceId, () => {
      stop.abort();
      cancel();
    });
  }

  /** Forgets what is in the index and was not in the log any more when this began. */
  async function sweep(kept: KeptIndex, workspaceId: string): Promise<void> {
    if (swept.has(workspaceId)) return;
    const known = [...tallyAll().values()].reduce((sum, tally) => sum + heldIn(tally), 0);
    if (kept.index.size() > known) {
      for (const key of kept.index.keys()) {
        if (workspaceOf(key) === workspaceId && !isKnown(workspaceId, key))
          writer.forget(kept, key);
        if (scheduler.isDue) await scheduler.yieldIfDue();
      }
    }
    swept.add(workspaceId);
  }

  function isKnown(workspaceId: string, key: string): boolean {
    if (isStateKey(key)) return states.of(workspaceId)?.has(key) === true;
    const list = calls.of(workspaceId);
    return list !== undefined && viewOf(workspaceId, list).has(key);
  }

  /** Puts small segments together, while what is asked for goes on; one merge at a time. */
  function merge(): Promise<void> {
    mergedAt = calls.taken();
    merging ??= (async () => {
      const kept = await opening;
      for (const steps = kept?.index.mergeSteps(); steps && !steps.next().done;)
        await scheduler.yieldIfDue();
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
    if (!kept || !writer.takeChange()) return;
    await kept.keep(() => talliesToJson(tallyAll()));
  }

  /** What is in the index of each workspace. */
  function tallyAll(): Map<string, Tally> {
    const all = new Map(tallies);
    for (const id of states.workspaces()) all.set(id, tallyOf(id));
    return all;
  }

  function tallyOf(workspaceId: string): Tally {
    const kept = tallies.get(workspaceId);
    const runs = calls.of(workspaceId)?.runs() ?? kept?.runs ?? [];
    return { states: states.of(workspaceId)?.size ?? kept?.states ?? 0, runs };
  }

  async function progress(workspaceId: string): Promise<Progress> {
    await (opening ??= openNow());
    const memory = await log.memory();
    let total = 0;
    for (const { item } of eachState(memory, workspaceId)) {
      if (!item.isArchived) total++;
      await scheduler.yieldIfDue();
    }
    total += (await log.traceList(workspaceId)).count;
    return { done: Math.min(total, takenIn(tallyOf(workspaceId))), total };
  }

  async function clear(): Promise<number> {
    const held = await (opening ??= openNow());
    const size = held.size();
    opening = Promise.resolve(await held.renew());
    for (const cancel of goingOn.values()) cancel();
    for (const known of [goingOn, states, calls, swept]) known.clear();
    tallies = new Map();
    cancelKeep?.();
    cancelKeep = undefined;
    writer.takeChange();
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

/** Calls by their keys. */
function viewOf(workspaceId: string, calls: CallList): MemoryView['traces'] {
  const get = (key: string) => {
    const place = placeOfTrace(workspaceId, key);
    return place && calls.find(place.path, place.from);
  };
  return { get, has: (key) => get(key) !== undefined, size: calls.count() };
}
