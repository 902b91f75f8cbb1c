import { lookupState, lookupWorkspace, type Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';
import { candidatesText, workspaceFailures } from '../../toolkit/context.js';
import type { FailureText } from '../../toolkit/define-tool.js';

export const stateFailures = {
  stateNotFound: {
    error: 'State "{name}" not found.',
    advice: 'Use listStates to see available states.{hint}',
  },
  stateAmbiguous: {
    error: 'State "{name}" is ambiguous: {names}.',
    advice: 'Use one of these names.',
  },
} as const satisfies Record<string, FailureText>;

type Fail<Failure> = (failure: Failure, values: Record<string, string>) => never;

/** Returns the workspace with this name. Fails the call if there is none or more than one. */
export function requireWorkspace(
  memory: Memory,
  name: string,
  fail: Fail<keyof typeof workspaceFailures>,
): Named<Workspace> {
  const found = lookupWorkspace(memory, name);
  if ('item' in found) return found.item;
  if ('several' in found)
    return fail('workspaceAmbiguous', { name, names: candidatesText(found.several) });
  return fail('workspaceNotFound', { name, hint: found.hint });
}

/** Returns the state with this name in a workspace. Fails the call if there is none or more than one. */
export function requireState(
  memory: Memory,
  workspaceId: string,
  name: string,
  fail: Fail<keyof typeof stateFailures>,
): Named<State> {
  const found = lookupState(memory, workspaceId, name);
  if ('item' in found) return found.item;
  if ('several' in found)
    return fail('stateAmbiguous', { name, names: candidatesText(found.several) });
  return fail('stateNotFound', { name, hint: found.hint });
}
