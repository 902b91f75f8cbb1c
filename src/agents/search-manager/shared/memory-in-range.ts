import type { FoundEntity } from '../../../indexing/memory/memory-search.js';
import { isInRange, type TimeRange } from '../../../indexing/search-result.js';
import { stampTime } from '../../../model/event.js';
import { eachStateHead } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { allRecords } from '../../../model/records/lookup-record.js';
import type { Trace } from '../../../model/trace.js';
import type { Log } from '../../../storage/index.js';

const READ_BATCH_SIZE = 100;

type Dated<T> = T & { readonly at: string };

/** Returns the live states and records that were created in a range of time, newest first. */
export function entitiesInRange(
  memory: Memory,
  workspaceIds: readonly string[],
  range: TimeRange,
  types: readonly ('state' | 'record')[],
): FoundEntity[] {
  const found: Dated<{ readonly item: FoundEntity }>[] = [];
  for (const id of workspaceIds) {
    for (const head of types.includes('state') ? eachStateHead(memory, id) : []) {
      const { created } = head.entity;
      const at = created ? stampTime(created) : '';
      const state = head.isArchived || !isInRange(at, range) ? undefined : head.read();
      if (state) found.push({ at, item: { state } });
    }
    for (const record of types.includes('record') ? allRecords(memory, id) : [])
      if (!record.isArchived && isInRange(record.createdAt, range))
        found.push({ at: record.createdAt, item: { record } });
  }
  return newestFirst(found).map(({ item }) => item);
}

/** Returns up to `limit` traces of a range of time that are not hidden, newest first. */
export async function tracesInRange(
  log: Pick<Log, 'traceEntries' | 'readTraces'>,
  workspaceIds: readonly string[],
  range: TimeRange,
  { limit, isHidden }: { readonly limit: number; readonly isHidden: (trace: Trace) => boolean },
): Promise<Trace[]> {
  const found: Dated<{ readonly trace: Trace }>[] = [];
  for (const id of workspaceIds) {
    const entries = (await log.traceEntries(id)).filter((entry) =>
      isInRange(stampTime(entry), range),
    );
    const own: Trace[] = [];
    for (let at = 0; at < entries.length && own.length < limit; at += READ_BATCH_SIZE) {
      const traces = await log.readTraces(entries.slice(at, at + READ_BATCH_SIZE));
      own.push(...traces.filter((trace) => !isHidden(trace)));
    }
    found.push(...own.slice(0, limit).map((trace) => ({ at: trace.createdAt, trace })));
  }
  return newestFirst(found)
    .slice(0, limit)
    .map(({ trace }) => trace);
}

function newestFirst<T>(items: Dated<T>[]): Dated<T>[] {
  return items.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
