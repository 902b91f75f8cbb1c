import { lookupState, lookupWorkspace, type Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';
import { namesText, workspaceFailures } from '../../toolkit/context.js';
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

/** The workspace of that name; else the call fails. */
export function workspaceNamed(
  memory: Memory,
  name: string,
  fail: Fail<keyof typeof workspaceFailures>,
): Named<Workspace> {
  const found = lookupWorkspace(memory, name);
  if ('item' in found) return found.item;
  if ('several' in found)
    return fail('workspaceAmbiguous', { name, names: namesText(found.several) });
  return fail('workspaceNotFound', { name, hint: found.hint });
}

/** The state of that name in a workspace; else the call fails. */
export function stateNamed(
  memory: Memory,
  workspaceId: string,
  name: string,
  fail: Fail<keyof typeof stateFailures>,
): Named<State> {
  const found = lookupState(memory, workspaceId, name);
  if ('item' in found) return found.item;
  if ('several' in found) return fail('stateAmbiguous', { name, names: namesText(found.several) });
  return fail('stateNotFound', { name, hint: found.hint });
}
