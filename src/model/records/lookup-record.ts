import { compareStamps } from '../event.js';
import { entityOf, type Memory } from '../memory.js';
import { didYouMean, nameKey } from '../names.js';
import { pathMoves } from '../moves/path-moves.js';
import { mapEntries, mapGet } from '../persistent-map.js';
import type { RecordKind } from './record-kinds.js';
import { listedTitle, recordOf, type ProjectRecord } from './record.js';

/** One match, several, or none (`hint` suggests similar titles). */
export type RecordLookup =
  | { readonly record: ProjectRecord }
  | { readonly several: readonly ProjectRecord[] }
  | { readonly hint: string };

/** A shorter text is not the beginning of a title that a list has cut. */
const MIN_CUT_LENGTH = 50;

const SHORT_ID_LENGTH = 6;
/** An id, or at least its first four characters. */
const ID_PREFIX = /^[a-km-np-z2-9]{4,16}$/;

/** Returns the records of a workspace, including archived ones, newest first. */
export function allRecords(memory: Memory, workspaceId: string): ProjectRecord[] {
  const titles = mapGet(memory.records, workspaceId);
  return recordsWithIds(memory, titles ? [...mapEntries(titles)].flatMap(([, list]) => list) : []);
}

/** Returns the records with these ids, newest first. */
export function recordsWithIds(memory: Memory, ids: readonly string[]): ProjectRecord[] {
  return ids
    .map((id) => entityOf(memory, id))
    .sort((a, b) => (a.created && b.created ? compareStamps(b.created, a.created) : 0))
    .flatMap((entity) => recordOf(entity, pathMoves(memory)) ?? []);
}

/** Returns the newest open record with this kind and title; there should be only one. */
export function openRecordTitled(
  memory: Memory,
  workspaceId: string,
  kind: RecordKind,
  title: string,
): ProjectRecord | undefined {
  const key = nameKey(title);
  return allRecords(memory, workspaceId).find(
    (record) => record.kind === kind && isOpenRecord(record) && nameKey(record.title) === key,
  );
}

export function recordById(memory: Memory, id: string | undefined): ProjectRecord | undefined {
  return id === undefined ? undefined : recordOf(entityOf(memory, id), pathMoves(memory));
}

/** Returns true if not done, dropped, superseded or archived. A decision is open while it holds. */
export function isOpenRecord({ status, supersededBy, isArchived }: ProjectRecord): boolean {
  return status === 'open' && supersededBy === undefined && !isArchived;
}

/** Returns true if the record can be checked off or reopened. A decision can only be replaced. */
export function isCheckable(record: ProjectRecord): boolean {
  const { kind, status } = record;
  return kind !== 'decision' && (isOpenRecord(record) || status === 'done') && !record.isArchived;
}

/** Returns true if the user can correct the record's title. A decision is replaced instead. */
export function isCorrectable({ kind, isArchived }: ProjectRecord): boolean {
  return kind !== 'decision' && !isArchived;
}

/** Returns true if a record's reminder is due. `now` is in milliseconds since 1970. */
export function isDue({ remindAt }: Pick<ProjectRecord, 'remindAt'>, now: number): boolean {
  return remindAt !== undefined && Date.parse(remindAt) <= now;
}

/** Returns the start of a record's id, by which lists and lookups name it. */
export function shortRecordId({ id }: Pick<ProjectRecord, 'id'>): string {
  return id.slice(0, SHORT_ID_LENGTH);
}

/**
 * Looks up a record by title, by id prefix, or by a former title or the beginning of one, as lists
 * show it. Of namesakes, a single open one wins.
 */
export function lookupRecord(memory: Memory, workspaceId: string, ref: string): RecordLookup {
  const titles = mapGet(memory.records, workspaceId);
  const ids = (titles && mapGet(titles, nameKey(ref))) ?? [];
  const named = ids.flatMap((id) => recordById(memory, id) ?? []);
  if (named.length > 0) return namesakeOf(named);
  const all = allRecords(memory, workspaceId);
  const prefix = ref.trim().toLowerCase();
  const byId = ID_PREFIX.test(prefix) ? all.filter(({ id }) => id.startsWith(prefix)) : [];
  if (byId.length > 0) return resultOf(byId);
  const isMeant = titleTest(ref);
  const former = all.filter(({ id, title }) => isMeant(title) || isMeant(formerTitle(memory, id)));
  if (former.length > 0) return namesakeOf(former);
  return { hint: didYouMean(listedTitle({ title: ref }), all.map(listedTitle)) };
}

/** Returns a function that recognizes the title that `ref` is, or is the beginning of. */
function titleTest(ref: string): (title: string) => boolean {
  const key = nameKey(ref);
  const isCut = key.length > MIN_CUT_LENGTH && key.endsWith('...'); // was an ellipsis
  const start = key.slice(0, -3).trimEnd();
  return (title) => nameKey(title) === key || (isCut && nameKey(title).startsWith(start));
}

function namesakeOf(matches: readonly ProjectRecord[]): RecordLookup {
  const open = matches.filter(isOpenRecord);
  return resultOf(open.length === 1 ? open : matches);
}

function formerTitle(memory: Memory, id: string): string {
  const title = entityOf(memory, id).created?.d['title'];
  return typeof title === 'string' ? title : '';
}

function resultOf(matches: readonly ProjectRecord[]): RecordLookup {
  const [first] = matches;
  return first && matches.length === 1 ? { record: first } : { several: matches };
}
