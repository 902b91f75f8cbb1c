import {
  allWorkspaces,
  lookupWorkspaceByRef,
  newestFirst,
  stateHeads,
  type Named,
} from '../model/lookup.js';
import {
  lookupStateEverywhere,
  lookupStatePrefixEverywhere,
  type LocatedResult,
  type LocatedState,
} from '../model/lookup-everywhere.js';
import type { Memory } from '../model/memory.js';
import { nameKey } from '../model/names.js';
import { clip, Refusal } from '../model/refusal.js';
import type { Workspace } from '../model/workspace.js';

const MAX_LISTED = 10;

/** The arguments of the prompt `resume`, as the client sent them. */
export interface ResumeArguments {
  readonly workspace?: string | undefined;
  readonly state?: string | undefined;
}

/**
 * Finds the state to resume. Clients split what a user types at spaces, and the first word becomes
 * the workspace, so the arguments are tried in turn as a workspace and a state, as the start of a
 * state's name, and as the start of a workspace's name. Without arguments, returns the newest state
 * of the workspace or, if it has none, of the vault. Throws a `Refusal` that lists the matches if
 * there are several, and suggests names if there are none.
 */
export function findStateToResume(
  memory: Memory,
  given: ResumeArguments,
  currentWorkspaceId: string | undefined,
): LocatedState {
  const workspace = unquote(given.workspace);
  const state = unquote(given.state);
  const typed = unquote(`${given.workspace ?? ''} ${given.state ?? ''}`);
  if (typed === '') return newestState(memory, currentWorkspaceId);
  if (state === '') return byName(memory, workspace, currentWorkspaceId);
  if (workspace === '') return requireOne(stateLike(memory, state, currentWorkspaceId), state);
  const named = workspacesLike(memory, workspace);
  const inNamed = named.length === 1 && named[0] ? stateIn(memory, named[0], state) : undefined;
  const whole = stateLike(memory, typed, currentWorkspaceId);
  if (inNamed && !('hint' in inNamed)) return requireOne(inNamed, state);
  if (!('hint' in whole)) return requireOne(whole, typed);
  const [longer] = workspacesLike(memory, typed);
  if (longer) return byName(memory, typed, currentWorkspaceId);
  return requireOne(stateLike(memory, state, named[0]?.item.id ?? currentWorkspaceId), state);
}

/**
 * Returns the newest state of the workspace, or the state, with this name or the only one whose
 * name starts with it.
 */
function byName(
  memory: Memory,
  name: string,
  currentWorkspaceId: string | undefined,
): LocatedState {
  const exact = lookupWorkspaceByRef(memory, name);
  if ('item' in exact) return newestIn(memory, exact.item);
  const state = stateLike(memory, name, currentWorkspaceId);
  const workspaces = workspacesLike(memory, name);
  const [workspace] = workspaces;
  if ('hint' in state && workspace && workspaces.length === 1) return newestIn(memory, workspace);
  if ('hint' in state && workspace)
    throw new Refusal(
      `"${clip(name)}" matches several workspaces: ${workspaces.map(({ displayName }) => `"${clip(displayName)}"`).join(', ')}. Type more of the name.`,
    );
  return requireOne(state, name);
}

function stateLike(memory: Memory, name: string, workspaceId: string | undefined): LocatedResult {
  const exact = lookupStateEverywhere(memory, workspaceId ?? '', name);
  return 'hint' in exact ? lookupStatePrefixEverywhere(memory, workspaceId, name) : exact;
}

/** Looks up a state in one workspace only. */
function stateIn(memory: Memory, { item }: Named<Workspace>, name: string): LocatedResult {
  const found = stateLike(memory, name, item.id);
  const matches = placedIn(found);
  const here = matches.filter(({ workspace }) => workspace.item.id === item.id);
  const [first] = here;
  if (!first) return { hint: 'hint' in found ? found.hint : '' };
  return here.length === 1 ? { found: first } : { several: here };
}

function placedIn(result: LocatedResult): readonly LocatedState[] {
  if ('found' in result) return [result.found];
  return 'several' in result ? result.several : [];
}

function requireOne(result: LocatedResult, name: string): LocatedState {
  if ('found' in result) return result.found;
  if ('hint' in result) throw new Refusal(`State "${clip(name)}" not found.${result.hint}`);
  const listed = result.several
    .slice(0, MAX_LISTED)
    .map(
      ({ state, workspace }) => `"${clip(state.displayName)}" in "${clip(workspace.displayName)}"`,
    );
  const rest = result.several.length - listed.length;
  throw new Refusal(
    `"${clip(name)}" matches several states: ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}. Type more of the name, or name the workspace, too.`,
  );
}

/**
 * Returns the workspaces with this name or, if there is none, those whose names start with it;
 * archived ones only if no other does.
 */
function workspacesLike(memory: Memory, name: string): Named<Workspace>[] {
  const exact = lookupWorkspaceByRef(memory, name);
  if ('item' in exact) return [exact.item];
  const start = nameKey(name);
  const matches = allWorkspaces(memory).filter(({ displayName }) =>
    nameKey(displayName).startsWith(start),
  );
  const live = matches.filter(({ item }) => !item.isArchived);
  return live.length > 0 ? live : matches;
}

/** Returns the newest state of a workspace. Throws a `Refusal` if there is none. */
function newestIn(memory: Memory, workspace: Named<Workspace>): LocatedState {
  const state = newestLive(memory, workspace);
  if (!state)
    throw new Refusal(
      `No state has been saved in ${workspace.displayName} yet. Save one first (createState), or name another workspace.`,
    );
  return state;
}

function newestState(memory: Memory, currentWorkspaceId: string | undefined): LocatedState {
  const live = allWorkspaces(memory).filter(({ item }) => !item.isArchived);
  const current = allWorkspaces(memory).find(({ item }) => item.id === currentWorkspaceId);
  const own = current && newestLive(memory, current);
  if (own) return own;
  const newest = live
    .flatMap((workspace) => newestLive(memory, workspace) ?? [])
    .sort((a, b) => newestFirst(a.state, b.state));
  if (!newest[0])
    throw new Refusal('No state has been saved in this vault yet. Save one first (createState).');
  return newest[0];
}

function newestLive(memory: Memory, workspace: Named<Workspace>): LocatedState | undefined {
  for (const head of stateHeads(memory, workspace.item.id)) {
    const state = head.isArchived ? undefined : head.read();
    if (state) return { workspace, state };
  }
  return undefined;
}

/** Removes the quotes around a name, of which a client may have cut off one. */
function unquote(text = ''): string {
  return text
    .trim()
    .replace(/^["'“”‘’«»„]+|["'“”‘’«»„]+$/gu, '')
    .trim();
}
