import type { WorkspaceFields } from '../../model/workspace.js';
import type { ForeignMemory, ForeignRecord, ForeignState } from './foreign-memory.js';

/** Returns a memory whose states are all in one workspace, which is as old as the first of them. */
export function foreignMemoryOf(
  states: readonly ForeignState[],
  records: readonly ForeignRecord[],
  fields: WorkspaceFields,
): ForeignMemory {
  const earliest = states.reduce((at, state) => Math.min(at, state.at ?? Infinity), Infinity);
  const at = Number.isFinite(earliest) ? earliest : undefined;
  const workspaces = states.slice(0, 1).map(({ workspace: key, location }) => ({
    key,
    at,
    location,
    fields,
    changes: [],
    isGuessed: true,
  }));
  return { workspaces, states, records, traces: [], conversations: [], messages: [] };
}

/** Task of states from programs without tasks. It is part of their ids, so it must not change. */
export const NO_TASK = 'No task: knowledge brought in from elsewhere';

/** Formats lists under their titles; omits empty ones. */
export function titledLists(lists: readonly (readonly [string, readonly string[]])[]): string {
  return lists
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([title, lines]) =>
        `${title}:\n${lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`).join('\n')}`,
    )
    .join('\n\n');
}
