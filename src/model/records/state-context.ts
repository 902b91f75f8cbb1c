import type { Memory } from '../memory.js';
import type { State } from '../state.js';
import { allRecords, isDue, isOpenRecord, recordById } from './lookup-record.js';
import type { ProjectRecord } from './record.js';

export interface SupersededDecision {
  readonly decision: ProjectRecord;
  readonly successor: ProjectRecord;
  readonly at: string;
}

/** Returns the open records of a workspace, in the order of `sortOpenRecords`. */
export function openRecords(memory: Memory, workspaceId: string, now: number): ProjectRecord[] {
  return sortOpenRecords(allRecords(memory, workspaceId), now);
}

/**
 * Returns the open records: due ones, then questions, tasks and phases, then decisions; otherwise
 * in the given order. `now` is in milliseconds since 1970.
 */
export function sortOpenRecords(records: readonly ProjectRecord[], now: number): ProjectRecord[] {
  const rank = (record: ProjectRecord) => {
    if (isDue(record, now)) return 0;
    return record.kind === 'decision' ? 2 : 1;
  };
  return records
    .filter(isOpenRecord)
    .map((record) => ({ record, rank: rank(record) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ record }) => record);
}

/** Returns the decisions superseded since a state was saved, except by itself, newest first. */
export function supersededSince(memory: Memory, state: State): SupersededDecision[] {
  return allRecords(memory, state.workspaceId).flatMap((decision) => {
    const { kind, stateId, createdAt, supersededBy, supersededAt: at, isArchived } = decision;
    if (kind !== 'decision' || isArchived || at === undefined) return [];
    const heldThen = stateId === state.id || createdAt <= state.createdAt;
    const successor = recordById(memory, supersededBy);
    const isSince = at >= state.createdAt && successor?.stateId !== state.id;
    return heldThen && isSince && successor ? [{ decision, successor, at }] : [];
  });
}
