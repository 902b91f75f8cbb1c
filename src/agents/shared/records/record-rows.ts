import * as z from 'zod';
import { entityName, entityOf, type Memory } from '../../../model/memory.js';
import { blockersOf } from '../../../model/records/dependencies.js';
import { isDue, recordById, shortRecordId } from '../../../model/records/lookup-record.js';
import { RECORD_KINDS, RECORD_STATUSES } from '../../../model/records/record-kinds.js';
import { listedTitle, type ProjectRecord } from '../../../model/records/record.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { listedDescription } from '../page.js';

/** Maximum number of files and needs that a row lists. */
const MAX_LISTED = 20;

/** A record as `listRecords` shows it. */
export const recordRow = z.object({
  id: z.string().describe('Can be passed as title'),
  kind: z.enum(RECORD_KINDS),
  title: z.string(),
  body: z.string().optional(),
  status: z.enum(RECORD_STATUSES).optional().describe('open if absent'),
  phase: z.string().optional(),
  needs: z.array(z.string()).optional(),
  blockedBy: z.array(z.string()).optional().describe('The needs that are still open'),
  supersededBy: z.string().optional(),
  remindAt: z.string().optional(),
  isDue: z.literal(true).optional(),
  files: z.array(z.string()).optional(),
  state: z.string().optional().describe('Saved with this state'),
  isArchived: z.literal(true).optional(),
  createdAt: z.string(),
});

export type RecordRow = z.output<typeof recordRow>;

/** Title of a record that another one names and this device lacks. */
const MISSING_TITLE = '(not on this device yet)';

/** `now` is in milliseconds since 1970. */
export function toRecordRow(memory: Memory, record: ProjectRecord, now: number): RecordRow {
  const { kind, body, status, supersededBy, remindAt, isArchived, createdAt } = record;
  const get = (id: string) => recordById(memory, id);
  const titleOf = (id: string) => listedTitle(get(id) ?? { title: MISSING_TITLE });
  const blockers = blockersOf(record, get).map(listedTitle);
  const files = Object.keys(record.files);
  return {
    id: shortRecordId(record),
    kind,
    title: listedTitle(record),
    ...(body !== undefined && { body: listedDescription(body) }),
    ...(status !== 'open' && { status }),
    ...(record.phaseId !== undefined && { phase: titleOf(record.phaseId) }),
    ...(record.needs.length > 0 && { needs: record.needs.slice(0, MAX_LISTED).map(titleOf) }),
    ...(blockers.length > 0 && { blockedBy: blockers.slice(0, MAX_LISTED) }),
    ...(supersededBy !== undefined && { supersededBy: titleOf(supersededBy) }),
    ...(remindAt !== undefined && { remindAt }),
    ...(isDue(record, now) && { isDue: true }),
    ...(files.length > 0 && { files: files.slice(0, MAX_LISTED) }),
    ...(record.stateId !== undefined && {
      state: visibleText(entityName(entityOf(memory, record.stateId))),
    }),
    ...(isArchived && { isArchived: true }),
    createdAt,
  };
}
