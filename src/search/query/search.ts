import { compareBytes } from '../../platform/byte-writer.js';
import {
  completions,
  compounds,
  correctedEndings,
  corrections,
  variantOf,
  type Variant,
} from './expand.js';
import { isNearlySame } from '../text/fingerprint.js';
import { allowedNotes, type Scope } from './filter.js';
import { ENGLISH, isCompounding, LANGUAGE_COUNT } from '../text/languages.js';
import type { Group } from './posting-cursor.js';
import { recallLiving, type OpenSegment } from '../segment/open-segment.js';
import { addProximity } from './proximity.js';
import { parseQuery, unquote, type Branch } from './query.js';
import { rankNotes, type NoteScore } from './ranking.js';
import { keyBytesOf, keyOf } from '../segment/segment.js';
import { addSupport } from './group-boost.js';
import { queryWords, type QueryWord } from '../text/terms.js';

/** What documents mean, as somebody else has found out. */
export interface Meaning {
  /** How near a passage is to the query; 0 for not at all. */
  readonly of: (key: string, passage: number) => number;
  /** The nearest passages, which may hold no word of the query. */
  readonly nearest: readonly { readonly key: string; readonly passage: number }[];
}

export interface SearchOptions extends Scope {
  /** At most so many hits; 20 where nothing is said. */
  readonly limit?: number | undefined;
  /** The last word is still being typed: longer words that begin with it count too. */
  readonly isTyping?: boolean | undefined;
  /** Of equal hits the newest comes first. */
  readonly newestFirst?: boolean | undefined;
  readonly meaning?: Meaning | undefined;
  /**
   * Of hits whose best passages are the same text, or nearly, only the best is answered; the others are named with it. A list
   * that is asked for by conditions alone is answered whole.
   */
  readonly isFolded?: boolean | undefined;
  /** Hits that carry the same label of those that begin so support each other. */
  readonly groupedBy?: string | undefined;
}

export interface Hit {
  readonly key: string;
  /** Which of the document's passages is the best, from 0. */
  readonly passage: number;
  /** As a share of the best hit's: 1 for the best. */
  readonly score: number;
  /** Milliseconds since 1970, as the document was added with. */
  readonly time: number;
  readonly isByWord: boolean;
  readonly isByMeaning: boolean;
  /** The language that its words were taken for. */
  readonly language: number;
  /** The keys of documents that were found by nearly the same text, the best first. */
  readonly also: readonly string[];
}

const USUAL_LIMIT = 20;
/** So many of the best are looked at again for the nearness of the words. */
const LOOKED_AT_AGAIN = 100;
/** Where hits support each other, so many are counted: what a group is found for does not hang on how many hits are asked for. */
const SUPPORTING = 300;
/** Where folding leaves too few of them, so many times as many are looked at, up to about so many in all. */
const MORE = 4;
const MOST_LOOKED_AT = 1000;
const MOST_WORDS = 64;
const WORD_SHARE = 0.55;
const MEANING_SHARE = 0.45;

/** The best hits of a query. Yields every few milliseconds of work: go on, or return to cancel. */
export function* search(
  segments: readonly OpenSegment[],
  query: string,
  options: SearchOptions = {},
): Generator<undefined, Hit[]> {
  const limit = limitOf(options);
  const fewest = options.groupedBy === undefined ? LOOKED_AT_AGAIN : SUPPORTING;
  for (let most = Math.max(fewest, limit); ; most *= MORE) {
    const { hits, hasMore } = yield* searchAmong(segments, query, options, most);
    // So many were the same text that others have not come into view yet.
    if (hits.length >= limit || !hasMore || most > MOST_LOOKED_AT) return hits;
  }
}

/** The hits among the best `most` of each way of finding, and whether there may be others beyond. */
function* searchAmong(
  segments: readonly OpenSegment[],
  query: string,
  options: SearchOptions,
  most: number,
): Generator<undefined, { hits: Hit[]; hasMore: boolean }> {
  const averageLength = averageOf(segments);
  const languages = languagesOf(segments);
  const found = new Map<number, NoteScore>();
  const idOf = numbering(segments);
  const allowedInAny: (Uint8Array | undefined)[][] = [];
  let [isRanked, hasMore] = [options.meaning !== undefined, false];
  const branches = parseQuery(query);
  for (const asked of branches) {
    let allowed = yield* allowedIn(segments, asked, options, languages);
    let branch = asked;
    if (asked.phrases.length > 0 && allowed.every((notes) => notes && !notes.includes(1))) {
      branch = unquote(asked); // nowhere word for word: better a near answer than none
      allowed = yield* allowedIn(segments, branch, options, languages);
    }
    allowedInAny.push(allowed);
    const groups = groupsOf(branch, segments, languages, options.isTyping ?? false);
    yield;
    const hits =
      groups.length > 0
        ? yield* rankNotes(segments, groups, allowed, averageLength, most)
        : listNotes(branch, segments, allowed);
    isRanked ||= groups.length > 0;
    hasMore ||= groups.length > 0 && hits.length >= most;
    const isGrouped = options.groupedBy !== undefined;
    const near = isGrouped ? firstByScore(hits, Math.max(LOOKED_AT_AGAIN, limitOf(options))) : hits;
    addProximity(
      near,
      groups,
      averageLength,
      options.meaning || options.isFolded || isGrouped ? most : limitOf(options),
    );
    for (const hit of hits) {
      const id = idOf(hit);
      if (hit.score > (found.get(id)?.score ?? -1)) found.set(id, hit);
    }
    yield;
  }
  const candidates = options.meaning
    ? fuse(found, options.meaning, segments, allowedInAny)
    : Array.from(found.values(), byWordAlone);
  const isFolded = isRanked && options.isFolded === true;
  if (isRanked && options.groupedBy !== undefined) addSupport(candidates, options.groupedBy);
  return { hits: best(candidates, { ...options, isFolded }), hasMore: isFolded && hasMore };
}

function limitOf({ limit = USUAL_LIMIT }: SearchOptions): number {
  return limit;
}

function* allowedIn(
  segments: readonly OpenSegment[],
  branch: Branch,
  scope: Scope,
  languages: readonly number[],
): Generator<undefined, (Uint8Array | undefined)[]> {
  const allowed: (Uint8Array | undefined)[] = [];
  for (const source of segments) {
    allowed.push(allowedNotes(source, branch, scope, languages));
    yield;
  }
  return allowed;
}

function averageOf(segments: readonly OpenSegment[]): number {
  const length = segments.reduce((sum, { counts }) => sum + counts.length, 0);
  const passages = segments.reduce((sum, { counts }) => sum + counts.passages, 0);
  return Math.max(1, length / Math.max(1, passages));
}

/** The languages of the living notes, the commonest first. */
function languagesOf(segments: readonly OpenSegment[]): number[] {
  const notes = new Int32Array(LANGUAGE_COUNT);
  for (const { counts } of segments)
    counts.languages.forEach((count, language) => (notes[language]! += count));
  return [...notes.keys()]
    .filter((language) => notes[language]! > 0)
    .sort((a, b) => notes[b]! - notes[a]! || a - b);
}

/** The words to rank by: without those that carry no matter, unless all are such. */
function groupsOf(
  { words, phrases }: Branch,
  segments: readonly OpenSegment[],
  languages: readonly number[],
  isTyping: boolean,
): Group[] {
  const typed = queryWords(words, languages);
  const all = [...typed, ...phrases.flatMap((phrase) => queryWords(phrase, languages))];
  const telling = all.filter(({ isStop }) => !isStop);
  const last = isTyping ? typed.at(-1) : undefined;
  const bySpelling = new Map<string, { word: QueryWord; times: number }>();
  for (const word of telling.length > 0 ? telling : all) {
    const id = word.stems.join(' ');
    const known = bySpelling.get(id);
    if (known) known.times++;
    else if (bySpelling.size < MOST_WORDS) bySpelling.set(id, { word, times: 1 });
  }
  const passages = segments.reduce((sum, { counts }) => sum + counts.passages, 0);
  return [...bySpelling.values()].flatMap(({ word, times }) => {
    const variants = variantsOf(word, segments, languages, word === last || word.isSingle);
    const holding = Math.min(
      passages,
      variants.reduce((sum, { count }) => sum + count, 0),
    );
    const worth = times * Math.log(1 + (passages - holding + 0.5) / (holding + 0.5));
    return variants.length > 0 ? [{ variants, worth }] : [];
  });
}

function variantsOf(
  word: QueryWord,
  segments: readonly OpenSegment[],
  languages: readonly number[],
  isOpen: boolean,
): Variant[] {
  const exact = word.stems.flatMap((term) => variantOf(term, 1, segments) ?? []);
  const longer = isOpen ? completions(word, segments) : [];
  if (exact.length + longer.length > 0) return [...exact, ...longer];
  const parts = languages.some(isCompounding) ? compounds(word, segments) : [];
  if (parts.length > 0) return parts;
  const near = new Map<string, Variant>();
  for (const variant of word.stems.flatMap((term) => corrections(term, segments)))
    near.set(variant.term, variant);
  return near.size > 0
    ? [...near.values()]
    : correctedEndings(word, languages[0] ?? ENGLISH, segments);
}

/** Where a query has conditions but no words: whatever fulfils them. */
function listNotes(
  { conditions, unwanted }: Branch,
  segments: readonly OpenSegment[],
  allowed: readonly (Uint8Array | undefined)[],
): NoteScore[] {
  if (conditions.length + unwanted.length === 0) return [];
  return segments.flatMap((source, place) => {
    const ok = allowed[place];
    const notes: NoteScore[] = [];
    for (let note = 0; note < source.segment.notes; note++) {
      if (!ok || ok[note] === 1)
        notes.push({ source, place, note, passage: source.segment.noteFirst[note]!, score: 1 });
    }
    return notes;
  });
}

/** Numbers the notes of all segments: one for a note of a segment. */
function numbering(
  segments: readonly OpenSegment[],
): (hit: Pick<NoteScore, 'place' | 'note'>) => number {
  const firsts: number[] = [];
  let notes = 0;
  for (const { segment } of segments) {
    firsts.push(notes);
    notes += segment.notes;
  }
  return ({ place, note }) => firsts[place]! + note;
}

/** Tells where the living note of a key is; -1 for its number where there is none. The largest segments are asked first. */
function finder(
  segments: readonly OpenSegment[],
): (key: string) => Pick<NoteScore, 'place' | 'note'> {
  const places = [...segments.keys()].sort(
    (a, b) => segments[b]!.counts.notes - segments[a]!.counts.notes,
  );
  return (key) => {
    for (const place of places) {
      const note = recallLiving(segments[place]!, key);
      if (note >= 0) return { place, note };
    }
    return { place: -1, note: -1 };
  };
}

interface Candidate {
  readonly source: OpenSegment;
  readonly note: number;
  readonly passage: number;
  score: number;
  readonly isByWord: boolean;
  readonly isByMeaning: boolean;
}

function byWordAlone({ source, note, passage, score }: NoteScore): Candidate {
  return { source, note, passage, score, isByWord: true, isByMeaning: false };
}

/** The first hits by score; of equals the newest if that is asked for, then by key. */
function best(candidates: Candidate[], options: SearchOptions): Hit[] {
  const { newestFirst = false, isFolded = false } = options;
  const timeFor = ({ source, note }: Candidate) => source.segment.noteTime[note]!;
  const compare = (a: Candidate, b: Candidate) =>
    b.score - a.score || (newestFirst ? timeFor(b) - timeFor(a) : 0) || compareKeys(a, b);
  const sorted = (isFolded ? candidates : firstByScore(candidates, limitOf(options))).sort(compare);
  const top = sorted[0]?.score ?? 1;
  const folded = isFolded
    ? fold(sorted, limitOf(options))
    : sorted.slice(0, limitOf(options)).map((candidate) => [candidate]);
  return folded.map(([candidate, ...others]) => {
    const { source, note, passage, score, isByWord, isByMeaning } = candidate!;
    return {
      key: keyOf(source.segment, note),
      passage: passage - source.segment.noteFirst[note]!,
      score: score / top,
      time: timeFor(candidate!),
      isByWord,
      isByMeaning,
      language: source.segment.noteLanguage[note]!,
      also: others.map((other) => keyOf(other.source.segment, other.note)),
    };
  });
}

/** The first `count` by score, and all that are equal to the last of them. */
function firstByScore<T extends { readonly score: number }>(hits: T[], count: number): T[] {
  if (hits.length <= count) return hits;
  const least = Float64Array.from(hits, ({ score }) => score).sort()[hits.length - count]!;
  return hits.filter(({ score }) => score >= least);
}

/** The first `limit` candidates whose passages differ, each with those of the rest whose passage is nearly its own. */
function fold(sorted: readonly Candidate[], limit: number): Candidate[][] {
  const folded: Candidate[][] = [];
  for (const candidate of sorted) {
    const same = folded.find(([first]) => isSamePassage(first!, candidate));
    if (same) same.push(candidate);
    else if (folded.length < limit) folded.push([candidate]);
  }
  return folded;
}

function isSamePassage(one: Candidate, other: Candidate): boolean {
  const [of, ofOther] = [one.source.segment.fingerprints, other.source.segment.fingerprints];
  const [at, atOther] = [one.passage * 2, other.passage * 2];
  return isNearlySame(of[at]!, of[at + 1]!, ofOther[atOther]!, ofOther[atOther + 1]!);
}

/** By the bytes of the keys. */
function compareKeys(a: Candidate, b: Candidate): number {
  const { keyRank } = a.source.segment;
  if (a.source === b.source) return keyRank[a.note]! - keyRank[b.note]!;
  const one = keyBytesOf(a.source.segment, a.note).slice();
  const other = keyBytesOf(b.source.segment, b.note);
  return compareBytes(one, one.length, other, other.length);
}

/** Both ways of finding together: each score as a share of its best, and of those a weighted sum. `found` by the numbers of the notes. */
function fuse(
  found: ReadonlyMap<number, NoteScore>,
  meaning: Meaning,
  segments: readonly OpenSegment[],
  allowedInAny: readonly (readonly (Uint8Array | undefined)[])[],
): Candidate[] {
  const idOf = numbering(segments);
  const candidates = new Map<number, Fused>();
  let [mostByWord, mostNear] = [0, 0];
  for (const [id, { source, place, note, passage, score }] of found) {
    const own = passage - source.segment.noteFirst[note]!;
    const nearness = Math.max(0, meaning.of(keyOf(source.segment, note), own));
    mostByWord = Math.max(mostByWord, score);
    mostNear = Math.max(mostNear, nearness);
    candidates.set(id, { place, note, passage, byWord: score, nearness });
  }
  const placeOf = finder(segments);
  for (const { key, passage: own } of meaning.nearest) {
    const { place, note } = placeOf(key);
    if (note < 0 || allowedInAny.every((allowed) => allowed[place]?.[note] === 0)) continue;
    const nearness = meaning.of(key, own);
    const passage = segments[place]!.segment.noteFirst[note]! + own;
    mostNear = Math.max(mostNear, nearness);
    const id = idOf({ place, note });
    const known = candidates.get(id);
    if (known) known.nearness = Math.max(known.nearness, nearness);
    else candidates.set(id, { place, note, passage, byWord: undefined, nearness });
  }
  return [...candidates.values()].map(({ place, note, passage, byWord, nearness }): Candidate => {
    const score =
      WORD_SHARE * ((byWord ?? 0) / mostByWord || 0) + MEANING_SHARE * (nearness / mostNear || 0);
    return {
      source: segments[place]!,
      note,
      passage,
      score,
      isByWord: byWord !== undefined,
      isByMeaning: nearness > 0,
    };
  });
}

/** What is known of a note that was found in either way. */
interface Fused {
  readonly place: number;
  readonly note: number;
  readonly passage: number;
  readonly byWord: number | undefined;
  nearness: number;
}
