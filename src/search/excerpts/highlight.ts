import { excerptOf, MAX_SEARCHED_LENGTH, type Excerpt, type WordMatch } from './excerpt.js';
import { foldWord } from '../text/characters.js';
import { MAIN_TEXT, type Passage } from '../documents/documents.js';
import { languageOf } from '../documents/language.js';
import { editDistance } from '../query/edit-distance.js';
import { WORDLESS } from '../documents/note-fields.js';
import type { PassagePlace } from '../documents/note-places.js';
import { headingIn } from '../documents/passages.js';
import { parseQuery, type KnownSyntax } from '../query/parse-query.js';
import { contentWords, queryWords } from '../text/query-words.js';
import { LAST_TOKEN, tokenize, WORD_TOKEN } from '../text/tokenize.js';
import { Vocabulary } from '../text/vocabulary.js';

export interface HitExplanation extends Excerpt {
  /** Texts that contain words of the query, such as `title, 2 headings, text`. */
  readonly why: string;
}

export interface PlacedPassage {
  readonly title: string;
  readonly place: PassagePlace;
  readonly text: string;
}

const DEFAULT_EXCERPT_LENGTH = 240;

/**
 * The excerpt is from the text named `text` or, if there is none, from the longest text.
 * @param length Maximum length of the excerpt in code units.
 * @param language Number of the language, as in the hit.
 */
export function explainHit(
  passage: Passage,
  query: string,
  length = DEFAULT_EXCERPT_LENGTH,
  language = languageOf([passage]),
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
  const titles = passage.filter(({ name }) => name === 'title');
  const inTitle = new Set(titles.flatMap(({ text }) => find(text).map(({ word }) => word)));
  const text = main?.text ?? '';
  return { why, ...excerptOf(text, find(text), inTitle, length) };
}

/** Matches are counted in each line of the headings, and in any other text as a whole. */
function linesOf(name: string, text: string): string[] {
  return name === 'heading' ? text.split('\n') : [text];
}

/** As `explainHit`, with the heading above the first match and its line in the note, from 1. */
export function explainPassage(
  { title, place, text: written }: PlacedPassage,
  query: string,
  length = DEFAULT_EXCERPT_LENGTH,
  language?: number,
) {
  const { aliases, tags, headings } = place;
  const text = written.replace(WORDLESS, ' ');
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
  const lineEnd = text.indexOf('\n', explained.at);
  const lines = text.slice(0, lineEnd < 0 ? undefined : lineEnd).split('\n');
  const above = lines.map((line) => headingIn(line)?.title ?? '');
  return {
    ...explained,
    heading: above.findLast((title) => headings.includes(title)) ?? headings[0],
    line: place.line + lines.length - 1,
  };
}

type FindMatches = (text: string) => readonly WordMatch[];

/** Finds the words of a query by stem or, if the passage has none of them, by similar spelling. */
function createMatcher(query: string, passage: Passage, language: number): FindMatches {
  const { exact, fuzzy } = findersFor(query, language);
  const find = memoized(exact);
  return passage.some(({ name, text }) => linesOf(name, text).some((line) => find(line).length > 0))
    ? find
    : memoized(fuzzy);
}

function memoized(find: FindMatches): FindMatches {
  const found = new Map<string, readonly WordMatch[]>();
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

/** Word forms of the latest texts, so that each is stemmed once; emptied when full. */
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
const MOSTLY_WORDS: KnownSyntax = {
  isOption: () => true,
  isProperty: () => false,
  isPath: () => false,
};

function findersOf(query: string, language: number): Finders {
  const all = parseQuery(query, MOSTLY_WORDS).flatMap((branch) =>
    [branch.words, ...branch.phrases].flatMap((text) => queryWords(text, [language])),
  );
  const words = contentWords(all);
  /** First word of each stem. A single character also matches every stem that starts with it. */
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
    const matches: WordMatch[] = [];
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
