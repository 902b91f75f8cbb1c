import { utf8Text } from '../../../platform/bytes/bytes.js';
import { cutToJsonLength } from '../../../toolkit/answer-limit.js';

export const MAX_COMPARED_BYTES = 1024 * 1024;
/** Number of added and removed lines above which a comparison takes too long. */
const MAX_CHANGED_LINES = 5000;
const CONTEXT_LINES = 2;
/** Room for the lines in an answer, in characters as JSON. */
const MAX_CHARACTERS = 24_000;

/** Returns a unified diff without header, or the reason why there is none. */
export async function changedLines(
  before: Uint8Array,
  after: Uint8Array,
  maxEditLength = MAX_CHANGED_LINES,
) {
  if (Math.max(before.length, after.length) > MAX_COMPARED_BYTES)
    return { problem: 'it is larger than 1 MB' };
  const [old, current] = [textOf(before), textOf(after)];
  if (old === undefined || current === undefined) return { problem: 'it is not text' };
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('', '', old, current, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength,
  });
  if (!patch) return { problem: 'too many of its lines changed' };
  const text = patch.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n');
  const lines = cutToJsonLength(text, MAX_CHARACTERS);
  return { lines, isCut: lines.length < text.length };
}

function textOf(bytes: Uint8Array): string | undefined {
  const text = utf8Text(bytes);
  return text?.includes('\0') === true ? undefined : text;
}
