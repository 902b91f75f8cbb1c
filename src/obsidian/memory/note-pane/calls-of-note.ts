import { compareText } from '../../../model/event.js';
import type { VaultPath } from '../../../model/paths.js';
import type { Trace } from '../../../model/trace.js';
import type { Log, TraceEntry } from '../../../storage/log.js';
import type { Scheduler } from '../../../platform/scheduler.js';
import { isCallAbout } from './note-memory.js';

/** So many calls are read at a time. */
const BATCH = 250;

/** So many are looked through before somebody has to ask for more. */
export const LOOK_BACK = 2000;

/** What looking through the tool calls for a note has brought so far. */
export interface CallsOfNote {
  /** Newest first. */
  readonly calls: readonly Trace[];
  readonly looked: number;
  readonly isAll: boolean;
}

/** All workspaces' traces by where they stand, newest first. */
export async function allTraceEntries(
  log: Pick<Log, 'traceEntries'>,
  workspaceIds: readonly string[],
): Promise<TraceEntry[]> {
  const entries = await Promise.all(workspaceIds.map((id) => log.traceEntries(id)));
  return entries.flat().sort((a, b) => compareText(b.h, a.h));
}

/**
 * The calls about a note among the newest `most`. `told` hears how far it has come after each part, and says whether anybody
 * still wants to know.
 */
export async function findCallsOfNote(options: {
  readonly log: Pick<Log, 'readTraces'>;
  readonly entries: readonly TraceEntry[];
  readonly path: VaultPath;
  readonly most: number;
  readonly scheduler: Scheduler;
  readonly told: (found: CallsOfNote) => boolean;
}): Promise<void> {
  const { log, entries, path, most, scheduler, told } = options;
  const wanted = entries.slice(0, most);
  const calls: Trace[] = [];
  for (let from = 0; from < wanted.length; from += BATCH) {
    await scheduler.yieldIfDue();
    const read = await log.readTraces(wanted.slice(from, from + BATCH));
    calls.push(...read.filter(({ input }) => isCallAbout(input, path)));
    const looked = Math.min(from + BATCH, wanted.length);
    if (!told({ calls: [...calls], looked, isAll: looked === entries.length })) return;
  }
  if (wanted.length === 0) told({ calls, looked: 0, isAll: true });
}
