import { nameKey } from '../../../model/names.js';
import type { Draft } from '../../../model/event.js';
import type { Memory } from '../../../model/memory.js';
import type { SavedBy } from '../../../model/states/provenance.js';
import { clip } from '../../../model/refusal.js';
import { allRecords, isDue, isOpenRecord } from '../../../model/records/lookup-record.js';
import { recordData } from '../../../model/records/record.js';
import type { RecordKind } from '../../../model/records/record-kinds.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { createEntityId, type Random } from '../../../platform/random.js';
import type { ProjectRecord } from '../../../model/records/record.js';

/** Maximum number of due records that an answer names, and characters of a title there. */
const MAX_DUE_NAMED = 2;
const MAX_TITLE_LENGTH = 60;

export interface StateRecordTitles {
  readonly decisions?: readonly string[] | undefined;
  readonly questions?: readonly string[] | undefined;
}

export interface RecordOrigin {
  readonly workspaceId: string;
  readonly stateId: string;
  readonly by: SavedBy;
  readonly random: Random;
}

/** A record that a state adds. */
interface NewRecord {
  readonly id: string;
  readonly kind: RecordKind;
  readonly title: string;
}

/** Drafts those of a state's records that the workspace does not have open yet. */
export function stateRecordDrafts(
  open: readonly ProjectRecord[],
  { decisions = [], questions = [] }: StateRecordTitles,
  { workspaceId, stateId, by, random }: RecordOrigin,
): { drafts: Draft[]; added: NewRecord[] } {
  const drafts: Draft[] = [];
  const added: NewRecord[] = [];
  const add = (kind: RecordKind, titles: readonly string[]) => {
    const known = new Set(
      open.filter((record) => record.kind === kind).map(({ title }) => nameKey(title)),
    );
    for (const title of titles) {
      if (known.has(nameKey(title))) continue;
      known.add(nameKey(title));
      const d = recordData(workspaceId, { kind, title, stateId }, { by });
      const id = createEntityId(random);
      drafts.push({ t: 'record.new', e: id, d });
      added.push({ id, kind, title });
    }
  };
  add('decision', decisions);
  add('question', questions);
  return { drafts, added };
}

/**
 * Counts open records not in `shown` and names the due ones; undefined if there are none. `now` is
 * in milliseconds since 1970.
 */
export function otherRecordsNotice(
  memory: Memory,
  workspaceId: string,
  shown: ReadonlySet<string | undefined>,
  now: number,
): string | undefined {
  const open = allRecords(memory, workspaceId).filter(
    (record) => isOpenRecord(record) && !shown.has(record.id),
  );
  if (open.length === 0) return undefined;
  const due = open.filter((record) => isDue(record, now)).map(({ title }) => title);
  const named = due
    .slice(0, MAX_DUE_NAMED)
    .map((title) => JSON.stringify(visibleText(clip(title, MAX_TITLE_LENGTH))));
  const more = due.length > named.length ? ` and ${due.length - named.length} more` : '';
  const dueText = due.length > 0 ? `, due: ${named.join(', ')}${more}` : '';
  return `More open records: ${open.length}${dueText}. See listRecords.`;
}
