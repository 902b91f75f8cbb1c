import { allWorkspaces } from '../../model/lookup.js';
import { DEFAULT_WORKSPACE, registerOf, type Entity, type Memory } from '../../model/memory.js';
import { mapEntries } from '../../model/persistent-map.js';
import { allRecords, isOpenRecord } from '../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../model/records/record.js';

const known = new WeakMap<Memory, ReturnType<typeof lookThrough>>();

/**
 * Returns what decides which commands apply. Computed once, without parsing states, because the
 * palette asks per command.
 */
export function contentsOf(memory: Memory) {
  const held = known.get(memory) ?? lookThrough(memory);
  known.set(memory, held);
  return held;
}

function lookThrough(memory: Memory) {
  const all = allWorkspaces(memory).map(({ item }) => item);
  const workspaces = new Set(all.filter(({ isArchived }) => !isArchived).map(({ id }) => id));
  const everyId = new Set(all.map(({ id }) => id));
  let [hasState, hasArchivedState] = [false, false];
  for (const [, entity] of mapEntries(memory.entities)) {
    if (hasState && hasArchivedState) break;
    if (entity.created?.t !== 'state.new') continue;
    const workspaceId = workspaceIdOf(entity);
    if (registerOf(entity, '/isArchived') === true) hasArchivedState ||= everyId.has(workspaceId);
    else hasState ||= workspaces.has(workspaceId);
  }
  return {
    /** Ids of the workspaces that are not archived. */
    workspaces,
    /** True if a state exists that is not archived, in a workspace that is not. */
    hasState,
    hasArchivedState,
    /** True if a question, task or phase is open, in a workspace that is not archived. */
    hasRecordToCheck: [...workspaces].some((id) => allRecords(memory, id).some(isToCheck)),
    hasWorkspaceToArchive: all.some(
      ({ id, isArchived }) => !isArchived && id !== DEFAULT_WORKSPACE,
    ),
    hasArchivedWorkspace: all.some(({ isArchived }) => isArchived),
  };
}

function isToCheck(record: ProjectRecord): boolean {
  return record.kind !== 'decision' && isOpenRecord(record);
}

function workspaceIdOf({ created }: Entity): string {
  const id = created?.head?.ws ?? created?.d['ws'];
  return typeof id === 'string' ? id : '';
}
