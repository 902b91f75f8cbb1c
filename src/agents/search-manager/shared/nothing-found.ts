import type { UnreadNote } from '../../../indexing/notes/note-index.js';
import { clip } from '../../../model/refusal.js';
import { counted } from '../../../model/text/counted.js';

const MAX_LISTED = 5;

/**
 * Says why a search found nothing, or only by its operators as words; undefined for any other.
 * @param unmatched Operators that matched nothing and were then read as words.
 * @param within Phrases that complete "Nothing matches", such as `in "Garden"`.
 */
export function searchNotice(
  hits: number,
  unmatched: readonly string[],
  within: readonly string[],
): string | undefined {
  const listed = unmatched.slice(0, MAX_LISTED).join(' ');
  if (hits > 0)
    return unmatched.length === 0
      ? undefined
      : `Nothing matches ${listed} as an operator, so the whole query was read as words.`;
  const tried =
    unmatched.length === 0 ? '' : `, neither with ${listed} as an operator nor as words`;
  return `Nothing matches${within.map((each) => ` ${each}`).join('')}${tried}.`;
}

const MAX_UNREAD_NAMED = 3;

/** Names the notes whose text a search does not cover; undefined if there are none. */
export function unreadNotice(notes: readonly UnreadNote[]): string | undefined {
  if (notes.length === 0) return undefined;
  const named = notes
    .slice(0, MAX_UNREAD_NAMED)
    .map(({ path, reason }) => `"${clip(path)}" (${clip(reason.replace(/\.$/, ''))})`);
  const others = notes.length - named.length;
  const all = others === 0 ? named : [...named, counted(others, 'other note')];
  return `Not searched for words: ${all.join(', ')}.`;
}
