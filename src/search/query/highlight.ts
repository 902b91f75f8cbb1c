import { splitsPair } from '../../model/text/truncate.js';
import { foldWord } from '../text/characters.js';
import { MAIN_TEXT, type Passage } from '../documents/documents.js';
import { editDistance } from './edit-distance.js';
import { detectLanguage } from '../text/languages.js';
import type { PassagePlace } from '../documents/note-places.js';
import { splitExclusions } from '../text/excluded-words.js';
import { parseQuery, type KnownSyntax } from './parse-query.js';
import { queryWords } from '../text/query-words.js';
import { LAST_TOKEN, tokenize, WORD_TOKEN } from '../text/tokenize.js';
import { Vocabulary } from '../text/vocabulary.js';

/** Two offsets in a text, in UTF-16 code units: start (inclusive) and end (exclusive). */
export type Span = readonly [start: number, end: number];

/** Reason for a hit, and the part of its text to show. */
export interface HitExplanation {
  /** Texts that contain words of the query, such as `title, 2 headings, text`. */
  readonly why: string;
  /** Excerpt, as offsets in the text from which it is taken. */
  readonly excerpt: Span;
  /** Words of the query in the excerpt, as offsets in the same text. */
  readonly matches: readonly Span[];
}

/** Reason for a hit in a passage of a note, as offsets in the passage. */
export interface PassageExplanation extends HitExplanation {
  /** Heading above the first match. */
  readonly heading: string | undefined;
  /** Line of the first match in the note, from 1. */
  readonly line: number;
}

/** A passage with its text. */
export interface PlacedPassage {
  readonly title: string;
  readonly place: PassagePlace;
  readonly text: string;
}

const DEFAULT_EXCERPT_LENGTH = 240;

interface Match {
  readonly span: Span;
  /** Number of the word in the query. */
  readonly word: number;
}

/**
 * Explains a hit in a passage. The excerpt is taken from the text named `text` or, if there is
 * none, from the longest text.
 * @param length Maximum length of the excerpt in code units.
 * @param language Number of the language, as in the hit.
 */
export function explainHit(
  passage: Passage,
  query: string,
  length = DEFAULT_EXCERPT_LENGTH,
  language = languageOf(passage),
): HitExplanation {
  const main =
    passage.find(({ name }) => name === MAIN_TEXT) ??
    [...passage].sort((a, b) => b.text.length - a.text.length)[0];
  const find = createMatcher(query, passage, language);
  const counts = new Map<string, number>();
  for (const { name, text } of passage) {
    const matching = linesOf(name, text).filter((line) => find(line).length > 0).length;
    if (matching > 0) counts.set(name, (counts.get(name) ?? 0) + matching);
  }
  const why = [...counts]
    .map(([name, count]) => (count > 1 ? `${count} ${name}s` : name))
    .join(', ');
  return { why, ...excerptOf(main?.text ?? '', find(main?.text ?? ''), length) };
}

/**
 * Returns the parts of a text in which matches are counted: each line of the headings, or the whole
 * of any other text.
 */
function linesOf(name: string, text: string): string[] {
  return name === 'heading' ? text.split('\n') : [text];
}

/**
 * Explains a hit in a passage of a note, as offsets in the passage.
 * @param text Text of the passage.
 * @param language Number of the language, as in the hit.
 */
export function explainPassage(
  { title, place, text }: PlacedPassage,
  query: string,
  length = DEFAULT_EXCERPT_LENGTH,
  language?: number,
): PassageExplanation {
  const { aliases, tags, headings } = place;
  const explained = explainHit(
    [
      { name: 'title', text: title, weight: 1 },
      { name: 'heading', text: headings.join('\n'), weight: 1 },
      { name: MAIN_TEXT, text, weight: 1 },
      { name: 'alias', text: aliases.join('\n'), weight: 1 },
      { name: 'tag', text: tags.join('\n'), weight: 1 },
    ],
    query,
    length,
    language,
  );
  const above = text.slice(0, (explained.matches[0] ?? explained.excerpt)[0]);
  return {
    ...explained,
    heading: headings.findLast((heading) => above.includes(heading)) ?? headings[0],
    line: place.line + above.split('\n').length - 1,
  };
}

/** Number of code units of each text that are sampled to detect the language. */
const LANGUAGE_SAMPLE_LENGTH = 1_200;

/** Finds the words of a query in a text. */
type FindMatches = (text: string) => readonly Match[];

function languageOf(passage: Passage): number {
  return detectLanguage(
    passage.map(({ text }) => text.slice(0, LANGUAGE_SAMPLE_LENGTH)).join('\n'),
  );
}

/**
 * Returns a function that finds the words of a query by their stems or, if the passage contains
 * none of them, by similar spellings.
 */
function createMatcher(query: string, passage: Passage, language: number): FindMatches {
  const { exact, fuzzy } = findersFor(query, language);
  const find = memoized(exact);
  return passage.some(({ name, text }) => linesOf(name, text).some((line) => find(line).length > 0))
    ? find
    : memoized(fuzzy);
}

function memoized(find: FindMatches): FindMatches {
  const found = new Map<string, readonly Match[]>();
  return (text) => {
    const matches = found.get(text) ?? find(text);
    found.set(text, matches);
    return matches;
  };
}

interface Finders {
  readonly exact: FindMatches;
  readonly fuzzy: FindMatches;
}

/**
 * Word forms of the latest texts, so that each is stemmed once; replaced by an empty vocabulary
 * when it is full.
 */
let vocabulary = new Vocabulary();
const MAX_VOCABULARY_SIZE = 50_000;
/** Finders for the latest query, whose hits are explained one after another. */
let last = { query: '', byLanguage: new Map<number, Finders>() };

function findersFor(query: string, language: number): Finders {
  const isFull = vocabulary.size > MAX_VOCABULARY_SIZE;
  if (isFull) vocabulary = new Vocabulary();
  if (isFull || last.query !== query) last = { query, byLanguage: new Map() };
  const known = last.byLanguage.get(language) ?? findersOf(query, language);
  last.byLanguage.set(language, known);
  return known;
}

/** A hit does not contain what the query excludes, so that may count as a word here. */
const MOSTLY_WORDS: KnownSyntax = { isOption: () => true, isProperty: () => false };

function findersOf(query: string, language: number): Finders {
  const all = parseQuery(query, MOSTLY_WORDS).flatMap((branch) =>
    [splitExclusions(branch, [language]).wanted, ...branch.phrases].flatMap((text) =>
      queryWords(text, [language]),
    ),
  );
  const contentWords = all.filter(({ isStop }) => !isStop);
  const words = contentWords.length > 0 ? contentWords : all;
  /**
   * Number of the first word with each stem. A word of a single character also matches every stem
   * that starts with it.
   */
  const byStem = new Map(
    [...words.entries()]
      .reverse()
      .flatMap(([at, { stems }]) => stems.map((stem) => [stem, at] as const)),
  );
  const singles = [...words.entries()].filter(([, { isSingle }]) => isSingle);
  const matchExact = (stem: string) =>
    byStem.get(stem) ?? singles.find(([, { stems }]) => stem.startsWith(stems[0]!))?.[0];
  const matchFuzzy = (stem: string, isWord: boolean) => {
    if (stem.length < 2 && isWord) return byStem.get(stem);
    const found = words.findIndex(({ word, stems }) => {
      const folded = foldWord(word);
      return (
        stem.startsWith(folded) ||
        folded.startsWith(stem) ||
        editDistance(stems[0]!, stem, 2) <= (folded.length < 8 ? 1 : 2)
      );
    });
    return found < 0 ? undefined : found;
  };
  return { exact: matchWords(language, matchExact), fuzzy: matchWords(language, matchFuzzy) };
}

const MAX_SEARCHED_LENGTH = 20_000;

/** @param matchOf Returns the number of the query word that a stem matches. */
function matchWords(
  language: number,
  matchOf: (stem: string, isWord: boolean) => number | undefined,
): FindMatches {
  const known = vocabulary;
  const NONE = -1;
  const wordOf = new Map<number, number>();
  const wordOfTerm = (number: number, isWord: boolean) =>
    number < 0 ? undefined : matchOf(known.terms[number]!, isWord);
  return (text) => {
    const matches: Match[] = [];
    tokenize(
      text,
      0,
      Math.min(text.length, MAX_SEARCHED_LENGTH),
      (start, end, length, hash, kind) => {
        if (kind === LAST_TOKEN) return;
        const form = known.formOf(length, hash, kind, language);
        let word = wordOf.get(form);
        if (word === undefined) {
          const isWord = kind === WORD_TOKEN;
          word =
            wordOfTerm(known.term(form), isWord) ??
            wordOfTerm(known.otherTerm(form), isWord) ??
            NONE;
          wordOf.set(form, word);
        }
        if (word !== NONE) matches.push({ span: [start, end], word });
      },
    );
    return matches;
  };
}

/**
 * Returns the excerpt with the most distinct words of the query, where a word counts the less the
 * more often it occurs in the text, and among equals with the most matches. It begins with a
 * sentence or an item of a list, unless all matches are too far from such a beginning; it ends
 * between words.
 */
function excerptOf(
  text: string,
  matches: readonly Match[],
  length: number,
): { excerpt: Span; matches: Span[] } {
  const occurrences = new Map<number, number>();
  for (const { word } of matches) occurrences.set(word, (occurrences.get(word) ?? 0) + 1);
  const inside = (from: number) =>
    matches.filter(({ span }) => span[0] >= from && span[1] <= from + length);
  const worthOf = (own: readonly Match[]) => {
    const words = new Set(own.map(({ word }) => word));
    return [...words].reduce(
      (sum, word) => sum + 1 + 1 / occurrences.get(word)!,
      own.length / 1000,
    );
  };
  const starts = sentenceStarts(text);
  let best = { from: 0, worth: 0 };
  const froms = matches.map(({ span }) => starts.findLast((start) => start <= span[0]) ?? 0);
  for (const from of new Set(froms)) {
    const worth = worthOf(inside(from));
    if (worth > best.worth) best = { from, worth };
  }
  const [first] = matches;
  const { from } = best;
  const excerpt =
    best.worth > 0 || !first
      ? excerptSpan(text, from, length, from)
      : excerptSpan(text, Math.max(0, first.span[0] - length / 2), length, first.span[0]);
  return {
    excerpt,
    matches: mergeSpans(
      matches.filter(({ span }) => span[0] >= excerpt[0] && span[1] <= excerpt[1]),
    ),
  };
}

/** The end of a sentence and what precedes the next one. */
const SENTENCE_END = /[.!?:][)"\u201d\u2019*_`]*\s+(?=[\p{Lu}\p{N}"\u201c([`*_])|[。！？]\s*/gu;
/** An item, a heading, a quotation, a row of a table, or a fence. */
const LINE_START = /^\s*(?:[-*+] |\d+[.)] |#{1,6} |>|\||```|~~~)/u;
const ENDS_SENTENCE = /(?:[.!?:|。！？][)"\u201d\u2019*_`]*|^\s*#{1,6} .*|^\s*(?:```|~~~).*)\s*$/u;

/** Returns the offsets at which sentences, items of lists and other blocks of a text begin. */
function sentenceStarts(text: string): number[] {
  const starts = [0];
  let before = '';
  let at = 0;
  for (const line of text.slice(0, MAX_SEARCHED_LENGTH).split('\n')) {
    const isStart = before.trim() === '' || ENDS_SENTENCE.test(before) || LINE_START.test(line);
    if (isStart && line.trim() !== '') starts.push(at + line.search(/\S/u));
    for (const { index, 0: end } of line.matchAll(SENTENCE_END))
      if (index + end.length < line.length) starts.push(at + index + end.length);
    before = line;
    at += line.length + 1;
  }
  return starts.sort((a, b) => a - b);
}

/**
 * Returns a span that starts at about `from`, is at most `length` long, and starts and ends between
 * words if a gap is near.
 */
function excerptSpan(text: string, from: number, length: number, latest: number): Span {
  let start = from;
  if (start > 0) {
    const space = text.slice(start, Math.max(start, latest)).search(/\s/);
    if (space >= 0 && space < length / 4) start += space + 1;
  }
  let end = Math.min(text.length, start + length);
  if (end < text.length) {
    const back = /\s\S*$/.exec(text.slice(start, end));
    if (back && back.index > length / 2) end = start + back.index;
  }
  return [splitsPair(text, start) ? start + 1 : start, splitsPair(text, end) ? end - 1 : end];
}

/**
 * Returns the spans of the matches. Overlapping spans, such as those of pairs of characters, are
 * merged.
 */
function mergeSpans(matches: readonly Match[]): Span[] {
  const spans: [number, number][] = [];
  for (const { span } of matches) {
    const last = spans.at(-1);
    if (last && span[0] < last[1]) last[1] = Math.max(last[1], span[1]);
    else spans.push([span[0], span[1]]);
  }
  return spans;
}
