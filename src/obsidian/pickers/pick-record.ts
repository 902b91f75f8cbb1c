import { workspaceById } from '../../model/lookup.js';
import { entityOf } from '../../model/memory.js';
import { listedTitle, type ProjectRecord } from '../../model/records/record.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { openModal } from '../ui/modals.js';
import { inOneLine, type PickerItem } from './candidates.js';
import { Picker, type PickerOptions } from './picker.js';

export function pickRecord(
  savepoint: Savepoint,
  texts: PickerOptions<ProjectRecord>['texts'],
  records: readonly ProjectRecord[],
  choose: (record: ProjectRecord) => void,
): void {
  const { app, clock } = savepoint;
  const candidates = () => Promise.resolve(records.map((record) => candidateOf(savepoint, record)));
  openModal(
    new Picker<ProjectRecord>({
      app,
      clock,
      texts,
      candidates,
      choose: ({ item }) => choose(item),
    }),
  );
}

function candidateOf(savepoint: Savepoint, record: ProjectRecord): PickerItem<ProjectRecord> {
  const memory = savepoint.memory.get();
  const { id, kind, body = '', workspaceId, createdAt } = record;
  const displayName = listedTitle(record);
  const notes = [text.records.kinds[kind], workspaceById(memory, workspaceId).name, body];
  return {
    item: { item: record, entity: entityOf(memory, id), displayName },
    title: displayName,
    notes: notes.map(inOneLine).filter((note) => note !== ''),
    createdAt,
    isCurrent: false,
  };
}
