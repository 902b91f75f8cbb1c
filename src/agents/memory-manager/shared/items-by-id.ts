import { allWorkspaces, stateHeads, type StateHead } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { stateRef, traceRef } from '../../../model/text/short-id.js';
import type { Scheduler } from '../../../platform/scheduler.js';
import type { Log, TraceEntry } from '../../../storage/log.js';

/** A state or a trace of which the content has not been read, with its whole id. */
export type ItemById =
  | { readonly ref: string; readonly head: StateHead }
  | { readonly ref: string; readonly entry: TraceEntry };

interface Access {
  readonly log: Pick<Log, 'traceEntries'>;
  readonly scheduler: Scheduler;
}

/**
 * Returns the states and traces of all workspaces whose ids begin with a text, newest first in each
 * workspace.
 */
export async function findById(
  { log, scheduler }: Access,
  memory: Memory,
  start: string,
): Promise<ItemById[]> {
  const found: ItemById[] = [];
  for (const { item } of allWorkspaces(memory)) {
    await scheduler.yieldIfDue();
    if (start.startsWith('s')) {
      for (const head of stateHeads(memory, item.id)) {
        const ref = stateRef(head.id);
        if (ref.startsWith(start)) found.push({ ref, head });
      }
    } else {
      for (const entry of await log.traceEntries(item.id)) {
        // The hash is compared first, because building the whole id of a million traces takes long.
        if (!entry.c.startsWith(start.slice(1, 1 + entry.c.length))) continue;
        const ref = traceRef(entry);
        if (ref.startsWith(start)) found.push({ ref, entry });
      }
    }
  }
  return found;
}
