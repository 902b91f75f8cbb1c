import { sentencesOf } from '../../search/index.js';

/** In UTF-16 units. A longer sentence is a passage of its own. */
const MAX_LENGTH = 320;

/** Returns the paragraphs of a text, in one line each; of a long one, groups of its sentences. */
export function paragraphPassages(text: string): string[] {
  return text
    .split(/\n+/u)
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .flatMap((line) => grouped(sentencesOf(line)));
}

function grouped(sentences: readonly string[]): string[] {
  const groups: string[] = [];
  for (const sentence of sentences) {
    const longer = [groups.at(-1) ?? [], sentence].flat().join(' ');
    if (groups.length > 0 && longer.length <= MAX_LENGTH) groups[groups.length - 1] = longer;
    else groups.push(sentence);
  }
  return groups;
}
