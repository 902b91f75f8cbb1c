import { structuredPatch } from 'diff';
import type { FileDiff } from '../model/message.js';
import { cutText } from '../model/text/truncate.js';

/** Longer texts are not compared. */
const MAX_COMPARED_CHARS = 1024 * 1024;
/** With more lines added and removed, a comparison takes too long. */
const MAX_CHANGED_LINES = 1000;
const MAX_SHOWN_LINES = 200;
const MAX_LINE_CHARS = 500;
const CONTEXT_LINES = 2;

/** Without lines, the change is too large to be shown. */
export function diffOf(path: string, before: string, after: string): FileDiff {
  if (before.length + after.length > MAX_COMPARED_CHARS) return { path, lines: [], isCut: true };
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MAX_CHANGED_LINES,
  });
  if (!patch) return { path, lines: [], isCut: true };
  const all = patch.hunks.flatMap(({ lines }, at) => (at === 0 ? lines : [' …', ...lines]));
  const lines = all.slice(0, MAX_SHOWN_LINES).map((line) => cutText(line, MAX_LINE_CHARS));
  return { path, lines, isCut: lines.length < all.length };
}
