import { plainLine, plainList, plainText, properties } from '../markdown/escape.js';
import type { Named } from '../model/lookup.js';
import { entityOf, type Memory } from '../model/memory.js';
import { saverName } from '../apps/index.js';
import { allRecords, recordById } from '../model/records/lookup-record.js';
import { listedTitle, type ProjectRecord } from '../model/records/record.js';
import { visibleText } from '../model/text/visible-text.js';
import { linkList, noteText, section } from './note-parts.js';

/** Below the folder of the workspace's states. */
export const RECORDS_FOLDER = 'Records';

export interface RecordProperties {
  readonly name: string;
  readonly workspace: string;
  readonly kind: string;
  /** `open`, `done`, `dropped` or `replaced`. */
  readonly status: string;
  readonly created: Date;
  readonly archived: boolean;
  readonly remind?: Date;
  readonly tags: readonly string[];
  /** The client and device that saved it, if they are known. */
  readonly client?: string;
  readonly device?: string;
}

/** A record with the titles of the records that it is connected with. */
export interface LinkedRecord {
  readonly record: Named<ProjectRecord>;
  readonly phase: readonly string[];
  readonly needs: readonly string[];
  readonly replacedBy: readonly string[];
}

/** Includes archived records, newest first. */
export function linkedRecords(memory: Memory, workspaceId: string): LinkedRecord[] {
  const titleOf = (id: string) => listedTitle(recordById(memory, id) ?? { title: id });
  return allRecords(memory, workspaceId).map((item) => ({
    record: { item, entity: entityOf(memory, item.id), displayName: visibleText(item.title) },
    phase: item.phaseId === undefined ? [] : [titleOf(item.phaseId)],
    needs: item.needs.map(titleOf),
    replacedBy: item.supersededBy === undefined ? [] : [titleOf(item.supersededBy)],
  }));
}

export function recordPropertiesOf(
  { item, displayName }: Named<ProjectRecord>,
  workspaceName: string,
): RecordProperties {
  const { kind, status, supersededBy, createdAt, isArchived, remindAt, savedBy } = item;
  return {
    name: displayName,
    workspace: workspaceName,
    kind,
    status: supersededBy === undefined ? status : 'replaced',
    created: new Date(createdAt),
    archived: isArchived,
    ...(remindAt !== undefined && { remind: new Date(remindAt) }),
    tags: [],
    ...(savedBy && { client: saverName(savedBy), device: savedBy.device }),
  };
}

export function recordProperties(values: RecordProperties): string {
  const { name, workspace, kind, status, created, archived, remind, tags } = values;
  const { client, device } = values;
  return properties({
    name,
    workspace,
    kind,
    status,
    created,
    archived,
    ...(remind && { remind }),
    tags,
    ...(client !== undefined && device !== undefined && { client, device }),
  });
}

/** `intro` is Markdown between the properties and the content. */
export function recordNote(
  { record, phase, needs, replacedBy }: LinkedRecord,
  workspaceName: string,
  intro = '',
): string {
  const { body = '', files } = record.item;
  return noteText([
    recordProperties(recordPropertiesOf(record, workspaceName)),
    ...section('', intro),
    `# ${plainLine(record.displayName)}`,
    ...section('', plainText(body)),
    ...section('Replaced by', plainList(replacedBy, '-')),
    ...section('Phase', plainList(phase, '-')),
    ...section('Needs', plainList(needs, '-')),
    ...section('Files', linkList(Object.keys(files))),
  ]);
}
