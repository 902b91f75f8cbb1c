import { eachStateHead, type Named } from '../../model/lookup.js';
import { entityName, entityOf, registerOf, type Memory } from '../../model/memory.js';
import { mapEntries, mapGet } from '../../model/persistent-map.js';
import type { State } from '../../model/state.js';
import { visibleText } from '../../model/text/visible-text.js';
import type { SearchDocument } from '../../search/index.js';
import { recordDocument, stateDocument, type MemoryType } from './memory-documents.js';
import {
  changedRecords,
  changedStates,
  namedRecord,
  type IndexedRecord,
} from './changed-entities.js';
import type { Listed } from './entity-list.js';

/** An entry of a workspace that may be archived. */
export type Head<T> = Listed<T> & { readonly id: string; readonly isArchived: boolean };

/** Reads states, or records, of a memory for the index. */
export interface IndexedKind<T> {
  readonly type: MemoryType;
  /** Yields the entries of a workspace unordered, so that the caller can pause between them. */
  readonly heads: (memory: Memory, workspaceId: string) => Iterable<Head<T>>;
  /** Maps the id of each entry that may differ to the entry; to undefined if no longer listed. */
  readonly changed: (
    before: Memory,
    after: Memory,
    workspaceId: string,
  ) => Map<string, Named<T> | undefined>;
  readonly documentOf: (named: Named<T>) => SearchDocument;
}

export const STATES: IndexedKind<State> = {
  type: 'state',
  heads: eachStateHead,
  changed: changedStates,
  documentOf: ({ item, displayName }) => stateDocument(item, displayName),
};

export const RECORDS: IndexedKind<IndexedRecord> = {
  type: 'record',
  heads: eachRecordHead,
  changed: changedRecords,
  documentOf: ({ item }) => recordDocument(item, item.stateName),
};

function* eachRecordHead(memory: Memory, workspaceId: string): Generator<Head<IndexedRecord>> {
  const titles = mapGet(memory.records, workspaceId);
  for (const [, ids] of titles ? mapEntries(titles) : []) {
    for (const id of ids) {
      const entity = entityOf(memory, id);
      if (!entity.created) continue;
      yield {
        id,
        entity,
        displayName: visibleText(entityName(entity)),
        isArchived: registerOf(entity, '/isArchived') === true,
        read: () => namedRecord(memory, entity),
      };
    }
  }
}
