import type { Scheduler } from '../../platform/scheduler.js';
import { traceDocument } from './memory-documents.js';
import type { Log } from '../../storage/index.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import { CallList } from './call-list.js';
import type { CallRun } from './call-runs.js';
import { traceKey } from './memory-keys.js';
import type { MemoryWriter } from './memory-writer.js';
import { callsToIndex, withNeighbours, type ReadCall } from './neighbour-calls.js';

export interface CallIndexerOptions {
  readonly log: Pick<Log, 'traceList' | 'tracesAt'>;
  readonly writer: MemoryWriter;
  readonly persistedRuns: (workspaceId: string) => readonly CallRun[];
  readonly scheduler: Scheduler;
}

/** Maximum number of calls that are indexed before a search continues. */
const MAX_CALLS_PER_UPDATE = 1000;
const READ_BATCH_SIZE = 500;
/** A session takes as long to index as this number of calls. */
const CALLS_PER_SESSION = 50;
/** Searches are not indexed: they contain the same words as the items they were meant to find. */
const SKIPPED_TOOLSET = 'searchManager';

export type CallIndexer = ReturnType<typeof createCallIndexer>;

export function createCallIndexer({ log, writer, scheduler, persistedRuns }: CallIndexerOptions) {
  const lists = new Map<string, CallList>();
  let processedCount = 0;

  /** Reads calls and their neighbours, except those left out of the index or unreadable. */
  const readCalls = async (calls: CallList, positions: readonly number[]): Promise<ReadCall[]> => {
    const near = withNeighbours(positions, calls.count);
    const entries = near.map((position) => calls.entryAt(position));
    const traces = await log.tracesAt(entries);
    return near.flatMap((position, at) => {
      const trace = traces[at];
      if (!trace || trace.toolset === SKIPPED_TOOLSET) return [];
      return [{ position, trace, isNew: calls.isMissing(position) }];
    });
  };

  /**
   * Indexes the latest missing calls, and their neighbours again, whose documents mention them.
   * Returns their number, in which a session counts as many.
   */
  const indexBatch = async (
    index: PersistentIndex,
    workspaceId: string,
    calls: CallList,
  ): Promise<number> => {
    const isHeavy = calls.hasSessions;
    const positions = calls.latestMissing(READ_BATCH_SIZE / (isHeavy ? CALLS_PER_SESSION : 1));
    const keyAt = (position: number) => traceKey(workspaceId, calls.entryAt(position));
    const read = await readCalls(calls, positions);
    for (const { position, trace, neighbours } of callsToIndex(read)) {
      await scheduler.yieldIfDue();
      const near = trace.checkpoint ? undefined : neighbours; // a session speaks for itself
      const document = traceDocument(keyAt(position), trace, near);
      await writer.put(index, document);
      if (writer.isMissingVectors(index, document.key)) await writer.embed(index, document);
    }
    const isRead = new Set(read.map(({ position }) => position));
    for (const position of positions) {
      if (!isRead.has(position)) writer.remove(index, keyAt(position));
      calls.markProcessed(position, isRead.has(position));
    }
    processedCount += positions.length;
    writer.markChanged(); // calls that are left out are persisted, too
    return positions.length * (isHeavy ? CALLS_PER_SESSION : 1);
  };

  return {
    /** Number of calls processed, of any workspace. */
    processedCount: () => processedCount,
    /** Returns the calls as of the last update; undefined before the workspace's first one. */
    listOf: (workspaceId: string) => lists.get(workspaceId),
    /** Indexes up to `MAX_CALLS_PER_UPDATE` missing calls, newest first; removes deleted ones. */
    async update(index: PersistentIndex, workspaceId: string): Promise<CallList> {
      const calls = lists.get(workspaceId) ?? new CallList(persistedRuns(workspaceId));
      lists.set(workspaceId, calls);
      for (const entry of calls.update(await log.traceList(workspaceId)))
        writer.remove(index, traceKey(workspaceId, entry));
      for (let count = 0; count < MAX_CALLS_PER_UPDATE && calls.missing > 0;)
        count += await indexBatch(index, workspaceId, calls);
      return calls;
    },
    clear: () => lists.clear(),
  };
}
