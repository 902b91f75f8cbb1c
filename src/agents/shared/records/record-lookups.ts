import { allWorkspaces } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import {
  lookupRecord,
  shortRecordId,
  type RecordLookup,
} from '../../../model/records/lookup-record.js';
import type { RecordKind } from '../../../model/records/record-kinds.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import type { Fail, Failures } from '../../../toolkit/define-tool.js';
import { localDay } from '../../../model/text/local-minute.js';

/** Kinds of records by the resource that the tools call them by. */
export const KINDS_OF_RESOURCE = {
  phase: ['phase'],
  issue: ['task', 'question'],
  decision: ['decision'],
} as const satisfies Record<string, readonly RecordKind[]>;

export type RecordResource = keyof typeof KINDS_OF_RESOURCE;

export const RECORD_RESOURCES = Object.keys(KINDS_OF_RESOURCE) as [
  RecordResource,
  ...RecordResource[],
];

export const recordFailures = {
  recordNotFound: {
    error: 'Record "{title}" not found.',
    advice: 'Use listRecords to see the records of this workspace.{hint}',
  },
  recordAmbiguous: {
    error: 'Record "{title}" is ambiguous: {records}.',
    advice: 'Pass one of these ids as its title.',
  },
  recordElsewhere: {
    error: 'The {kind} "{title}" is in the workspace "{workspace}".',
    advice:
      'Records refer only to records of their own workspace; pass that workspace as workspaceId in the context to work there.',
  },
  recordArchived: {
    error: 'The {kind} "{title}" is archived.',
    advice: 'Use a record that is not; only the user can restore it, in Savepoint.',
  },
} as const satisfies Failures;

const MAX_CANDIDATES_LISTED = 10;

/** Returns the only live record with this title or id, and of `resource`; else fails the call. */
export function requireLiveRecord(
  memory: Memory,
  workspaceId: string,
  title: string,
  fail: Fail<typeof recordFailures>,
  resource?: RecordResource,
): ProjectRecord {
  const record = requireRecord(memory, workspaceId, title, fail, resource);
  if (record.isArchived) fail('recordArchived', { kind: record.kind, title: record.title });
  return record;
}

/** Like `requireLiveRecord`, but archived records count, too. */
export function requireRecord(
  memory: Memory,
  workspaceId: string,
  title: string,
  fail: Fail<typeof recordFailures>,
  resource?: RecordResource,
): ProjectRecord {
  const found = ofResource(lookupRecord(memory, workspaceId, title), resource);
  if ('record' in found) return found.record;
  if ('several' in found)
    return fail('recordAmbiguous', { title, records: candidatesText(found.several) });
  for (const { item, displayName } of allWorkspaces(memory)) {
    if (item.id === workspaceId) continue;
    const other = ofResource(lookupRecord(memory, item.id, title), resource);
    if ('record' in other)
      return fail('recordElsewhere', {
        kind: other.record.kind,
        title: other.record.title,
        workspace: displayName,
      });
  }
  return fail('recordNotFound', { title, hint: found.hint });
}

function ofResource(found: RecordLookup, resource: RecordResource | undefined): RecordLookup {
  if (!resource || 'hint' in found) return found;
  const kinds: readonly RecordKind[] = KINDS_OF_RESOURCE[resource];
  const all = 'record' in found ? [found.record] : found.several;
  const [first, ...others] = all.filter(({ kind }) => kinds.includes(kind));
  if (!first) return { hint: '' };
  return others.length === 0 ? { record: first } : { several: [first, ...others] };
}

function candidatesText(records: readonly ProjectRecord[]): string {
  return records
    .slice(0, MAX_CANDIDATES_LISTED)
    .map(
      (record) =>
        `${shortRecordId(record)} (${record.kind}, ${localDay(record.createdAt)}${record.status === 'open' ? '' : `, ${record.status}`})`,
    )
    .join(', ');
}
