import type { Trace } from '../../model/trace.js';
import { traceDocument } from '../../search/documents/memory-documents.js';
import type { Log, TraceEntry } from '../../storage/log.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { createCallList, type CallList, type CallRun } from './call-list.js';
import { around, toBePut } from './neighbour-calls.js';
import type { KeptIndex } from '../persistent-index.js';
import { traceKey } from './memory-keys.js';
import type { MemoryWriter } from './memory-writer.js';

/** Keeps the calls of workspaces in a search index. */
export interface CallIntake {
  /** Takes in the newest calls of a workspace that are lacking, so many that nobody waits long, and forgets those that are gone. */
  readonly takeIn: (kept: KeptIndex, workspaceId: string) => Promise<CallList>;
  /** The calls as they were last taken in; undefined where nobody has asked for them. */
  readonly of: (workspaceId: string) => CallList | undefined;
  /** How many were taken in, of any workspace. */
  readonly taken: () => number;
  readonly clear: () => void;
}

/** So many calls are taken in before whoever searches gets an answer. */
const CALLS_AT_ONCE = 1000;
const READ_AT_ONCE = 500;
/** What looks for things holds the same words as what it looks for. */
const LEFT_OUT = 'searchManager';

interface CallIntakeOptions {
  readonly log: Pick<Log, 'traceList' | 'readTraces'>;
  readonly writer: MemoryWriter;
  /** What was kept of a workspace. */
  readonly runsOf: (workspaceId: string) => readonly CallRun[];
  readonly scheduler: Scheduler;
}

export function createCallIntake({
  log,
  writer,
  runsOf,
  scheduler,
}: CallIntakeOptions): CallIntake {
  const lists = new Map<string, CallList>();
  let taken = 0;

  /** Takes in some calls, and those beside them anew: each is found by what was done just before and after it, too. */
  async function takeInSome(
    kept: KeptIndex,
    workspaceId: string,
    calls: CallList,
    places: readonly number[],
  ): Promise<void> {
    const near = around(places, calls.count());
    const found = await readEach(near.map(calls.entryAt));
    const told = near.flatMap((place, at) => {
      const trace = found[at];
      return trace && trace.agent !== LEFT_OUT
        ? [{ place, trace, isNew: calls.isMissing(place) }]
        : [];
    });
    for (const { place, trace, beside } of toBePut(told)) {
      await scheduler.yieldIfDue();
      const document = traceDocument(traceKey(workspaceId, calls.entryAt(place)), trace, beside);
      await writer.put(kept, document);
      if (writer.isLackingMeaning(kept, document.key)) await writer.embed(kept, document);
    }
    const isTold = new Set(told.map(({ place }) => place));
    for (const place of places) {
      if (!isTold.has(place)) writer.forget(kept, traceKey(workspaceId, calls.entryAt(place)));
      calls.take(place, isTold.has(place));
    }
    taken += places.length;
    writer.noteChange(); // calls that are left out are remembered, too
  }

  /** One for each entry; undefined where it cannot be read. */
  async function readEach(entries: readonly TraceEntry[]): Promise<(Trace | undefined)[]> {
    const all = await log.readTraces(entries);
    if (all.length === entries.length) return all;
    return Promise.all(entries.map(async (entry) => (await log.readTraces([entry]))[0]));
  }

  return {
    async takeIn(kept, workspaceId) {
      const calls = lists.get(workspaceId) ?? createCallList(runsOf(workspaceId));
      lists.set(workspaceId, calls);
      for (const entry of calls.update(await log.traceList(workspaceId)))
        writer.forget(kept, traceKey(workspaceId, entry));
      for (let count = 0; count < CALLS_AT_ONCE && calls.missing() > 0; count += READ_AT_ONCE) {
        await takeInSome(kept, workspaceId, calls, calls.latestMissing(READ_AT_ONCE));
      }
      return calls;
    },
    of: (workspaceId) => lists.get(workspaceId),
    taken: () => taken,
    clear: () => lists.clear(),
  };
}
