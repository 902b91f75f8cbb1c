import { allWorkspaces, eachState, newestFirst, type Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import { allRecords } from '../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';
import { missingWorkspaces } from '../../transfer/export-notes.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { stateText } from './filter.js';

/** A workspace with its states. */
export interface Section {
  readonly id: string;
  /** Undefined if the workspace has not arrived or is lost; its states are shown anyway. */
  readonly workspace: Named<Workspace> | undefined;
  /** Newest first, archived ones included. */
  readonly states: readonly Named<State>[];
  /** Newest first, archived ones included. */
  readonly records: readonly ProjectRecord[];
}

/** The memory as lists by workspace; missing workspaces come last. */
export type Library = readonly Section[];

/** Returns the memory as lists. Parses the states not parsed before, and yields in between. */
export async function readLibrary(memory: Memory, scheduler: Scheduler): Promise<Library> {
  const workspaces = allWorkspaces(memory);
  const missing = missingWorkspaces(memory, new Set(workspaces.map(({ item }) => item.id)));
  const sections: Section[] = [];
  for (const { id, workspace } of [
    ...workspaces.map((workspace) => ({ id: workspace.item.id, workspace })),
    ...missing.map(({ id }) => ({ id, workspace: undefined })),
  ]) {
    const states = await readStates(memory, id, scheduler);
    const records = allRecords(memory, id);
    if (workspace || states.length > 0 || records.length > 0)
      sections.push({ id, workspace, states, records });
  }
  return sections;
}

/** Returns a workspace's states, newest first, archived ones included. */
export async function readStates(
  memory: Memory,
  workspaceId: string,
  scheduler: Scheduler,
): Promise<Named<State>[]> {
  const states: Named<State>[] = [];
  for (const shown of eachState(memory, workspaceId)) {
    if (scheduler.isDue) await scheduler.yieldIfDue();
    stateText(shown); // caches it
    states.push(shown);
  }
  return states.sort(newestFirst);
}

export function stateIn(section: Section, id: string): Named<State> | undefined {
  return section.states.find(({ item }) => item.id === id);
}
