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
import { trimEndOf } from '../model/text/trim-end.js';
import type { Workspace } from '../model/workspace.js';

const MAX_LISTED = 10;

/**
 * Finds the state to resume. Clients split what a user types at spaces, so the words are tried as a
 * workspace and a state, with every split, then as the start of a state's or a workspace's name.
 * Without arguments, returns the newest state of the current workspace or, without one, of the
 * vault. Throws a `Refusal` that lists several matches, or suggests names if there are none.
 */
export function findStateToResume(
  memory: Memory,
  given: { readonly [name in keyof Split]?: string | undefined },
  currentWorkspaceId: string | undefined,
): LocatedState {
  const workspace = unquote(given.workspace);
  const state = unquote(given.state);
  const typed = unquote(`${given.workspace ?? ''} ${given.state ?? ''}`);
  if (typed === '') return newestState(memory, currentWorkspaceId);
  const own = { workspace, state };
  const splits = workspace === '' || state === '' ? splitsOf(typed) : [own, ...splitsOf(typed)];
  const bySplit = ({ workspace: name, state: rest }: Split): LocatedResult | undefined => {
    const [only, ...others] = workspacesLike(memory, name);
    const found = only && others.length === 0 ? stateIn(memory, only, rest) : undefined;
    return found && 'hint' in found ? undefined : found;
  };
  const asGiven = splits.includes(own) ? bySplit(own) : undefined;
  if (asGiven) return requireOne(asGiven, state);
  const exact = workspace === '' ? undefined : lookupWorkspaceByRef(memory, typed);
  if (exact && 'item' in exact) return newestIn(memory, exact.item);
  const whole = stateLike(memory, typed, currentWorkspaceId);
  if (!('hint' in whole)) return requireOne(whole, typed);
  for (const split of splits) {
    const found = bySplit(split);
    if (found) return requireOne(found, split.state);
  }
  if (workspace === '') return requireOne(whole, typed);
  const workspaces = workspacesLike(memory, typed);
  const [only, ...others] = workspaces;
  if (only && others.length === 0) return newestIn(memory, only);
  if (only)
    throw new Refusal(
      `"${clip(typed)}" matches several workspaces: ${workspaces.map(({ displayName }) => `"${clip(displayName)}"`).join(', ')}. Type more of the name.`,
    );
  refuseForNamed(memory, splits);
  const name = state === '' ? typed : state;
  return requireOne(stateLike(memory, name, currentWorkspaceId), name);
}

/** Typed words, taken as the names of a workspace and a state. */
interface Split {
  readonly workspace: string;
  readonly state: string;
}

/** Returns the splits of a text at its spaces, the longest name of a workspace first. */
function splitsOf(typed: string): Split[] {
  const words = typed.split(/\s+/);
  return words.slice(1).map((_, index) => {
    const at = words.length - 1 - index;
    const workspace = unquote(words.slice(0, at).join(' '));
    return { workspace, state: unquote(words.slice(at).join(' ')) };
  });
}

/** Throws a `Refusal` if a split names a workspace in full, in which no state fits the rest. */
function refuseForNamed(memory: Memory, splits: readonly Split[]): void {
  for (const { workspace, state } of splits) {
    const named = lookupWorkspaceByRef(memory, workspace);
    if (!('item' in named)) continue;
    const { displayName, item } = named.item;
    const elsewhere = stateLike(memory, state, item.id);
    const hint =
      'found' in elsewhere
        ? ` It is in "${clip(elsewhere.found.workspace.displayName)}".`
        : 'hint' in elsewhere && elsewhere.hint;
    throw new Refusal(
      `No state of "${clip(displayName)}" begins with "${clip(state)}".${hint || ' Name one of its states, or leave the rest out for the newest.'}`,
    );
  }
}

function stateLike(memory: Memory, name: string, workspaceId: string | undefined): LocatedResult {
  const exact = lookupStateEverywhere(memory, workspaceId ?? '', name);
  return 'hint' in exact ? lookupStatePrefixEverywhere(memory, workspaceId, name) : exact;
}

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

/** Returns workspaces with this name, or else those that start with it; live ones if any. */
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

/** Throws a `Refusal` if there is none. */
function newestIn(memory: Memory, workspace: Named<Workspace>): LocatedState {
  const state = newestLive(memory, workspace);
  if (!state)
    throw new Refusal(
      `No state has been saved in ${workspace.displayName} yet. Save one first, or name another workspace.`,
    );
  return state;
}

function newestState(memory: Memory, currentWorkspaceId: string | undefined): LocatedState {
  const current = allWorkspaces(memory).find(({ item }) => item.id === currentWorkspaceId);
  if (current) return newestIn(memory, current);
  const [newest] = allWorkspaces(memory)
    .filter(({ item }) => !item.isArchived)
    .flatMap((workspace) => newestLive(memory, workspace) ?? [])
    .sort((a, b) => newestFirst(a.state, b.state));
  if (!newest) throw new Refusal('No state has been saved in this vault yet. Save one first.');
  return newest;
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
  return trimEndOf(text.trim().replace(/^["'“”‘’«»„]+/u, ''), /["'“”‘’«»„]/u).trim();
}
