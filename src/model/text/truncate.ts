let graphemes: Intl.Segmenter | undefined;

/** A longer grapheme cluster, such as a letter with a hundred accents, may be split. */
const MAX_GRAPHEME_LENGTH = 64;

/** Returns true if a cut at this index would split a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

/** Like `slice`, but drops half of a surrogate pair at the end. */
export function sliceText(text: string, from: number, to: number): string {
  return text.slice(from, splitsPair(text, to) ? to - 1 : to);
}

/** Cuts at an index, without an incomplete grapheme cluster or a joiner that needs what follows. */
export function cutAt(text: string, at: number): string {
  let end = boundaryBefore(text, splitsPair(text, at) ? at - 1 : at);
  while (end > 0 && /[\u200c\u200d]/.test(text.slice(end - 1, end + 1)))
    end = boundaryBefore(text, end - 1);
  return text.slice(0, end);
}

/** Cuts to at most `limit` code points. Does not split a grapheme cluster. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let at = 0;
  for (let count = 0; count < limit && at < text.length; count++)
    at += splitsPair(text, at + 1) ? 2 : 1;
  return text.slice(0, boundaryBefore(text, at));
}

/** Returns the text, or its beginning and `…`, in at most `limit` code points. */
export function truncate(text: string, limit: number): string {
  return cutText(text, limit) === text ? text : `${cutText(text, limit - 1).trimEnd()}…`;
}

/** Numbers of UTF-16 units that are kept of a long text. */
export interface MiddleLimit {
  readonly start: number;
  readonly end: number;
}

/** Returns the text if it is within the limit, or else its beginning, ` … ` and its end. */
export function shortenMiddle(text: string, { start, end }: MiddleLimit): string {
  if (text.length <= start + end) return text;
  const from = text.length - end;
  const rest = text.slice(splitsPair(text, from) ? from + 1 : from).trimStart();
  return [cutAt(text, start).trimEnd(), '…', ...(end > 0 ? [rest] : [])].join(' ').trimStart();
}

/** Like `cutText`, with a limit in bytes of UTF-8. */
export function cutToBytes(text: string, limit: number): string {
  const target = new Uint8Array(Math.max(0, limit));
  const { read } = new TextEncoder().encodeInto(text, target);
  return text.slice(0, boundaryBefore(text, read));
}

/** Like `truncate`, with a limit in bytes of UTF-8. */
export function truncateToBytes(text: string, limit: number): string {
  return cutToBytes(text, limit) === text ? text : `${cutToBytes(text, limit - 3).trimEnd()}…`;
}

/** Returns the last grapheme boundary up to `at`, which is between two code points. */
function boundaryBefore(text: string, at: number): number {
  if (at <= 0 || at >= text.length || /^[ -~]{2}/.test(text.slice(at - 1, at + 1))) return at;
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const from = Math.max(0, at - MAX_GRAPHEME_LENGTH);
  const near = graphemes.segment(text.slice(from, at + MAX_GRAPHEME_LENGTH));
  return from + (near.containing(at - from)?.index || at - from);
}
