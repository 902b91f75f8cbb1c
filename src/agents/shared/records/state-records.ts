import * as z from 'zod';
import { nameKey } from '../../../model/names.js';
import type { Draft } from '../../../model/event.js';
import type { Memory } from '../../../model/memory.js';
import type { SavedBy } from '../../../model/provenance.js';
import { allRecords, isOpenRecord } from '../../../model/records/lookup-record.js';
import { openRecords, supersededSince } from '../../../model/records/state-context.js';
import { recordData } from '../../../model/records/record.js';
import { RECORD_KINDS, type RecordKind } from '../../../model/records/record-kinds.js';
import type { State } from '../../../model/state.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { createEntityId, type Random } from '../../../platform/random.js';
import { seeAlsoNotice } from './related-decisions.js';
import { toRecordRow } from './record-rows.js';

/** Maximum number of open records, and of superseded decisions, that come with a state. */
const MAX_LISTED = 20;

/** The records that `loadState` returns with a state. */
export const stateRecordsOutput = {
  open: z
    .array(
      z.object({
        kind: z.enum(RECORD_KINDS),
        title: z.string(),
        blockedBy: z.array(z.string()).optional(),
        remindAt: z.string().optional(),
        isDue: z.literal(true).optional(),
      }),
    )
    .optional(),
  superseded: z
    .array(
      z.object({
        title: z.string(),
        supersededBy: z.string(),
        at: z.string(),
      }),
    )
    .optional()
    .describe('Since the state was saved'),
};

/** The decisions and questions that are saved with a state. */
export interface StateRecordTitles {
  readonly decisions?: readonly string[] | undefined;
  readonly questions?: readonly string[] | undefined;
}

/** Where, by whom and with which state records are saved. */
export interface RecordOrigin {
  readonly workspaceId: string;
  readonly stateId: string;
  readonly by: SavedBy;
  readonly random: Random;
}

/**
 * Returns the drafts of the records that are saved with a state, and a notice for each decision
 * that is related to older ones. Leaves out what is already recorded and open.
 */
export function stateRecordDrafts(
  memory: Memory,
  { decisions = [], questions = [] }: StateRecordTitles,
  { workspaceId, stateId, by, random }: RecordOrigin,
): { drafts: Draft[]; notices: string[] } {
  const open = allRecords(memory, workspaceId).filter(isOpenRecord);
  const drafts: Draft[] = [];
  const notices: string[] = [];
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
      if (kind !== 'decision') continue;
      const notice = seeAlsoNotice(open, { id, title, workspaceId, session: by.session });
      if (notice !== undefined) notices.push(notice);
    }
  };
  add('decision', decisions);
  add('question', questions);
  return { drafts, notices };
}

/**
 * Returns the open records of a state's workspace, due ones first, and the decisions that held when
 * it was saved and have been superseded since. `now` is in milliseconds since 1970.
 */
export function stateRecords(memory: Memory, state: State, now: number) {
  const open = openRecords(memory, state.workspaceId, now);
  const superseded = supersededSince(memory, state).map(({ decision, successor, at }) => ({
    title: visibleText(decision.title),
    supersededBy: visibleText(successor.title),
    at,
  }));
  const rows = open.slice(0, MAX_LISTED).map((record) => {
    const row = toRecordRow(memory, record, now);
    return {
      kind: row.kind,
      title: row.title,
      ...(row.blockedBy && { blockedBy: row.blockedBy }),
      ...(row.remindAt !== undefined && { remindAt: row.remindAt }),
      ...(row.isDue && { isDue: row.isDue }),
    };
  });
  return {
    ...(rows.length > 0 && { open: rows }),
    ...(superseded.length > 0 && { superseded: superseded.slice(0, MAX_LISTED) }),
    unlistedCount: open.length - rows.length,
  };
}
