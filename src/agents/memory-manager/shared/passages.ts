/** Characters above which a passage is cut. */
const MAX_LENGTH = 500;
const MAX_SENTENCE = 2000;

const END = /[.!?](?=\s|$)|[。！？]/g;
/** A number or a single letter, whose full stop ends no sentence: "24. Oktober", "z. B.". */
const ABBREVIATION = /(?:\p{N}|(?:^|[^\p{L}\p{N}])\p{L})$/u;

/**
 * Returns the paragraphs of a text, without the sentences that are not wanted. Long paragraphs, and
 * those in which something is left out, are several passages.
 */
export function passagesOf(text: string, isWanted: (sentence: string) => boolean): string[] {
  return text.split(/\n+/).flatMap((paragraph) => {
    const passages: string[] = [];
    let open = '';
    const close = () => {
      if (open.trim() !== '') passages.push(open.trim());
      open = '';
    };
    for (const sentence of sentencesOf(paragraph)) {
      const isNew = sentence.trim() !== '' && isWanted(sentence);
      if (!isNew || open.length + sentence.trimEnd().length > MAX_LENGTH) close();
      if (isNew) open += sentence;
    }
    close();
    return passages.flatMap((passage) => cutPassage(passage));
  });
}

/** Returns the sentences of a paragraph, each with the space after it. */
function sentencesOf(paragraph: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: mark, index } of paragraph.matchAll(END)) {
    const isAbbreviation =
      mark === '.' && ABBREVIATION.test(paragraph.slice(Math.max(start, index - 3), index));
    if (isAbbreviation) continue;
    const end = index + mark.length;
    const space = /^\s*/.exec(paragraph.slice(end, end + MAX_LENGTH))?.[0].length ?? 0;
    sentences.push(paragraph.slice(start, end + space));
    start = end + space;
  }
  return [...sentences, paragraph.slice(start)];
}

/** Cuts a text without sentences, such as a log, between words where it can. */
export function cutPassage(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > MAX_SENTENCE) {
    const space = rest.lastIndexOf(' ', MAX_SENTENCE);
    const isInPair = /[\uD800-\uDBFF]/.test(rest[MAX_SENTENCE - 1]!);
    const end = space > MAX_SENTENCE / 2 ? space + 1 : MAX_SENTENCE - (isInPair ? 1 : 0);
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end);
  }
  return [...pieces, rest.trim()].filter((piece) => piece !== '');
}
