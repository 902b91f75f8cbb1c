import type { LogEvent } from '../../model/event.js';
import type { Named } from '../../model/lookup.js';
import type { ProjectRecord } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';

/** Folds compatibility forms and case, for comparison while the user types. */
function foldText(text: string): string {
  const isAscii = /^[\0-\x7f]*$/.test(text);
  return (isAscii ? text : text.normalize('NFKC')).toLowerCase();
}

/** Splits a query into parts that must all occur, as words or parts of words. */
export function queryParts(query: string): string[] {
  return foldText(query).split(/\s+/u).filter(Boolean);
}

export function hasAll(text: string, parts: readonly string[]): boolean {
  return parts.every((part) => text.includes(part));
}

/** Folded texts, cached because a state never changes, unless its files move. */
const stateTexts = new WeakMap<LogEvent, string>();

/** Returns the folded text that the filter searches: every field of the state. */
export function stateText({ item, entity }: Pick<Named<State>, 'item' | 'entity'>): string {
  const isMoved = item.savedFiles !== undefined;
  const held = entity.created && !isMoved ? stateTexts.get(entity.created) : undefined;
  if (held !== undefined) return held;
  const { name, description = '', activeTask, conversationContext } = item;
  const { nextSteps, activeFiles, tags = [], decisions = [], questions = [] } = item;
  const lists = [...tags, ...nextSteps, ...decisions, ...questions, ...activeFiles];
  const text = foldText([name, activeTask, description, conversationContext, ...lists].join('\n'));
  if (entity.created && !isMoved) stateTexts.set(entity.created, text);
  return text;
}

/** Returns the folded text that the filter searches: every field of the record. */
export function recordText({ title, body = '', files }: ProjectRecord): string {
  return foldText([title, body, ...Object.keys(files)].join('\n'));
}

export function workspaceText({ item, displayName }: Named<Workspace>): string {
  return foldText([displayName, item.description, item.purpose, item.rootFolder].join('\n'));
}
