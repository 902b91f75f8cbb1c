import { eachState, idsOfName, statesByKey, type Named } from '../../model/lookup.js';
import { entityName, entityOf, type Entity, type Memory } from '../../model/memory.js';
import { pathMoves } from '../../model/moves/path-moves.js';
import { nameKey } from '../../model/names.js';
import { changedKeys } from '../../model/persistent-map.js';
import { allRecords } from '../../model/records/lookup-record.js';
import { recordOf, type ProjectRecord } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import { visibleText } from '../../model/text/visible-text.js';

/**
 * Maps the id of each state that may differ to the state, or to undefined if it is no longer
 * listed. The time depends on the number of changes, not on the number of states.
 */
export function changedStates(
  before: Memory,
  after: Memory,
  workspaceId: string,
): Map<string, Named<State> | undefined> {
  const changed = new Map<string, Named<State> | undefined>();
  const keys = new Set<string>();
  for (const id of changedKeys(before.entities, after.entities)) {
    for (const memory of [before, after]) {
      const entity = entityOf(memory, id);
      if (entity.created?.t === 'state.new') keys.add(nameKey(entityName(entity)));
    }
  }
  if (before.moves !== after.moves)
    for (const { item } of eachState(after, workspaceId))
      if (item.savedFiles) keys.add(nameKey(item.name));
  for (const key of keys) {
    for (const memory of [before, after])
      for (const id of idsOfName(memory, workspaceId, key)) changed.set(id, undefined);
  }
  for (const key of keys) {
    for (const state of statesByKey(after, workspaceId, key)) changed.set(state.entity.id, state);
  }
  return changed;
}

/** A record with the name of the state with which it was saved; empty if there is none. */
export type IndexedRecord = ProjectRecord & { readonly stateName: string };

/** Maps the id of each record that may differ to the record, or to undefined if it is invalid. */
export function changedRecords(
  before: Memory,
  after: Memory,
  workspaceId: string,
): Map<string, Named<IndexedRecord> | undefined> {
  const changed = new Map<string, Named<IndexedRecord> | undefined>();
  const moved =
    before.moves === after.moves
      ? []
      : allRecords(after, workspaceId).filter(({ files }) => Object.keys(files).length > 0);
  for (const id of [
    ...changedKeys(before.entities, after.entities),
    ...moved.map((record) => record.id),
  ]) {
    const created = entityOf(after, id).created ?? entityOf(before, id).created;
    if (created?.t === 'record.new' && created.d['ws'] === workspaceId)
      changed.set(id, namedRecord(after, entityOf(after, id)));
  }
  return changed;
}

/** Returns a record with its title as its display name; undefined if its data are invalid. */
export function namedRecord(memory: Memory, entity: Entity): Named<IndexedRecord> | undefined {
  const record = recordOf(entity, pathMoves(memory));
  if (!record) return undefined;
  const stateName = entityName(entityOf(memory, record.stateId ?? ''));
  return { item: { ...record, stateName }, entity, displayName: visibleText(record.title) };
}
