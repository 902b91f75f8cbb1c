import type { NoteHit } from '../../indexing/notes/note-search.js';
import { compareText } from '../../model/event.js';
import { newestFirst, type Named } from '../../model/lookup.js';
import { isOpenRecord } from '../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import { conversationExcerpt, type ConversationHit } from '../chat/search-conversations.js';
import { hasAll, queryParts, recordText, stateText } from '../library/filter.js';
import type { Library } from '../library/library.js';

/** Part of the memory that a search covers: one workspace, or all of them. */
export type SearchedPart = { readonly workspaceId: string } | 'all';

/** Something that a search found. The kinds are listed in the order in which they are shown. */
export type MemoryHit =
  | {
      readonly kind: 'state';
      readonly state: Named<State>;
      readonly workspaceName: string;
      readonly excerpt: string;
    }
  | {
      readonly kind: 'record';
      readonly record: ProjectRecord;
      readonly workspaceName: string;
    }
  | { readonly kind: 'chat'; readonly hit: ConversationHit; readonly workspaceName: string }
  | { readonly kind: 'note'; readonly hit: NoteHit }
  | { readonly kind: 'call'; readonly call: Trace; readonly workspaceName: string };

export interface StateSearch {
  readonly library: Library;
  readonly query: string;
  readonly scope: SearchedPart;
  /** Id of the workspace whose states come first. */
  readonly currentId: string;
  readonly limit: number;
}

export function isInScope(scope: SearchedPart, workspaceId: string): boolean {
  return scope === 'all' || scope.workspaceId === workspaceId;
}

/** Rank of a name: 0 if it is the query, 1 if it has the query's numbers as words, otherwise 2. */
function nameRank(name: string, query: string): number {
  const [words, asked] = [queryParts(name), queryParts(query)];
  if (words.join(' ') === asked.join(' ')) return 0;
  const numbers = asked.filter((part) => /^\p{N}+$/u.test(part));
  return numbers.length > 0 && numbers.every((number) => words.includes(number)) ? 1 : 2;
}

/** Moves the kinds with a hit whose name is the query to the front. */
export function exactKindsFirst(
  hits: readonly MemoryHit[],
  query: string,
  nameOf: (hit: MemoryHit) => string,
): MemoryHit[] {
  const exact = new Set(
    hits.filter((hit) => nameRank(nameOf(hit), query) === 0).map(({ kind }) => kind),
  );
  return [...hits].sort((a, b) => Number(exact.has(b.kind)) - Number(exact.has(a.kind)));
}

/** Returns active states with every query part, sorted by name rank, workspace, name match, age. */
export function statesContaining({
  library,
  query,
  scope,
  currentId,
  limit,
}: StateSearch): Named<State>[] {
  const parts = queryParts(query);
  if (parts.length === 0) return [];
  const found = library
    .filter(({ id, workspace }) => isInScope(scope, id) && workspace?.item.isArchived !== true)
    .flatMap(({ states }) => states)
    .filter((state) => !state.item.isArchived && hasAll(stateText(state), parts))
    .map((state) => {
      const { item, displayName: name } = state;
      const isNamed = hasAll(queryParts(name).join(' '), parts);
      const isCurrent = item.workspaceId === currentId;
      return { state, rank: nameRank(name, query), order: 2 * Number(isCurrent) + Number(isNamed) };
    });
  return found
    .sort((a, b) => a.rank - b.rank || b.order - a.order || newestFirst(a.state, b.state))
    .slice(0, limit)
    .map(({ state }) => state);
}

/** Returns active records with every query part, sorted by name rank, workspace, status and age. */
export function recordsContaining({
  library,
  query,
  scope,
  currentId,
  limit,
}: StateSearch): ProjectRecord[] {
  const parts = queryParts(query);
  if (parts.length === 0) return [];
  const isCurrent = (record: ProjectRecord) => record.workspaceId === currentId;
  return library
    .filter(({ id, workspace }) => isInScope(scope, id) && workspace?.item.isArchived !== true)
    .flatMap(({ records }) => records)
    .filter((record) => !record.isArchived && hasAll(recordText(record), parts))
    .map((record) => ({ record, rank: nameRank(record.title, query) }))
    .sort(
      ({ record: a, rank }, { record: b, rank: other }) =>
        rank - other ||
        Number(isCurrent(b)) - Number(isCurrent(a)) ||
        Number(isOpenRecord(b)) - Number(isOpenRecord(a)) ||
        compareText(b.createdAt, a.createdAt),
    )
    .slice(0, limit)
    .map(({ record }) => record);
}

/** Returns the text around the query's first word; the task if no word occurs literally. */
export function stateExcerpt(
  { description, activeTask, conversationContext, nextSteps, activeFiles, tags }: State,
  query: string,
): string {
  const words = query.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  const texts = [description, activeTask, ...nextSteps, conversationContext, ...activeFiles];
  const whole = [...texts, ...(tags ?? [])].filter(Boolean).join(' · ');
  const word = words.find((each) => whole.toLocaleLowerCase().includes(each));
  return (word !== undefined && conversationExcerpt(whole, [word])) || activeTask;
}

/** Returns true if a call contains a word of the query. Merely similar calls are useless. */
export function containsWord(
  { tool, input, outcome, goal = '', memory = '' }: Trace,
  query: string,
): boolean {
  const whole = [tool, input, outcome, goal, memory].join('\n').toLocaleLowerCase();
  return queryParts(query).some((part) => whole.includes(part));
}
