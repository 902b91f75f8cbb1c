import { compareText } from '../../../model/event.js';
import type { PathMoves } from '../../../model/moves/path-moves.js';
import type { VaultPath } from '../../../model/paths.js';
import type { Trace } from '../../../model/trace.js';
import type { Log, TraceEntry } from '../../../storage/index.js';
import type { Scheduler } from '../../../platform/scheduler.js';
import { isCallAbout } from './note-memory.js';

const READ_BATCH_SIZE = 250;

/** Number of calls searched before the user has to ask for more. */
export const CALLS_PER_SEARCH = 2000;

/** The result so far of searching the tool calls for a note. */
export interface CallsOfNote {
  /** Newest first. */
  readonly calls: readonly Trace[];
  readonly looked: number;
  readonly isAll: boolean;
}

/** Returns the positions of all workspaces' traces, newest first. */
export async function allTraceEntries(
  log: Pick<Log, 'traceEntries'>,
  workspaceIds: readonly string[],
): Promise<TraceEntry[]> {
  const entries = await Promise.all(workspaceIds.map((id) => log.traceEntries(id)));
  return entries.flat().sort((a, b) => compareText(b.h, a.h));
}

/** Finds a note's calls among the newest `limit`. `onProgress` may return false to stop. */
export async function findCallsOfNote(options: {
  readonly log: Pick<Log, 'readTraces'>;
  readonly entries: readonly TraceEntry[];
  readonly path: VaultPath;
  readonly moves: PathMoves;
  readonly limit: number;
  readonly scheduler: Scheduler;
  readonly onProgress: (found: CallsOfNote) => boolean;
}): Promise<void> {
  const { log, entries, path, moves, limit, scheduler, onProgress } = options;
  const namesAt = moves.namesOf(path);
  const wanted = entries.slice(0, limit);
  const calls: Trace[] = [];
  for (let from = 0; from < wanted.length; from += READ_BATCH_SIZE) {
    await scheduler.yieldIfDue();
    const read = await log.readTraces(wanted.slice(from, from + READ_BATCH_SIZE));
    calls.push(
      ...read.filter(({ input, createdAt }) =>
        namesAt(createdAt).some((name) => isCallAbout(input, name)),
      ),
    );
    const looked = Math.min(from + READ_BATCH_SIZE, wanted.length);
    if (!onProgress({ calls: [...calls], looked, isAll: looked === entries.length })) return;
  }
  if (wanted.length === 0) onProgress({ calls, looked: 0, isAll: true });
}
