import { truncate } from '../../model/text/truncate.js';
import { weightOf, type QueryTerms, type Relevance } from './query-terms.js';

interface Sentence {
  readonly text: string;
  /** Number of its text. */
  readonly source: number;
  readonly weight: number;
}

/** Weight of the meaning of a sentence, relative to all words of the query together. */
const SIMILARITY_WEIGHT = 0.6;
/** A further sentence must have at least this share of the weight of the best one. */
const MIN_FURTHER_SHARE = 0.4;
/** Room below which no further sentence is begun. */
const MIN_ROOM = 40;
const SEPARATOR = ' · ';

/** A full stop that ends a word, before a new sentence; or a line break. */
const SENTENCE_END = /([\p{L}\p{N})"”%]{2}[.!?])\s+(?=[\p{Lu}\p{N}"“(])|\n+/u;

/** Returns the sentences and lines of a text, in one line each. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  const parts: (string | undefined)[] = text.split(SENTENCE_END); // with the ends in between
  for (let at = 0; at < parts.length; at += 2) {
    const sentence = `${parts[at] ?? ''}${parts[at + 1] ?? ''}`.replace(/\s+/gu, ' ').trim();
    if (sentence !== '') sentences.push(sentence);
  }
  return sentences;
}

/** Returns the sentences that match best (and those after), up to a length in code points. */
export function bestSentences(
  texts: readonly string[],
  query: QueryTerms,
  { similarityOf }: Pick<Relevance, 'similarityOf'>,
  length: number,
) {
  const total = weightOf(query.terms) || 1;
  const sentences = texts.flatMap((text, source) =>
    sentencesOf(text).map((sentence): Sentence => {
      const weight =
        weightOf(query.in(sentence)) / total + SIMILARITY_WEIGHT * similarityOf(sentence);
      return { text: sentence, source, weight };
    }),
  );
  const order = [...sentences.keys()].sort((a, b) => sentences[b]!.weight - sentences[a]!.weight);
  const [best] = order;
  if (best === undefined) return { excerpt: '', weight: 0 };
  const first = sentences[best]!;
  const shown = new Set<number>();
  let excerpt = '';
  for (const start of order) {
    const { weight, source } = sentences[start]!;
    if (shown.has(start)) continue;
    if (excerpt !== '' && weight < MIN_FURTHER_SHARE * first.weight) break;
    if (length - excerpt.length < MIN_ROOM && excerpt !== '') break;
    for (let at = start; sentences[at]?.source === source && !shown.has(at); at++) {
      const separator = at === start ? SEPARATOR : ' ';
      const { text } = sentences[at]!;
      const longer = excerpt === '' ? text : `${excerpt}${separator}${text}`;
      if (excerpt !== '' && longer.length > length) break;
      shown.add(at);
      excerpt = longer;
    }
  }
  return { excerpt: truncate(excerpt, length), weight: first.weight };
}
