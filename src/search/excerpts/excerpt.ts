import { splitsPair } from '../../model/text/truncate.js';

/** Two offsets in a text, in UTF-16 code units: start (inclusive) and end (exclusive). */
export type Span = readonly [start: number, end: number];

export interface WordMatch {
  readonly span: Span;
  readonly word: number;
}

/** Parts of a text that show what a query asks for. */
export interface Excerpt {
  /** In their order in the text, with an ellipsis between parts that are apart. */
  readonly excerpt: string;
  /** Words of the query in the excerpt, as offsets in it. */
  readonly matches: readonly Span[];
  /** Offset in the text of the first match that is shown, or of the excerpt if there is none. */
  readonly at: number;
}

/** Only this much of a text is searched for matches. */
export const MAX_SEARCHED_LENGTH = 20_000;

interface Sentence {
  readonly span: Span;
  readonly words: ReadonlySet<number>;
  readonly isHeading: boolean;
  /** Code units that it takes in an excerpt, with what separates it from the next. */
  readonly room: number;
}

const SEPARATOR = ' … ';
/** Weight of a word that is in the note's title, which most of its sentences are about. */
const TITLE_WORD_WEIGHT = 0.3;
/** A heading that matches comes before what does not match, and after what does. */
const HEADING_SHARE = 0.01;
/** A further sentence must have at least this share of the weight of the best one. */
const MIN_FURTHER_SHARE = 0.5;

/**
 * Returns the sentences and list items with the most words of the query, with what follows if there
 * is room. A word counts less the more sentences have it, and little if it is in the title. Only a
 * sentence that is too long is cut, between words.
 * @param matches In ascending order.
 * @param inTitle Numbers of the query's words that are in the title.
 * @param length Maximum length in code units.
 */
export function excerptOf(
  text: string,
  matches: readonly WordMatch[],
  inTitle: ReadonlySet<number>,
  length: number,
): Excerpt {
  const sentences = sentencesOf(text, matches);
  const worths = worthsOf(sentences, inTitle);
  const order = [...sentences.keys()].sort((a, b) => worths[b]! - worths[a]!);
  const [best = 0] = order;
  const [start, end] = sentences[best]?.span ?? [0, 0];
  if (end - start > length) {
    const first = matches.find(({ span }) => span[0] >= start)?.span[0] ?? start;
    const isFar = first - start > length / 2;
    const cut = isFar
      ? excerptSpan(text, first - length / 2, length, first)
      : excerptSpan(text, start, length, start);
    return joined(text, matches, [cut]);
  }
  const shown = new Set<number>();
  let room = length + SEPARATOR.length;
  const add = (at: number) => {
    const needed = sentences[at]?.room ?? Infinity;
    if (shown.has(at) || needed > room) return false;
    room -= needed;
    shown.add(at);
    return true;
  };
  for (const at of order)
    if (at === best || worths[at]! > MIN_FURTHER_SHARE * worths[best]!) add(at);
  for (const at of [...shown]) for (let next = at + 1; add(next);) next++;
  const parts: [number, number][] = [];
  for (const at of [...shown].sort((a, b) => a - b)) {
    const [from, to] = sentences[at]!.span;
    if (parts.length > 0 && shown.has(at - 1)) parts.at(-1)![1] = to;
    else parts.push([from, to]);
  }
  return joined(text, matches, parts);
}

function worthsOf(sentences: readonly Sentence[], inTitle: ReadonlySet<number>): number[] {
  const counts = new Map<number, number>();
  for (const { words } of sentences)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return sentences.map(({ words, isHeading }) => {
    let worth = 0;
    for (const word of words)
      worth += (inTitle.has(word) ? TITLE_WORD_WEIGHT : 1) / Math.sqrt(counts.get(word)!);
    return isHeading ? worth * HEADING_SHARE : worth;
  });
}

/** The end of a sentence and what precedes the next one. */
const SENTENCE_END = /[.!?:][)"\u201d\u2019*_`]*\s+(?=[\p{Lu}\p{N}"\u201c([`*_])|[。！？]\s*/gu;
/** An item, a heading, a quotation, a row of a table, or a fence. */
const LINE_START = /^\s*(?:[-*+] |\d+[.)] |#{1,6} |>|\||```|~~~)/u;
const ENDS_SENTENCE = /(?:[.!?:|。！？][)"\u201d\u2019*_`]*|^\s*#{1,6} .*|^\s*(?:```|~~~).*)\s*$/u;

/** Returns the offsets at which sentences, list items and other blocks begin. */
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

function sentencesOf(text: string, matches: readonly WordMatch[]): Sentence[] {
  const starts = [...new Set(sentenceStarts(text)), text.length];
  let next = 0;
  return starts.slice(0, -1).flatMap((from, at) => {
    const end = starts[at + 1]!;
    const own = text.slice(from, end).trimEnd();
    const words = new Set<number>();
    for (; next < matches.length && matches[next]!.span[0] < end; next++)
      words.add(matches[next]!.word);
    const isHeading = /^\s*#{1,6} .*$/u.test(own);
    const room = Math.max(end - from, own.length + SEPARATOR.length);
    return own === '' ? [] : [{ span: [from, from + own.length] as const, words, isHeading, room }];
  });
}

/** Returns a span of about `from` to `from + length`, between words if a gap is near. */
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

/** Joins the parts. Matches that overlap, such as pairs of characters, are merged. */
function joined(text: string, matches: readonly WordMatch[], parts: readonly Span[]): Excerpt {
  let excerpt = '';
  let at = parts[0]?.[0] ?? 0;
  const spans: [number, number][] = [];
  for (const [from, to] of parts) {
    if (excerpt !== '') excerpt += SEPARATOR;
    const shift = excerpt.length - from;
    for (const { span } of matches) {
      if (span[0] < from || span[1] > to) continue;
      const last = spans.at(-1);
      if (!last) at = span[0];
      if (last && span[0] + shift < last[1]) last[1] = Math.max(last[1], span[1] + shift);
      else spans.push([span[0] + shift, span[1] + shift]);
    }
    excerpt += text.slice(from, to);
  }
  return { excerpt, matches: spans, at };
}
