import { allWorkspaces, newestFirst, type Named } from '../../model/lookup.js';
import { DEFAULT_WORKSPACE, type Memory } from '../../model/memory.js';
import { clip } from '../../model/refusal.js';
import { visibleText } from '../../model/text/visible-text.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { lastUsedFirst } from '../library/last-used.js';
import { readLibrary } from '../library/library.js';
import { text } from '../i18n/index.js';
import { exactDate } from '../ui/dates.js';
import { compareNames, inFront } from '../ui/natural-order.js';

export interface PickerItem<T> {
  readonly item: Named<T>;
  readonly title: string;
  /** Texts below the title. */
  readonly notes: readonly string[];
  readonly createdAt: string;
  readonly isCurrent: boolean;
}

const MAX_NOTE_CHARS = 120;

/** States of active workspaces, the current one's first, then the newest; no moved originals. */
export async function stateCandidates(
  memory: Memory,
  currentId: string,
  isArchived: boolean,
  scheduler: Scheduler,
): Promise<PickerItem<State>[]> {
  const library = await readLibrary(memory, scheduler);
  const shown = library.filter(
    ({ workspace }) => workspace && (isArchived || !workspace.item.isArchived),
  );
  const names = new Map(shown.map(({ id, workspace }) => [id, workspace?.displayName ?? '']));
  const all = shown.flatMap((section) => section.states);
  const moved = new Set(
    all.flatMap(({ item }) => (item.origin && !item.isArchived ? [item.origin.state] : [])),
  );
  const states = all
    .filter(({ item: { id, origin, ...item } }) => {
      const isElsewhere = moved.has(id) || (origin !== undefined && moved.has(origin.state));
      return item.isArchived === isArchived && !(isArchived && isElsewhere);
    })
    .sort((a, b) => newestFirst(a, b) || compareNames(a.displayName, b.displayName));
  return inFront(states, ({ item }) => item.workspaceId === currentId).map((state) =>
    stateCandidate(state, names.get(state.item.workspaceId) ?? ''),
  );
}

/** Returns the workspaces that match, the current one first, then those used last. */
export function workspaceCandidates(
  memory: Memory,
  currentId: string,
  isWanted: (workspace: Workspace) => boolean,
): PickerItem<Workspace>[] {
  const found = allWorkspaces(memory).filter(({ item }) => isWanted(item));
  return inFront(lastUsedFirst(memory, found), ({ item }) => item.id === currentId).map((item) => ({
    item,
    title: item.displayName,
    createdAt: item.item.id === DEFAULT_WORKSPACE ? '' : item.item.createdAt,
    notes: [item.item.description, item.item.rootFolder]
      .filter((note) => !['', '/'].includes(note.trim()))
      .map(inOneLine),
    isCurrent: item.item.id === currentId,
  }));
}

function stateCandidate(item: Named<State>, workspaceName: string): PickerItem<State> {
  const { name, description, activeTask, createdAt, savedBy } = item.item;
  const isTwin = item.displayName !== visibleText(name);
  const notes = [
    workspaceName,
    ...(isTwin && savedBy ? [savedBy.device, exactDate(createdAt, text.locale)] : []),
    description === undefined || description.trim() === '' ? activeTask : description,
  ];
  return {
    item,
    title: item.displayName,
    notes: notes.map(inOneLine),
    createdAt,
    isCurrent: false,
  };
}

export function inOneLine(note: string): string {
  return clip(
    note
      .slice(0, MAX_NOTE_CHARS * 4)
      .replace(/\s+/gu, ' ')
      .trim(),
    MAX_NOTE_CHARS,
  );
}

/** A match as reported by the app's own search. */
export interface TextMatch {
  readonly score: number;
  matches: [number, number][];
}

/** A matching candidate and ranges in `searchedText`; no ranges for an empty query. */
export interface Match<T> {
  readonly candidate: PickerItem<T>;
  readonly places: readonly [number, number][];
}

/** Returns the title and the texts below it as one text. */
export function searchedText({
  title,
  notes,
}: Pick<PickerItem<unknown>, 'title' | 'notes'>): string {
  return [title, ...notes].join('\n');
}

export interface FindOptions {
  /** Compiles a query into a matcher. */
  readonly prepare: (query: string) => (text: string) => TextMatch | null;
  readonly limit: number;
  readonly scheduler: Scheduler;
  /** When aborted, the result is empty. */
  readonly signal: AbortSignal;
}

/** Returns the matches, those in the title first, then the best; ties keep their order. */
export async function findCandidates<T>(
  candidates: readonly PickerItem<T>[],
  query: string,
  options: FindOptions,
): Promise<Match<T>[]> {
  const { prepare, limit, scheduler, signal } = options;
  if (query.trim() === '')
    return candidates.slice(0, limit).map((candidate) => ({ candidate, places: [] }));
  const fits = prepare(query.trim());
  const found: { candidate: PickerItem<T>; fit: TextMatch; isByName: boolean }[] = [];
  for (const candidate of candidates) {
    if (scheduler.isDue) {
      await scheduler.yieldIfDue();
      if (signal.aborted) return [];
    }
    const byName = fits(candidate.title);
    const fit = byName ?? fits(searchedText(candidate));
    if (fit) found.push({ candidate, fit, isByName: byName !== null });
  }
  found.sort((a, b) => Number(b.isByName) - Number(a.isByName) || b.fit.score - a.fit.score);
  return found.slice(0, limit).map(({ candidate, fit }) => ({ candidate, places: fit.matches }));
}
