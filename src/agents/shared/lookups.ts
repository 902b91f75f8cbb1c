import { lookupState, lookupWorkspace, stateHeads, type Named } from '../../model/lookup.js';
import { lookupStateEverywhere, type LocatedState } from '../../model/lookup-everywhere.js';
import type { Memory } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';
import { candidatesText, workspaceFailures } from '../../toolkit/context.js';
import type { Fail, Failures, ToolCall } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { localDay } from '../../model/text/local-minute.js';

export const stateFailures = {
  stateNotFound: {
    error: 'State "{name}" not found.',
    advice: 'Use listStates to see available states.{hint}',
  },
  stateAmbiguous: {
    error: 'State "{name}" is ambiguous: {names}.',
    advice: 'Use one of these names.',
  },
} as const satisfies Failures;

/** Further failures of looking up a state in every workspace. */
export const otherWorkspaceFailures = {
  stateElsewhere: {
    error: 'State "{name}" is in several other workspaces: {places}.',
    advice: 'Pass one of them as workspaceId in the context.',
  },
} as const satisfies Failures;

const MAX_PLACES_LISTED = 10;

/** Fails the call if there is none or more than one. */
export function requireWorkspace(
  memory: Memory,
  name: string,
  fail: Fail<typeof workspaceFailures>,
): Named<Workspace> {
  const found = lookupWorkspace(memory, name);
  if ('item' in found) return found.item;
  if ('several' in found)
    return fail('workspaceAmbiguous', { name, names: candidatesText(found.several) });
  return fail('workspaceNotFound', { name, hint: found.hint });
}

/** Fails the call if there is none or more than one. */
export function requireState(
  memory: Memory,
  workspaceId: string,
  name: string,
  fail: Fail<typeof stateFailures>,
): Named<State> {
  const found = lookupState(memory, workspaceId, name);
  if ('item' in found) return found.item;
  if ('several' in found)
    return fail('stateAmbiguous', { name, names: candidatesText(found.several) });
  return fail('stateNotFound', { name, hint: found.hint });
}

/**
 * Returns the state with this name here or, if it is missing, in the only other workspace that has
 * it, or else what `findSimilar` returns. Fails the call if there is none or more than one.
 */
export function requireStateAnywhere(
  memory: Memory,
  workspaceId: string,
  name: string,
  fail: Fail<typeof stateFailures & typeof otherWorkspaceFailures>,
  findSimilar: () => LocatedState | undefined = () => undefined,
): LocatedState {
  const result = lookupStateEverywhere(memory, workspaceId, name);
  if ('found' in result) return result.found;
  if ('hint' in result) return findSimilar() ?? fail('stateNotFound', { name, hint: result.hint });
  const places = result.several;
  if (places.every(({ workspace }) => workspace.item.id === workspaceId))
    return fail('stateAmbiguous', {
      name,
      names: candidatesText(
        places.map(({ state }) => ({ name: state.displayName, createdAt: state.item.createdAt })),
      ),
    });
  const listed = places
    .slice(0, MAX_PLACES_LISTED)
    .map(
      ({ workspace, state }) =>
        `"${state.displayName}" in "${workspace.displayName}" (created on ${localDay(state.item.createdAt)})`,
    );
  return fail('stateElsewhere', { name, places: listed.join(', ') });
}

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
