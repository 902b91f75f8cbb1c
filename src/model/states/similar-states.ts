import { eachStateHead, newestFirst, type Named } from '../lookup.js';
import type { Memory } from '../memory.js';
import { nameKey } from '../names.js';
import type { State } from '../state.js';

/**
 * Returns the unarchived states whose names have all words of a text in any order, newest first. If
 * none has, ignores words of up to three letters, such as articles.
 */
export function statesWithWords(memory: Memory, workspaceId: string, text: string): Named<State>[] {
  const words = wordsOf(text);
  const found = statesWithAll(memory, workspaceId, words);
  const long = words.filter((word) => word.length > 3);
  return found.length > 0 ? found : statesWithAll(memory, workspaceId, long);
}

function statesWithAll(
  memory: Memory,
  workspaceId: string,
  words: readonly string[],
): Named<State>[] {
  if (words.length === 0) return [];
  const found: Named<State>[] = [];
  for (const head of eachStateHead(memory, workspaceId)) {
    if (head.isArchived) continue;
    const own = new Set(wordsOf(head.displayName));
    const state = words.every((word) => own.has(word)) ? head.read() : undefined;
    if (state) found.push(state);
  }
  return found.sort(newestFirst);
}

/** Returns true if at least half of the words of the shorter text are in the other one. */
export function sharesWords(a: string, b: string): boolean {
  const [short, long] = [wordsOf(a), wordsOf(b)].sort((x, y) => x.length - y.length);
  const shared = short!.filter((word) => long!.includes(word));
  return shared.length >= short!.length / 2;
}

function wordsOf(text: string): string[] {
  return nameKey(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
