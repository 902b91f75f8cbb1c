import { allWorkspaces, type Named } from '../../model/lookup.js';
import { DEFAULT_WORKSPACE, type Memory } from '../../model/memory.js';
import { clip } from '../../model/refusal.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { readLibrary } from '../memory/library.js';

/** One row of a picker. */
export interface Candidate<T> {
  readonly item: Named<T>;
  readonly title: string;
  /** What stands below it, one after the other. */
  readonly notes: readonly string[];
  readonly createdAt: string;
  readonly isCurrent: boolean;
}

const NOTE_LIMIT = 120;

/** The states that are archived, or are not: those of the current workspace first, newest first in each. */
export async function stateCandidates(
  memory: Memory,
  currentId: string,
  isArchived: boolean,
  scheduler: Scheduler,
): Promise<Candidate<State>[]> {
  const candidates: Candidate<State>[] = [];
  const library = await readLibrary(memory, scheduler);
  for (const { workspace, states } of inFront(library, ({ id }) => id === currentId)) {
    if (!workspace || (workspace.item.isArchived && !isArchived && workspace.item.id !== currentId))
      continue;
    for (const item of states)
      if (item.item.isArchived === isArchived)
        candidates.push(stateCandidate(item, workspace.displayName));
  }
  return candidates;
}

/** The workspaces that are archived, or are not and can be: the current one first, then by name. */
export function workspaceCandidates(
  memory: Memory,
  currentId: string,
  isWanted: (workspace: Workspace) => boolean,
): Candidate<Workspace>[] {
  return inFront(allWorkspaces(memory), ({ item }) => item.id === currentId)
    .filter(({ item }) => isWanted(item))
    .map((item) => ({
      item,
      title: item.displayName,
      createdAt: item.item.id === DEFAULT_WORKSPACE ? '' : item.item.createdAt,
      notes: [item.item.description, item.item.rootFolder]
        .filter((note) => !['', '/'].includes(note.trim()))
        .map(inOneLine),
      isCurrent: item.item.id === currentId,
    }));
}

function stateCandidate(item: Named<State>, workspaceName: string): Candidate<State> {
  const { description, activeTask, createdAt } = item.item;
  const notes = [
    workspaceName,
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

function inFront<T>(list: readonly T[], isFirst: (each: T) => boolean): T[] {
  return [...list.filter(isFirst), ...list.filter((each) => !isFirst(each))];
}

function inOneLine(note: string): string {
  return clip(
    note
      .slice(0, NOTE_LIMIT * 4)
      .replace(/\s+/gu, ' ')
      .trim(),
    NOTE_LIMIT,
  );
}

/** Where a text fits a query: as the app's own search tells it. */
export interface Fit {
  readonly score: number;
  matches: [number, number][];
}

/** A candidate that fits, and the places in `searchedText` that do; none where nothing was asked for. */
export interface Match<T> {
  readonly candidate: Candidate<T>;
  readonly places: readonly [number, number][];
}

/** The name and what stands below it, as one text. */
export function searchedText({
  title,
  notes,
}: Pick<Candidate<unknown>, 'title' | 'notes'>): string {
  return [title, ...notes].join('\n');
}

export interface FindOptions {
  /** Makes of a query what tells whether a text fits it. */
  readonly prepare: (query: string) => (text: string) => Fit | null;
  readonly limit: number;
  readonly scheduler: Scheduler;
  /** Aborted when nobody waits for the result any more: then it is empty. */
  readonly signal: AbortSignal;
}

/** The candidates that fit: first those whose name does, of these the best first, of equals in their order. */
export async function findCandidates<T>(
  candidates: readonly Candidate<T>[],
  query: string,
  options: FindOptions,
): Promise<Match<T>[]> {
  const { prepare, limit, scheduler, signal } = options;
  if (query.trim() === '')
    return candidates.slice(0, limit).map((candidate) => ({ candidate, places: [] }));
  const fits = prepare(query.trim());
  const found: { candidate: Candidate<T>; fit: Fit; isByName: boolean }[] = [];
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
