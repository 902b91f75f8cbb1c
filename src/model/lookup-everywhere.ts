import { allWorkspaces, stateNames, statesNamed, statesWithPrefix, type Named } from './lookup.js';
import type { Memory } from './memory.js';
import { didYouMean } from './names.js';
import type { State } from './state.js';
import type { Workspace } from './workspace.js';

export interface LocatedState {
  readonly workspace: Named<Workspace>;
  readonly state: Named<State>;
}

/** One match, several, or none (`hint` suggests similar names). */
export type LocatedResult =
  | { readonly found: LocatedState }
  | { readonly several: readonly LocatedState[] }
  | { readonly hint: string };

/**
 * Looks up a state by name in a workspace, else in all others. Archived states, and states of other
 * archived workspaces, are considered only if there is no other.
 */
export function lookupStateEverywhere(
  memory: Memory,
  workspaceId: string,
  name: string,
): LocatedResult {
  return locate(memory, workspaceId, name, statesNamed);
}

/** Looks up the states whose names start with a text, as `lookupStateEverywhere` does. */
export function lookupStatePrefixEverywhere(
  memory: Memory,
  workspaceId: string | undefined,
  prefix: string,
): LocatedResult {
  return locate(memory, workspaceId, prefix, statesWithPrefix);
}

/** Returns the best matches: live ones, if any, and of those the ones in the workspace. */
function locate(
  memory: Memory,
  workspaceId: string | undefined,
  name: string,
  matchesIn: typeof statesNamed,
): LocatedResult {
  const here: LocatedState[] = [];
  const elsewhere: LocatedState[] = [];
  for (const workspace of allWorkspaces(memory)) {
    const isHere = workspace.item.id === workspaceId;
    for (const state of matchesIn(memory, workspace.item.id, name))
      (isHere ? here : elsewhere).push({ workspace, state });
  }
  const isLive = ({ state }: LocatedState) => !state.item.isArchived;
  const isLiveElsewhere = ({ state, workspace }: LocatedState) =>
    !state.item.isArchived && !workspace.item.isArchived;
  const choices = [here.filter(isLive), elsewhere.filter(isLiveElsewhere), here, elsewhere];
  const several = choices.find((matches) => matches.length > 0);
  if (!several) return { hint: suggest(memory, workspaceId, name) };
  const [found] = several;
  return found && several.length === 1 ? { found } : { several };
}

/** Suggests similar names of the workspace, or else of the others. */
function suggest(memory: Memory, workspaceId: string | undefined, name: string): string {
  const here = workspaceId === undefined ? '' : didYouMean(name, stateNames(memory, workspaceId));
  return here === '' ? didYouMean(name, allStateNames(memory)) : here;
}

function* allStateNames(memory: Memory): Generator<string> {
  for (const { item } of allWorkspaces(memory))
    if (!item.isArchived) yield* stateNames(memory, item.id);
}
