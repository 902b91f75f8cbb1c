import { runSteps } from '../../platform/byte-writer.js';
import { foldWord } from '../text/characters.js';
import { MAIN_TEXT, type Passage } from '../documents/documents.js';
import { editDistance } from './expand.js';
import { detectLanguage } from '../text/languages.js';
import { splitPassages } from '../documents/passages.js';
import { readNoteFields } from '../documents/note-fields.js';
import { parseQuery } from './query.js';
import { queryWords } from '../text/terms.js';
import { LAST_TOKEN, tokenize, WORD_TOKEN } from '../text/tokenize.js';
import { createVocabulary } from '../text/vocabulary.js';

/** Two offsets in a text: from the first code unit up to, not including, the second. */
export type Span = readonly [start: number, end: number];

/** Why a passage was found, and the part of its text to show. */
export interface Explanation {
  /** Which of its texts hold words of the query, such as `title, 2 headings, text`. */
  readonly why: string;
  /** The excerpt, as offsets in the text that it is from. */
  readonly excerpt: Span;
  /** The words of the query in it, as offsets in the same text. */
  readonly matches: readonly Span[];
}

/** What of a note is shown for a hit. */
export interface NoteExplanation extends Explanation {
  /** The heading above the first match. */
  readonly heading?: string | undefined;
  /** The line of the first match, from 1. */
  readonly line: number;
}

const USUAL_LENGTH = 240;

interface Match {
  readonly span: Span;
  /** Which word of the query. */
  readonly word: number;
}

/** Explains a hit by the passage's texts; the excerpt is from the one named `text`, or from the longest. `language`: as in the hit. */
export function explain(
  passage: Passage,
  query: string,
  length = USUAL_LENGTH,
  language = languageOf(passage),
): Explanation {
  const main =
    passage.find(({ name }) => name === MAIN_TEXT) ??
    [...passage].sort((a, b) => b.text.length - a.text.length)[0];
  const find = matcher(query, passage, language);
  const counts = new Map<string, number>();
  for (const { name, text } of passage) {
    const holding = linesOf(name, text).filter((line) => find(line).length > 0).length;
    if (holding > 0) counts.set(name, (counts.get(name) ?? 0) + holding);
  }
  const why = [...counts]
    .map(([name, count]) => (count > 1 ? `${count} ${name}s` : name))
    .join(', ');
  return { why, ...excerptOf(main?.text ?? '', find(main?.text ?? ''), length) };
}

/** Several headings are lines of one text. */
function linesOf(name: string, text: string): string[] {
  return name === 'heading' ? text.split('\n') : [text];
}

/** Explains a hit in a note, as offsets in the note's text; undefined where the note has no such passage any more. */
export function explainNote(
  path: string,
  text: string,
  passage: number,
  query: string,
  length = USUAL_LENGTH,
  language?: number,
): NoteExplanation | undefined {
  const fields = readNoteFields(path, text);
  const part = runSteps(splitPassages(text, fields.bodyStart, fields.bodyEnd, passage + 1))[
    passage
  ];
  if (!part) return undefined;
  const { start, end, headings } = part;
  const { why, excerpt, matches } = explain(
    [
      { name: 'title', text: fields.title, weight: 1 },
      { name: 'heading', text: headings.join('\n'), weight: 1 },
      { name: MAIN_TEXT, text: text.slice(start, end), weight: 1 },
      { name: 'alias', text: fields.aliases.join('\n'), weight: 1 },
      { name: 'tag', text: fields.tags.join('\n'), weight: 1 },
    ],
    query,
    length,
    language,
  );
  const shift = ([from, to]: Span): Span => [from + start, to + start];
  const at = start + (matches[0] ?? excerpt)[0];
  return {
    why,
    excerpt: shift(excerpt),
    matches: matches.map(shift),
    heading: headingAbove(text, start, at, headings),
    line: lineOf(text, at),
  };
}

function headingAbove(
  text: string,
  from: number,
  at: number,
  headings: readonly string[],
): string | undefined {
  const above = text.slice(from, at);
  const inside = headings.filter((heading) => above.includes(heading));
  return inside.at(-1) ?? headings[0];
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1))
    line++;
  return line;
}

/** So much of a passage tells its language. */
const SAMPLE = 1_200;

/** The words of a query in a text, with which of the query's they are. */
type Find = (text: string) => readonly Match[];

function languageOf(passage: Passage): number {
  return detectLanguage(passage.map(({ text }) => text.slice(0, SAMPLE)).join('\n'));
}

/** Finds the words of a query in a text of a passage, by their stems; where the whole has none of them, what is nearly spelt so. */
function matcher(query: string, passage: Passage, language: number): Find {
  const { exact, near } = findersFor(query, language);
  const find = once(exact);
  return passage.some(({ name, text }) => linesOf(name, text).some((line) => find(line).length > 0))
    ? find
    : once(near);
}

/** Looks through each text once. */
function once(find: Find): Find {
  const found = new Map<string, readonly Match[]>();
  return (text) => {
    const matches = found.get(text) ?? find(text);
    found.set(text, matches);
    return matches;
  };
}

interface Finders {
  readonly exact: Find;
  readonly near: Find;
}

/** The words that were shown of late, so that each is stemmed once; begun anew when there are too many. */
let vocabulary = createVocabulary();
const MOST_FORMS = 50_000;
/** Of the query that was asked last: its hits are explained one after the other. */
let last = { query: '', byLanguage: new Map<number, Finders>() };

function findersFor(query: string, language: number): Finders {
  const isFull = vocabulary.size() > MOST_FORMS;
  if (isFull) vocabulary = createVocabulary();
  if (isFull || last.query !== query) last = { query, byLanguage: new Map() };
  const known = last.byLanguage.get(language) ?? findersOf(query, language);
  last.byLanguage.set(language, known);
  return known;
}

function findersOf(query: string, language: number): Finders {
  const all = parseQuery(query).flatMap(({ words, phrases }) =>
    [words, ...phrases].flatMap((text) => queryWords(text, [language])),
  );
  const telling = all.filter(({ isStop }) => !isStop);
  const words = telling.length > 0 ? telling : all;
  /** The first word of each stem, and the words of a single character, by which others begin. */
  const byStem = new Map(
    [...words.entries()]
      .reverse()
      .flatMap(([at, { stems }]) => stems.map((stem) => [stem, at] as const)),
  );
  const singles = [...words.entries()].filter(([, { isSingle }]) => isSingle);
  const matchExact = (stem: string) =>
    byStem.get(stem) ?? singles.find(([, { stems }]) => stem.startsWith(stems[0]!))?.[0];
  const matchNear = (stem: string, isWord: boolean) => {
    if (stem.length < 2 && isWord) return byStem.get(stem);
    const found = words.findIndex(({ word, stems }) => {
      const asked = foldWord(word);
      return (
        stem.startsWith(asked) ||
        asked.startsWith(stem) ||
        editDistance(stems[0]!, stem, 2) <= (asked.length < 8 ? 1 : 2)
      );
    });
    return found < 0 ? undefined : found;
  };
  return { exact: matchWords(language, matchExact), near: matchWords(language, matchNear) };
}

const LONGEST_LOOKED_AT = 20_000;

/** @param matchOf the number of the word of the query that a stem stands for */
function matchWords(
  language: number,
  matchOf: (stem: string, isWord: boolean) => number | undefined,
): Find {
  const { formOf, term, otherTerm, terms } = vocabulary;
  const NONE = -1;
  const wordOf = new Map<number, number>();
  const wordOfTerm = (number: number, isWord: boolean) =>
    number < 0 ? undefined : matchOf(terms[number]!, isWord);
  return (text) => {
    const matches: Match[] = [];
    tokenize(
      text,
      0,
      Math.min(text.length, LONGEST_LOOKED_AT),
      (start, end, length, hash, kind) => {
        if (kind === LAST_TOKEN) return;
        const form = formOf(length, hash, kind, language);
        let word = wordOf.get(form);
        if (word === undefined) {
          const isWord = kind === WORD_TOKEN;
          word = wordOfTerm(term(form), isWord) ?? wordOfTerm(otherTerm(form), isWord) ?? NONE;
          wordOf.set(form, word);
        }
        if (word !== NONE) matches.push({ span: [start, end], word });
      },
    );
    return matches;
  };
}

/** The window with the most different words of the query, then with the most of them; cut between words. */
function excerptOf(
  text: string,
  matches: readonly Match[],
  length: number,
): { excerpt: Span; matches: Span[] } {
  let best = { at: 0, different: 0, count: 0 };
  for (let at = 0, end = 0; at < matches.length; at++) {
    const from = matches[at]!.span[0];
    while (end < matches.length && matches[end]!.span[1] <= from + length) end++;
    const inside = matches.slice(at, end);
    const different = new Set(inside.map(({ word }) => word)).size;
    if (
      different > best.different ||
      (different === best.different && inside.length > best.count)
    ) {
      best = { at, different, count: inside.length };
    }
  }
  const first = matches[best.at]?.span[0] ?? 0;
  const last = matches[best.at + Math.max(0, best.count - 1)]?.span[1] ?? 0;
  const room = Math.max(0, length - (last - first));
  const excerpt = widen(text, Math.max(0, first - Math.floor(room / 2)), length, first);
  return {
    excerpt,
    matches: joined(matches.filter(({ span }) => span[0] >= excerpt[0] && span[1] <= excerpt[1])),
  };
}

/** From about `from`, at most `length` units, beginning and ending between words where there is one near. */
function widen(text: string, from: number, length: number, latest: number): Span {
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
  return [isInsidePair(text, start) ? start + 1 : start, isInsidePair(text, end) ? end - 1 : end];
}

/** Whether a place lies between the two halves of one character. */
function isInsidePair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}

/** The spans, with those that overlap (pairs of characters do) as one. */
function joined(matches: readonly Match[]): Span[] {
  const spans: [number, number][] = [];
  for (const { span } of matches) {
    const last = spans.at(-1);
    if (last && span[0] < last[1]) last[1] = Math.max(last[1], span[1]);
    else spans.push([span[0], span[1]]);
  }
  return spans;
}
