import { workspaceById } from '../../model/lookup.js';
import { entityOf } from '../../model/memory.js';
import { listedTitle, type ProjectRecord } from '../../model/records/record.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { inOneLine, type PickerItem } from './candidates.js';
import { openPicker, type PickerTexts } from './picker.js';

export function pickRecord(
  savepoint: Savepoint,
  texts: PickerTexts,
  records: readonly ProjectRecord[],
  choose: (record: ProjectRecord) => void,
): void {
  openPicker<ProjectRecord>(savepoint, {
    texts,
    candidates: () => records.map((record) => candidateOf(savepoint, record)),
    choose: ({ item }) => choose(item),
  });
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
