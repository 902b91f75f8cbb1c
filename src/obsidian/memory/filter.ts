import type { LogEvent } from '../../model/event.js';
import type { Named } from '../../model/lookup.js';
import type { Entity } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';

/** A text as it is compared while somebody types: compatibility forms and letter case aside. */
function foldText(text: string): string {
  return (isAscii(text) ? text : text.normalize('NFKC')).toLowerCase();
}

/** What a query asks for: each of these must be found, as part of a word or whole. */
export function queryParts(query: string): string[] {
  return foldText(query).split(/\s+/u).filter(Boolean);
}

export function hasAll(text: string, parts: readonly string[]): boolean {
  return parts.every((part) => text.includes(part));
}

/** A state never changes, and neither does what is searched in it. */
const stateTexts = new WeakMap<LogEvent, string>();

/** What the filter looks at in a state: name, tags, task, context and description, folded. */
export function stateText({ item, entity }: Pick<Named<State>, 'item' | 'entity'>): string {
  const held = entity.created && stateTexts.get(entity.created);
  if (held !== undefined) return held;
  const { name, description = '', activeTask, conversationContext, tags = [] } = item;
  const text = foldText(
    [name, tags.join(' '), activeTask, description, conversationContext].join('\n'),
  );
  if (entity.created) stateTexts.set(entity.created, text);
  return text;
}

/** Whether `stateText` is at hand for what this entity was created with. */
export function hasStateText({ created }: Pick<Entity, 'created'>): boolean {
  return created !== undefined && stateTexts.has(created);
}

export function workspaceText({ item, displayName }: Named<Workspace>): string {
  return foldText([displayName, item.description, item.purpose, item.rootFolder].join('\n'));
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
