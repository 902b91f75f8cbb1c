import { allWorkspaces, lookupWorkspaceByRef } from '../../../model/lookup.js';
import { confusableKey } from '../../../model/names.js';
import { namesText, type RuleFinding } from './findings.js';
import type { RuleContext } from './rule-context.js';
import { addToList } from '../../../platform/lists.js';

/** Finds names of states, and of workspaces, that are easily confused. */
export async function* findLookAlikes(context: RuleContext): AsyncGenerator<RuleFinding> {
  const { memory, workspace, checkpoint } = context;
  const namesByKey = new Map<string, string[]>();
  for (const { displayName } of await context.states()) {
    addToList(namesByKey, confusableKey(displayName), displayName);
    await checkpoint();
  }
  for (const [first, ...others] of namesByKey.values()) {
    if (first === undefined || others.length === 0) continue;
    yield {
      severity: 'warning',
      where: first,
      what: `The name of this state looks like that of ${namesText(others, 'state')}.`,
      fix: 'Load both to see which one is meant, and archive the one that is not needed.',
    };
  }
  const result = lookupWorkspaceByRef(memory, workspace.id);
  if (!('item' in result)) return;
  const own = result.item;
  const similar = allWorkspaces(memory).filter(
    ({ item, displayName }) =>
      item.id !== own.item.id && confusableKey(displayName) === confusableKey(own.displayName),
  );
  if (similar.length === 0) return;
  const names = similar.map(({ displayName }) => displayName);
  yield {
    severity: 'warning',
    where: own.displayName,
    what: `The name of this workspace looks like that of ${namesText(names, 'workspace')}.`,
    fix: 'Rename one of them.',
  };
}
