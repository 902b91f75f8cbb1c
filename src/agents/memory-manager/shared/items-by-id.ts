import { allWorkspaces, stateHeads, type StateHead } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { allRecords } from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { stateRef, traceRef } from '../../../model/text/short-id.js';
import type { Scheduler } from '../../../platform/scheduler.js';
import type { Log, TraceEntry } from '../../../storage/index.js';

/** A record, or a state or trace whose content has not been read. `ref` is its whole id. */
export type ItemById =
  | { readonly ref: string; readonly record: ProjectRecord }
  | { readonly ref: string; readonly head: StateHead }
  | { readonly ref: string; readonly entry: TraceEntry };

/** Ids of records may begin like those of states and traces, so shorter ones find no record. */
const MIN_RECORD_ID_LENGTH = 4;

/** Returns the items of all workspaces whose ids begin with `start`, newest first in each. */
export async function findById(
  { log, scheduler }: { log: Pick<Log, 'traceEntries'>; scheduler: Scheduler },
  memory: Memory,
  start: string,
): Promise<ItemById[]> {
  const found: ItemById[] = [];
  for (const { item } of allWorkspaces(memory)) {
    await scheduler.yieldIfDue();
    if (start.length >= MIN_RECORD_ID_LENGTH)
      for (const record of allRecords(memory, item.id))
        if (record.id.startsWith(start)) found.push({ ref: record.id, record });
    if (start.startsWith('s')) {
      for (const head of stateHeads(memory, item.id)) {
        const ref = stateRef(head.id);
        if (ref.startsWith(start)) found.push({ ref, head });
      }
    } else if (start.startsWith('t')) {
      for (const entry of await log.traceEntries(item.id)) {
        // Compares the hash first, because building the whole id of a million traces takes long.
        if (!entry.c.startsWith(start.slice(1, 1 + entry.c.length))) continue;
        const ref = traceRef(entry);
        if (ref.startsWith(start)) found.push({ ref, entry });
      }
    }
  }
  return found;
}
