import { trimEndOf } from '../../model/text/trim-end.js';
import { hashSteps, hashText } from '../../platform/bytes/hash.js';
import { runToEnd } from '../../platform/run-sliced.js';
import { characterTables, UNSPACED, WORD } from '../text/characters.js';
import type { Passage, SearchDocument } from './documents.js';
import { noteFieldsSteps, WORDLESS, SLICE_LENGTH, type NoteFields } from './note-fields.js';
import { decodePlace, encodePlaces, type PassagePlace } from './note-places.js';
import { normalizeLabelText, propertyLabel, tagLabel } from './labels.js';

/** A passage of a note, as offsets in its text. */
export interface NotePassage {
  readonly start: number;
  readonly end: number;
  /** Headings above it, outermost first, and those inside it. */
  readonly headings: readonly string[];
}

/** A passage with at least this many words ends at the next heading. */
const MIN_WORDS = 120;
/** A passage ends before it would have more words than this, even without a heading. */
const MAX_WORDS = 250;

interface OpenPassage {
  start: number;
  words: number;
  headings: string[];
}

/**
 * Splits a note's text at its headings into passages of about the same size, one slice of work per
 * step. Returns at least one, which may be empty; after `limit` passages, the rest becomes one
 * more.
 */
export function* splitPassages(
  text: string,
  from: number,
  to: number,
  limit = Infinity,
): Generator<undefined, NotePassage[]> {
  const passages: NotePassage[] = [];
  const path: string[] = [];
  let open: OpenPassage = { start: from, words: 0, headings: [] };
  let fence = '';
  let sliceEnd = from + SLICE_LENGTH;
  const close = (at: number) => {
    if (at > open.start)
      passages.push({ start: open.start, end: at, headings: [...new Set(open.headings)] });
    open = { start: at, words: 0, headings: path.filter(Boolean) };
  };
  for (let at = from; at < to && passages.length < limit;) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 || newline >= to ? to : newline + 1;
    const first = text.charCodeAt(at);
    if (first === 0x60 || first === 0x7e) fence = nextFence(text.slice(at, at + 12), fence);
    const heading =
      first === 0x23 && fence === ''
        ? headingIn(text.slice(at, Math.min(end, at + 320)))
        : undefined;
    if (heading) {
      if (open.words >= MIN_WORDS) close(at);
      path.length = Math.min(path.length, heading.level - 1);
      path[heading.level - 1] = heading.title;
      open.headings.push(...path.filter(Boolean));
    }
    const words = countWords(text, at, end);
    if (open.words > 0 && open.words + words > MAX_WORDS) close(at);
    if (words > MAX_WORDS) {
      for (
        let cut = wordsEnd(text, at, end, MAX_WORDS);
        cut < end;
        cut = wordsEnd(text, cut, end, MAX_WORDS)
      )
        close(cut);
      open.words = countWords(text, open.start, end);
    } else open.words += words;
    at = end;
    if (at > sliceEnd) {
      sliceEnd = at + SLICE_LENGTH;
      yield;
    }
  }
  if (open.start < to || passages.length === 0) {
    passages.push({ start: open.start, end: to, headings: [...new Set(open.headings)] });
  }
  return passages;
}

/** Returns the heading at the start of a line, if there is one. */
export function headingIn(line: string): { level: number; title: string } | undefined {
  const [, marks, title] = /^(#{1,6})[ \t]+(.{1,300})/.exec(line) ?? [];
  if (marks === undefined || title === undefined) return undefined;
  return { level: marks.length, title: headingText(title) };
}

/** Removes the number signs that close a heading. */
function headingText(heading: string): string {
  const text = heading.trimEnd();
  const opened = trimEndOf(text, /#/);
  return (/[ \t]$/.test(opened) ? opened : text).trim();
}

/** Returns the code fence that is open after a line that may open or close one; empty for none. */
function nextFence(line: string, open: string): string {
  const mark = /^(`{3,}|~{3,})/.exec(line)?.[1];
  if (!mark) return open;
  if (open === '') return mark;
  return mark.startsWith(open) ? '' : open;
}

/** Counts the words between two offsets. Two characters of an unspaced script count as one. */
export function countWords(text: string, from = 0, to = text.length): number {
  return readWords(text, from, to, NO_LIMIT).words;
}

export function wordsEnd(text: string, from: number, to: number, limit: number): number {
  return readWords(text, from, to, limit).end;
}

const NO_LIMIT = 2 ** 29;
/** A longer word counts as several; a power of two. */
const MAX_WORD_LENGTH = 64;

/** Counts words until there are more than `limit`. Two unspaced characters count as one word. */
function readWords(
  text: string,
  from: number,
  to: number,
  limit: number,
): { words: number; end: number } {
  const { classes } = characterTables();
  let halves = 0;
  let run = 0;
  for (let at = from; at < to; at++) {
    const kind = classes[text.charCodeAt(at)]!;
    if (kind === WORD) {
      if ((run++ & (MAX_WORD_LENGTH - 1)) !== 0) continue;
      halves += 2;
    } else {
      run = 0;
      if (kind !== UNSPACED) continue;
      halves++;
    }
    if (halves > limit * 2) return { words: halves / 2, end: Math.max(at, from + 1) };
  }
  return { words: Math.ceil(halves / 2), end: to };
}

const TITLE_WEIGHT = 2;
const HEADING_WEIGHT = 2;
const FIELD_WEIGHT = 2;

/**
 * Returns the document of a note, one slice of work per step. Each passage contains the title and
 * its headings; the first one also the other fields.
 */
export function* noteDocumentSteps(
  path: string,
  text: string,
  time: number,
): Generator<undefined, SearchDocument> {
  const hash = yield* hashSteps(text, hashText(path));
  const { fields, parts } = yield* readPassages(path, text);
  return {
    key: path,
    hash,
    time,
    labels: labelsOf(fields),
    names: [fields.title, ...fields.aliases],
    stored: yield* encodePlaces({ ...fields, text, passages: parts }),
    passages: parts.map((part, index) => [
      ...passageTexts(fields, part, text),
      ...(index === 0 ? noteTexts(path, fields) : []),
    ]),
  };
}

/** Replaces wordless parts by spaces, so that all else keeps its place. */
function* readPassages(
  path: string,
  text: string,
  limit?: number,
): Generator<undefined, { fields: NoteFields; parts: NotePassage[] }> {
  const searched = text.replace(WORDLESS, (data) => ' '.repeat(data.length));
  const fields = yield* noteFieldsSteps(path, searched);
  const parts = yield* splitPassages(searched, fields.bodyStart, searched.length, limit);
  return { fields, parts };
}

/** Returns the place of a passage, or of several as one; undefined if the note does not have it. */
export function placeOf(
  path: string,
  text: string,
  first: number,
  last = first,
): PassagePlace | undefined {
  const { fields, parts: passages } = runToEnd(readPassages(path, text, last + 1));
  return decodePlace(runToEnd(encodePlaces({ ...fields, text, passages })), first, last);
}

function passageTexts(
  { title }: NoteFields,
  { start, end, headings }: NotePassage,
  text: string,
): Passage {
  return [
    { name: 'title', text: title, weight: TITLE_WEIGHT },
    ...(headings.length > 0
      ? [{ name: 'heading', text: headings.join('\n'), weight: HEADING_WEIGHT }]
      : []),
    { name: 'text', text: text.slice(start, end).replace(WORDLESS, ' '), weight: 1 },
  ];
}

function noteTexts(path: string, { aliases, tags, properties }: NoteFields): Passage {
  const values = [...properties]
    .flatMap(([name, own]) => (NOT_SEARCHED_AS_TEXT.has(name) ? [] : own))
    .join('\n');
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const all = [
    { name: 'alias', text: aliases.join('\n'), weight: FIELD_WEIGHT },
    { name: 'tag', text: tags.join('\n'), weight: FIELD_WEIGHT },
    { name: 'path', text: folder, weight: 1 },
    { name: 'property', text: values, weight: 1 },
  ];
  return all.filter(({ text }) => text !== '');
}

/** Properties that have a field of their own, or no text to search. */
const NOT_SEARCHED_AS_TEXT: ReadonlySet<string> = new Set([
  'aliases',
  'alias',
  'title',
  'tags',
  'tag',
  'cssclasses',
  'cssclass',
]);

function labelsOf({ tags, properties }: NoteFields): string[] {
  const ofTags = tags.flatMap((tag) => {
    const steps = normalizeLabelText(tag).split('/');
    return steps.map((_, depth) => tagLabel(steps.slice(0, depth + 1).join('/')));
  });
  const ofProperties = [...properties].flatMap(([name, values]) => [
    propertyLabel(name),
    ...values.map((value) => propertyLabel(name, value)),
  ]);
  return [...new Set([...ofTags, ...ofProperties])];
}
