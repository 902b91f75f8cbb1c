import type { SegmentReader } from '../segment/segment-reader.js';
import { findAtTokens, identifierAt, joinedAt } from '../text/identifiers.js';
import { ENGLISH, isCompounding } from '../text/languages.js';
import { contentWords, queryWords, type QueryWord } from '../text/query-words.js';
import {
  completions,
  compounds,
  correctedEndings,
  corrections,
  variantOf,
  type TermVariant,
} from './expand.js';
import type { QueryBranch } from './parse-query.js';
import type { TermGroup } from './posting-cursor.js';

const MAX_WORDS = 64;
/** Between the positions of the typed words and those of each phrase. */
const PHRASE_GAP = 10_000;

/**
 * Returns the words to rank by, with the terms that match them. Stop words are left out unless
 * there are no others; an identifier that occurs is a further word. `weightOf` is a factor for a
 * word in lower case; `missingWeight` sums the weights of words without a term.
 */
export function termGroups(
  { words, phrases }: QueryBranch,
  segments: readonly SegmentReader[],
  languages: readonly number[],
  isTyping: boolean,
  weightOf: (word: string) => number = () => 1,
): { groups: TermGroup[]; missingWeight: number } {
  const occurs = ({ stems }: QueryWord) => stems.some((stem) => variantOf(stem, 1, segments));
  const typed = queryWords(words, languages, !isTyping).flatMap((word) => {
    if (!word.parts || occurs(word)) return [word];
    return completions(word, segments).length > 0 ? [word, ...word.parts] : word.parts;
  });
  const quoted = phrases.flatMap((phrase, at) =>
    queryWords(phrase, languages).map((word) => ({
      ...word,
      position: word.position + PHRASE_GAP * (at + 1),
    })),
  );
  const all = [...typed, ...quoted];
  const texts = [words, ...phrases];
  const identifiers = texts
    .flatMap((text) => findAtTokens(text, identifierAt))
    .map((term) => ({ word: term, stems: [term], isStop: false, position: -1, isSingle: false }));
  const joined = texts
    .flatMap((text) => findAtTokens(text, joinedAt))
    .flatMap((word) => queryWords(word, languages).map((own) => ({ ...own, position: -1 })));
  const whole = [...identifiers, ...joined].filter(occurs);
  const plain = typed.filter(({ edge }) => !edge);
  const last = isTyping || isOpenEnded(words, plain.length) ? plain.at(-1) : undefined;
  const byStems = new Map<string, { word: QueryWord; times: number; positions: number[] }>();
  for (const word of [...whole, ...contentWords(all)]) {
    const id = word.stems.join(' ');
    const known = byStems.get(id);
    const own = known ?? { word, times: 0, positions: [] as number[] };
    if (!known && byStems.size === MAX_WORDS) continue;
    own.times++;
    if (word.position >= 0) own.positions.push(word.position);
    byStems.set(id, own);
  }
  const passages = segments.reduce((sum, { counts }) => sum + counts.passages, 0);
  const idfOf = (containing: number) =>
    Math.log(1 + (passages - containing + 0.5) / (containing + 0.5));
  let missingWeight = 0;
  const groups = [...byStems.values()].flatMap(({ word, times, positions }) => {
    const isPrefix = word.isSingle || (word === last && (isTyping ? 'typing' : 'ended'));
    const variants = variantsOf(word, segments, languages, isPrefix);
    const containing = Math.min(passages, countOf(variants, isPrefix === 'ended'));
    const idfWeight = times * idfOf(containing) * weightOf(word.word);
    const { isPair, edge, pairs } = word;
    if (variants.length > 0) return [{ variants, idfWeight, positions, isPair, edge, pairs }];
    if (!word.edge) missingWeight += idfWeight;
    return [];
  });
  return { groups, missingWeight };
}

/** The last word of a longer query is rarely cut short. */
const MAX_WORDS_BEFORE_PREFIX = 6;
const MIN_PREFIX_LENGTH = 3;

/** Returns true if the last word of a query may be the start of a longer one. */
function isOpenEnded(words: string, count: number): boolean {
  return count <= MAX_WORDS_BEFORE_PREFIX && /[\p{L}\p{N}]{3}$/u.test(words);
}

/** Counts passages. Only whole words count if there are any: longer ones make none less rare. */
function countOf(variants: readonly TermVariant[], isWhole: boolean): number {
  const whole = isWhole ? variants.filter(({ weight }) => weight === 1) : [];
  return (whole.length > 0 ? whole : variants).reduce((sum, { count }) => sum + count, 0);
}

/** @param isPrefix True if longer words match, too; `ended` if these count little. */
function variantsOf(
  word: QueryWord,
  segments: readonly SegmentReader[],
  languages: readonly number[],
  isPrefix: boolean | 'typing' | 'ended',
): TermVariant[] {
  const exact = word.stems.flatMap((term) => variantOf(term, 1, segments) ?? []);
  if (word.edge) return exact;
  const isCompound = exact.length === 0 && isPrefix !== 'typing' && languages.some(isCompounding);
  const parts = isCompound ? compounds(word, segments) : [];
  if (parts.length > 0) return parts;
  const isLong = word.word.length >= MIN_PREFIX_LENGTH;
  const mayComplete = isPrefix !== false || (exact.length === 0 && isLong);
  const isEnded = isPrefix === 'ended' && exact.length > 0;
  const longer = mayComplete ? completions(word, segments, isEnded) : [];
  if (exact.length + longer.length > 0) return [...exact, ...longer];
  const corrected = new Map<string, TermVariant>();
  for (const variant of word.stems.flatMap((term) => corrections(term, segments)))
    corrected.set(variant.term, variant);
  return corrected.size > 0
    ? [...corrected.values()]
    : correctedEndings(word, languages[0] ?? ENGLISH, segments);
}
