import { allWorkspaces } from '../../../../model/lookup.js';
import type { Memory } from '../../../../model/memory.js';
import type { Scheduler } from '../../../../platform/scheduler.js';
import { lastUsedFirst } from '../../../library/last-used.js';
import { stateCandidates } from '../../../pickers/candidates.js';

/** Tools whose field `name` names an existing state or workspace. */
const NAMED_BY: Readonly<Record<string, 'state' | 'workspace'>> = {
  loadState: 'state',
  archiveState: 'state',
  loadWorkspace: 'workspace',
  updateWorkspace: 'workspace',
  archiveWorkspace: 'workspace',
};

export interface NamesRequest {
  readonly memory: Memory;
  readonly tool: string;
  readonly field: string;
  readonly workspaceId: string;
  readonly scheduler: Scheduler;
}

/** Returns the names that a field accepts, most likely first; undefined if it takes any text. */
export async function namesFor(request: NamesRequest): Promise<string[] | undefined> {
  const { memory, tool, field, workspaceId, scheduler } = request;
  const kind =
    field === 'workspaceId' ? 'workspace' : field === 'name' ? NAMED_BY[tool] : undefined;
  if (kind === undefined) return undefined;
  if (kind === 'workspace') {
    const active = allWorkspaces(memory).filter(({ item }) => !item.isArchived);
    return lastUsedFirst(memory, active).map(({ displayName }) => displayName);
  }
  const states = await stateCandidates(memory, workspaceId, false, scheduler);
  return states
    .filter(({ item }) => item.item.workspaceId === workspaceId)
    .map(({ title }) => title);
}
