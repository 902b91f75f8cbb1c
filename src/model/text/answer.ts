const HEADING = /^(?:#{1,6}\s|\*\*[^*]+\*\*:?$|[-=*_]{3,}$)/;
const ANNOUNCEMENT = /[:：]\**$/;
/** A mark that ends a question, but not one in an address. */
const QUESTION = /[?？؟՞⁇⸮](?=["'”’»)\]*_`]*(?:\s|$))|？/;
const ENDS_IN_QUESTION = new RegExp(`(?:${QUESTION.source})[^\\p{L}\\p{N}]*$`, 'u');
const LIST_ENTRY = /^\s*(?:[-*•]|\(?[\da-zA-Z][.)])\s/;

/** Returns an answer without the headings and announcements with which it begins. */
export function spokenPart(answer: string): string {
  const lines = answer.trim().split('\n');
  const first = lines.findIndex((line) => {
    const said = line.trim();
    return said !== '' && !HEADING.test(said) && !ANNOUNCEMENT.test(said);
  });
  return first < 0 ? '' : lines.slice(first).join('\n');
}

/** Returns true if an answer ends in a question, with or without a list of choices after it. */
export function asks(answer: string): boolean {
  const lines = answer.trim().split('\n');
  const last = lines.findLastIndex((line) => line.trim() !== '' && !LIST_ENTRY.test(line));
  return QUESTION.test(lines[last] ?? '') || ENDS_IN_QUESTION.test(lines.at(-1) ?? '');
}
