import { isEmptyCheckpoint } from '../../model/text/checkpoint.js';
import { compareText } from '../../model/event.js';
import { allWorkspaces, stateHeads, type Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import { isCaptured, type CapturedTrace } from './captured-trace.js';

interface EntryPlace {
  readonly createdAt: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
}

export type ContinueEntry = EntryPlace &
  (
    | { readonly kind: 'state'; readonly state: Named<State> }
    | { readonly kind: 'checkpoint'; readonly trace: CapturedTrace }
  );

export interface ContinueOptions {
  /** Id of the current workspace. */
  readonly currentId: string;
  readonly limit: number;
  /** Id of the only workspace to look at; undefined for all. */
  readonly workspaceId?: string | undefined;
  /** Returns false for an archived session. */
  readonly isOffered: (sessionId: string) => boolean;
}

/** Length of an ISO time up to its minute. */
const MINUTE_LENGTH = '2026-11-24T10:03'.length;

/**
 * Returns the newest states and checkpoints of active workspaces, newest first; within a minute,
 * the current workspace's first. `checkpoints` are newest first. A session counts with its last
 * checkpoint, unless a state was saved in it since.
 */
export function continueEntries(
  memory: Memory,
  checkpoints: readonly Trace[],
  { currentId, limit, workspaceId: onlyId, isOffered }: ContinueOptions,
): ContinueEntry[] {
  const workspaces = allWorkspaces(memory).filter(
    ({ item }) => !item.isArchived && (onlyId === undefined || item.id === onlyId),
  );
  const names = new Map(workspaces.map(({ item, displayName }) => [item.id, displayName]));
  const states = workspaces.flatMap(({ item }) => newestStates(memory, item.id, limit));
  const savedAt = lastSaves(states);
  const entries: ContinueEntry[] = [
    ...states.map((state) => ({ kind: 'state' as const, state, ...placeOf(names, state.item) })),
    ...lastOfSessions(checkpoints)
      .filter(({ workspaceId, sessionId, createdAt, checkpoint }) => {
        const isSaved = (savedAt.get(sessionId) ?? '') >= createdAt;
        const isShown = names.has(workspaceId) && isOffered(sessionId);
        return isShown && !isSaved && !isEmptyCheckpoint(checkpoint);
      })
      .map((trace) => ({ kind: 'checkpoint' as const, trace, ...placeOf(names, trace) })),
  ];
  const minuteOf = ({ createdAt }: EntryPlace) => createdAt.slice(0, MINUTE_LENGTH);
  const isElsewhere = ({ workspaceId }: EntryPlace) => Number(workspaceId !== currentId);
  entries.sort(
    (a, b) =>
      compareText(minuteOf(b), minuteOf(a)) ||
      isElsewhere(a) - isElsewhere(b) ||
      compareText(b.createdAt, a.createdAt),
  );
  return entries.slice(0, limit);
}

/** Returns the last time at which each session saved one of the states. */
export function lastSaves(states: readonly Named<State>[]): Map<string, string> {
  const times = new Map<string, string>();
  for (const { item } of states) {
    const session = item.savedBy?.session;
    if (session !== undefined && (times.get(session) ?? '') < item.createdAt)
      times.set(session, item.createdAt);
  }
  return times;
}

function newestStates(memory: Memory, workspaceId: string, limit: number): Named<State>[] {
  return stateHeads(memory, workspaceId)
    .filter(({ isArchived }) => !isArchived)
    .slice(0, limit)
    .flatMap((head) => head.read() ?? []);
}

function lastOfSessions(checkpoints: readonly Trace[]): CapturedTrace[] {
  const last = new Map<string, CapturedTrace>();
  for (const trace of checkpoints.filter(isCaptured))
    if (!last.has(trace.sessionId)) last.set(trace.sessionId, trace);
  return [...last.values()];
}

function placeOf(
  names: ReadonlyMap<string, string>,
  { workspaceId, createdAt }: Pick<Trace, 'workspaceId' | 'createdAt'>,
): EntryPlace {
  return { createdAt, workspaceId, workspaceName: names.get(workspaceId) ?? '' };
}
