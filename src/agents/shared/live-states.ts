import { stateHeads, type Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { ToolCall } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';

/** Yields the states of a workspace that are not archived, newest first. */
export async function* liveStates(
  { memory, services }: Pick<ToolCall<Services>, 'memory' | 'services'>,
  workspaceId: string,
): AsyncGenerator<Named<State>> {
  const { scheduler } = services.search.access;
  for (const head of stateHeads(memory, workspaceId)) {
    if (scheduler.isDue) await scheduler.yieldIfDue();
    const state = head.isArchived ? undefined : head.read();
    if (state) yield state;
  }
}
